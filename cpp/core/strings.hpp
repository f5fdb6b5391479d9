// Arrow string columns, read in place.
#pragma once

#include <cstdint>
#include <vector>

#include "core/document.hpp"

namespace deciban {

struct Bytes {
  const unsigned char* data;
  std::int64_t size;
};

// Rows [first, first + n) of a column. Bit i of `valid` is 1 if row i has a value; null: every row has one.
struct StringRows {
  Bytes valid;
  std::int64_t first, n;
};

// Arrow's string and large_string: row i is data[offsets[i], offsets[i + 1]). Offsets are of 8 bytes if `wide`, else 4.
// Every offset is checked against the length of the memory.
// Numbers the distinct strings by first appearance, -1 for missing. Returns the index of every first appearance.
std::vector<std::int64_t> encode_strings(Bytes offsets, bool wide, Bytes data, StringRows rows, std::int32_t* code);
std::vector<Document> list_strings(Bytes offsets, bool wide, Bytes data, StringRows rows);

// Arrow's string_view: 16 bytes per row, which hold the string or its position in one of the buffers.
std::vector<std::int64_t> encode_views(Bytes views, const std::vector<Bytes>& buffers, StringRows rows,
                                       std::int32_t* code);
std::vector<Document> list_views(Bytes views, const std::vector<Bytes>& buffers, StringRows rows);

}  // namespace deciban
