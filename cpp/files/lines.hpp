// Lines of text: where the rows of delimited text end, and lines with labels.
#pragma once

#include <vector>

#include <cstdint>

namespace deciban {

struct RowEnds {
  std::int64_t first, last;  // behind the line breaks of the first and the last whole row; 0: there is none
};

// Text begins with a row. A quote matters only where it begins a field, as readers of CSV see it; within a quoted field
// two quotes are one, and line breaks are text. A row ends with \n, \r\n or \r.
RowEnds row_ends(const unsigned char* text, std::int64_t n, unsigned char delimiter, unsigned char quote);

// Appends Arrow's view, 16 bytes, of a string in the first and only piece of memory; one of up to twelve bytes is in the
// view itself.
void append_view(const unsigned char* memory, const unsigned char* begin, const unsigned char* end,
                 std::vector<unsigned char>& views);

// Lines that begin with labels, as fastText has them: "__label__x __label__y text". The first label counts.
struct LabelledLines {
  std::vector<std::int64_t> label_start;  // of every line, and the end of the last
  std::vector<unsigned char> labels;
  std::vector<std::uint8_t> has_label;
  std::vector<unsigned char> texts;  // Arrow's string views, 16 bytes a line, of the text itself
  std::int64_t several = 0;  // lines with more than one label
};

// Whole lines of less than 2 GB together; the last one needs no end.
LabelledLines labelled_lines(const unsigned char* text, std::int64_t size);

}  // namespace deciban
