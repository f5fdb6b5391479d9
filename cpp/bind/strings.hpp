// The memory of Arrow's string columns.
#pragma once

#include <vector>

#include "bind/arrays.hpp"
#include "core/strings.hpp"

namespace deciban {

inline Bytes bytes_view(const Memory& memory) { return {memory.data(), length(memory)}; }

inline std::vector<Bytes> bytes_views(const std::vector<Memory>& buffers) {
  std::vector<Bytes> out;
  for (const Memory& buffer : buffers) out.push_back(bytes_view(buffer));
  return out;
}

inline StringRows string_rows(const MaybeBits& valid, std::int64_t first, std::int64_t rows) {
  return {valid ? bytes_view(*valid) : Bytes{nullptr, 0}, first, rows};
}

}  // namespace deciban
