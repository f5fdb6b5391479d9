// Arrow's memory of string columns, as kernels take it.
#pragma once

#include <vector>

#include "bind/arrays.hpp"
#include "core/strings.hpp"

namespace deciban {

inline Bytes bytes_of(const Memory& memory) { return {memory.data(), static_cast<std::int64_t>(memory.shape(0))}; }

inline std::vector<Bytes> bytes_of(const std::vector<Memory>& buffers) {
  std::vector<Bytes> out;
  for (const Memory& buffer : buffers) out.push_back(bytes_of(buffer));
  return out;
}

inline Rows1d rows_of(const Bits& valid, std::int64_t first, std::int64_t rows) {
  return {valid ? bytes_of(*valid) : Bytes{nullptr, 0}, first, rows};
}

}  // namespace deciban
