// Findings about values, and binarized cells.
#pragma once

#include <cmath>
#include <type_traits>

#include "core/simd.hpp"
#include "core/view.hpp"

namespace deciban {

inline int finding_of(double v) { return std::isnan(v) ? kMissing : std::isinf(v) ? kInfinite : 0; }

// Returns the findings of some values. kInfinite stands for "not finite"; the caller tells NaN from infinity.
template <class T>
DECIBAN_CLONES static int inspect(const T* __restrict x, std::int64_t n) {
  int negative = 0, not_binary = 0, not_finite = 0;
  for (std::int64_t j = 0; j < n; ++j) {
    negative |= x[j] < T(0);
    not_binary |= (x[j] != T(0)) & (x[j] != T(1)) & (x[j] == x[j]);
    if constexpr (std::is_floating_point_v<T>) not_finite |= !(x[j] - x[j] == T(0));
  }
  return (negative ? kNegative : 0) | (not_binary ? kNotBinary : 0) | (not_finite ? kInfinite : 0);
}

template <class T>
DECIBAN_CLONES static bool has_negative(const T* __restrict x, std::int64_t n) {
  int negative = 0;
  for (std::int64_t j = 0; j < n; ++j) negative |= x[j] < T(0);
  return negative != 0;
}

// Returns those findings of some values that are wanted: kNegative, kNotBinary or none.
template <class T>
int wanted_findings(const T* x, std::int64_t n, int wanted) {
  if (wanted == kNegative) return has_negative(x, n) ? kNegative : 0;
  return wanted ? inspect(x, n) & wanted : 0;
}

// Replaces a cell, or a pack of cells, by 1 above the threshold and 0 below. v - v is NaN if v is NaN or infinite, so
// that the sum shows such a cell without a test.
template <bool Binarize, class V>
DECIBAN_INLINE void binarize_cells(V& v, double threshold) {
  if constexpr (Binarize) {
    const V zero = v - v;
    v = v > threshold ? zero + 1.0 : zero;
  }
}

}  // namespace deciban
