// Holes of a column: what its bits say is not there.
#pragma once

#include <cstring>

#include "simd.hpp"
#include "view.hpp"

namespace deciban {

// Sets all bits of the values of eight bytes that are not there, which makes a NaN of a double. Eight at a time: holes
// follow no pattern that a branch could follow.
template <class T>
DECIBAN_CLONES void mark_holes(Valid valid, std::int64_t n, T* v) {
  static_assert(sizeof(T) == 8);
  typedef std::uint64_t Eight __attribute__((vector_size(64), aligned(8)));
  constexpr Eight lanes = {0, 1, 2, 3, 4, 5, 6, 7};
  const int skip = static_cast<int>(valid.first & 7);
  const unsigned char* bits = valid.bits + (valid.first >> 3);
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8, ++bits) {
    const std::uint64_t here = (bits[0] | (skip ? bits[1] : 0u) << 8) >> skip;
    Eight cells;
    std::memcpy(&cells, v + i, sizeof cells);
    cells |= (here >> lanes & 1) - 1;
    std::memcpy(v + i, &cells, sizeof cells);
  }
  for (; i < n; ++i)
    if (!valid[i]) std::memset(v + i, 255, sizeof(T));
}

}  // namespace deciban
