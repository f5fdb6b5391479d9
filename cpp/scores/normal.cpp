#include "scores/normal.hpp"

#include <cmath>
#include <numbers>

namespace deciban {

void normal_cdf(const double* x, std::int64_t n, double* out) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = 0.5 * std::erfc(-x[i] / std::numbers::sqrt2);
}

}  // namespace deciban
