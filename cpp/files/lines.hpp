// Rows of delimited text, and lines with labels.
#pragma once

#include <cstdint>
#include <vector>

namespace deciban {

// The positions after the line breaks of the first and the last whole row; 0: there is no whole row.
struct RowEnds {
  std::int64_t first, last;
};

// Finds whole rows in text that begins with a row. As in CSV, a quote matters only at the beginning of a field; inside
// a quoted field two quotes stand for one, and line breaks are text. A row ends with \n, \r\n or \r.
RowEnds row_ends(const unsigned char* text, std::int64_t n, unsigned char delimiter, unsigned char quote);

// Appends Arrow's view (16 bytes) of a string in `memory`, the first buffer of its column. A string of up to twelve
// bytes lies in the view itself.
void append_view(const unsigned char* memory, const unsigned char* begin, const unsigned char* end,
                 std::vector<unsigned char>& views);

// Rows of lines that begin with labels, in the format of fastText: "__label__x __label__y text".
struct LabelledLines {
  std::vector<std::int64_t> label_start;  // rows + 1
  std::vector<unsigned char> labels;
  std::vector<std::uint8_t> has_label;
  std::vector<unsigned char> texts;  // Arrow's views, 16 bytes per row, into the text
  std::int64_t multi_labelled = 0;   // lines with more than one label
};

// Reads whole lines, of less than 2 GB in total. The last line may lack its line break. A line is a row with its first
// label or, with `each_label`, as many rows as it has labels.
LabelledLines labelled_lines(const unsigned char* text, std::int64_t size, bool each_label = false);

}  // namespace deciban
