// Arrow string columns, read in place and numbered like any other labels.
#pragma once

#include <cstdint>
#include <vector>

#include "core/document.hpp"

namespace deciban {

struct Bytes {
  const unsigned char* data;
  std::int64_t size;
};

// The rows [first, first + n) of a column. Bit i of `valid` says whether row i has a value; null: all have.
struct Rows1d {
  Bytes valid;
  std::int64_t first, n;
};

// Strings one after the other (string, large_string): row i is data[offsets[i], offsets[i + 1]). `offsets` are of 4 or
// 8 bytes (`wide`). Every offset is checked against the memory that is really there.
std::vector<std::int64_t> encode_strings(Bytes offsets, bool wide, Bytes data, Rows1d rows, std::int32_t* code);

// Strings by reference (string_view): 16 bytes a row, the string itself or where it is in one of the buffers.
std::vector<std::int64_t> encode_views(Bytes views, const std::vector<Bytes>& buffers, Rows1d rows, std::int32_t* code);

// The strings themselves.
std::vector<Document> list_strings(Bytes offsets, bool wide, Bytes data, Rows1d rows);
std::vector<Document> list_views(Bytes views, const std::vector<Bytes>& buffers, Rows1d rows);

}  // namespace deciban
