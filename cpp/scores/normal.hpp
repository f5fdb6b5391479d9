// The standard normal distribution.
#pragma once

#include <cstdint>

namespace deciban {

// Writes the probability of a number below x[i], as exact in the lower tail as in the middle.
void normal_cdf(const double* x, std::int64_t n, double* out);

}  // namespace deciban
