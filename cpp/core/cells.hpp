// What scores share: vectors of classes, and what a cell counts.
#pragma once

#include <cmath>
#include <cstring>
#include <type_traits>

#include "core/pack.hpp"
#include "core/simd.hpp"
#include "core/view.hpp"

namespace deciban {

DECIBAN_INLINE Lanes load(const double* p) {
  Lanes v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
DECIBAN_INLINE void store(double* p, Lanes v) { std::memcpy(p, &v, sizeof v); }

// What a cell counts: itself, or 1 above a threshold. v - v is 0, but NaN where v is NaN or infinite, so a cell that is
// not a number shows in the sum at no cost.
template <bool Binarize, class V>
DECIBAN_INLINE void count_cells(V& v, double threshold) {
  if constexpr (Binarize) {
    const V zero = v - v;
    v = v > threshold ? zero + 1.0 : zero;
  }
}

inline int finding_of(double v) { return std::isnan(v) ? kMissing : std::isinf(v) ? kInfinite : 0; }

}  // namespace deciban
