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

template <bool Binarize, class T>
DECIBAN_INLINE double cell(T x, double threshold) {
  const double v = static_cast<double>(x);
  if constexpr (!Binarize) return v;
  if constexpr (std::is_floating_point_v<T>) return (v > threshold ? 1.0 : 0.0) + (v - v);  // NaN stays NaN
  return v > threshold ? 1.0 : 0.0;
}

inline int finding_of(double v) { return std::isnan(v) ? kMissing : std::isinf(v) ? kInfinite : 0; }

}  // namespace deciban
