// Holes of a column: what its bits say is not there.
#pragma once

#include <cstring>
#include <type_traits>

#include "core/simd.hpp"
#include "core/view.hpp"

namespace deciban {

// Eight values of four or eight bytes, as whole numbers.
template <class T>
struct Eight {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  using Whole = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  typedef Whole Lanes __attribute__((vector_size(8 * sizeof(Whole)), aligned(alignof(Whole))));
  static constexpr Lanes lanes = {0, 1, 2, 3, 4, 5, 6, 7};
};

// Eight bits from bit `skip` of the first byte on.
inline unsigned eight_bits(const unsigned char* bits, int skip) { return (bits[0] | (skip ? bits[1] : 0u) << 8) >> skip; }

// Sets all bits of the values that are not there, which makes a NaN of a double and -1 of an integer. Eight at a time:
// holes follow no pattern that a branch could follow.
template <class T>
DECIBAN_CLONES void mark_holes(Valid valid, std::int64_t n, T* v) {
  using Whole = typename Eight<T>::Whole;
  const int skip = static_cast<int>(valid.first & 7);
  const unsigned char* bits = valid.bits + (valid.first >> 3);
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8, ++bits) {
    typename Eight<T>::Lanes cells;
    std::memcpy(&cells, v + i, sizeof cells);
    cells |= (Whole{eight_bits(bits, skip)} >> Eight<T>::lanes & 1) - 1;
    std::memcpy(v + i, &cells, sizeof cells);
  }
  for (; i < n; ++i)
    if (!valid[i]) std::memset(v + i, 255, sizeof(T));
}

}  // namespace deciban
