// What values show on a quick look.
#pragma once

#include <type_traits>

#include "core/simd.hpp"
#include "core/view.hpp"

namespace deciban {

// What some values show, as findings; kInfinite stands for "not finite", which the caller looks into.
template <class T>
DECIBAN_CLONES static int look(const T* __restrict x, std::int64_t n) {
  int negative = 0, other = 0, strange = 0;
  for (std::int64_t j = 0; j < n; ++j) {
    negative |= x[j] < T(0);
    other |= (x[j] != T(0)) & (x[j] != T(1)) & (x[j] == x[j]);
    if constexpr (std::is_floating_point_v<T>) strange |= !(x[j] - x[j] == T(0));
  }
  return (negative ? kNegative : 0) | (other ? kNotBinary : 0) | (strange ? kInfinite : 0);
}

}  // namespace deciban
