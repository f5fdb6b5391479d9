// Missing values of a column, marked by a bitmap.
#pragma once

#include <cstring>
#include <type_traits>

#include "core/simd.hpp"
#include "core/view.hpp"

namespace deciban {

// Eight cells of four or eight bytes, as unsigned integers.
template <class T>
struct EightCells {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  using Integer = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  typedef Integer Lanes __attribute__((vector_size(8 * sizeof(Integer)), aligned(alignof(Integer))));
  static constexpr Lanes lanes = {0, 1, 2, 3, 4, 5, 6, 7};
};

// Returns eight bits from bit `skip` of the first byte on. The second byte is read only if bits of it are needed.
inline unsigned eight_bits(const unsigned char* bits, int skip) {
  return (bits[0] | (skip ? bits[1] : 0u) << 8) >> skip;
}

// Sets all bits of missing values: a double becomes NaN, an integer -1. Eight at a time, without a branch, because
// missing values follow no pattern.
template <class T>
DECIBAN_CLONES void mark_missing(Bitmap valid, std::int64_t n, T* cells) {
  using Integer = typename EightCells<T>::Integer;
  const int skip = static_cast<int>(valid.first & 7);
  const unsigned char* bits = valid.bits + (valid.first >> 3);
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8, ++bits) {
    typename EightCells<T>::Lanes eight;
    std::memcpy(&eight, cells + i, sizeof eight);
    eight |= (Integer{eight_bits(bits, skip)} >> EightCells<T>::lanes & 1) - 1;
    std::memcpy(cells + i, &eight, sizeof eight);
  }
  for (; i < n; ++i)
    if (!valid[i]) std::memset(cells + i, 255, sizeof(T));
}

}  // namespace deciban
