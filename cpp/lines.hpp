// Where the rows of delimited text end.
#pragma once

#include <cstdint>

namespace deciban {

struct RowEnds {
  std::int64_t first, last;  // behind the line breaks of the first and the last whole row; 0: there is none
};

// Text begins with a row. A quote matters only where it begins a field, as readers of CSV see it; within a quoted field
// two quotes are one, and line breaks are text. A row ends with \n, \r\n or \r.
RowEnds row_ends(const unsigned char* text, std::int64_t n, unsigned char delimiter, unsigned char quote);

}  // namespace deciban
