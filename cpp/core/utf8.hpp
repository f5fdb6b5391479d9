// Characters of one, two or four bytes, as Python keeps them, to UTF-8.
#pragma once

#include <cstdint>

namespace deciban {

struct Characters {
  const void* data;
  std::int64_t size;
  int width;  // bytes of each: 1, 2 or 4

  // Bytes that hold them as UTF-8 for sure, and what encode_utf8 may write behind its end.
  std::int64_t most_bytes() const { return size * (width == 1 ? 2 : width == 2 ? 3 : 4) + 1; }
};

// Returns the end. Halves of surrogate pairs become question marks, as with Python's errors="replace".
unsigned char* encode_utf8(const Characters& text, unsigned char* out);

}  // namespace deciban
