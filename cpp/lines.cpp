#include "lines.hpp"

namespace deciban {

RowEnds row_ends(const unsigned char* text, std::int64_t n, unsigned char delimiter, unsigned char quote) {
  RowEnds ends{0, 0};
  bool begins = true, quoted = false;
  for (std::int64_t i = 0; i < n; ++i) {
    const unsigned char c = text[i];
    if (quoted) {
      if (c != quote) continue;
      if (i + 1 < n && text[i + 1] == quote)
        ++i;
      else
        quoted = false;
      continue;
    }
    if (c == '\n' || c == '\r') {
      if (c == '\r' && i + 1 < n && text[i + 1] == '\n') ++i;
      ends.last = i + 1;
      if (!ends.first) ends.first = i + 1;
      begins = true;
    } else {
      quoted = begins && c == quote;
      begins = c == delimiter;
    }
  }
  return ends;
}

}  // namespace deciban
