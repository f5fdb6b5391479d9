#include "posterior.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace deciban {

// exp without its slow way to zero: below this the result is 0 all the same.
inline double exp_of(double x) { return x < -746.0 ? 0.0 : std::exp(x); }

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

std::int64_t normalize(double* joint, std::int64_t rows, std::int64_t classes, const double* log_prior, Scale scale) {
  std::int64_t impossible = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    double* row = joint + i * classes;
    double top = *std::max_element(row, row + classes);
    if (top == kImpossible) {
      ++impossible;
      std::copy(log_prior, log_prior + classes, row);
      top = *std::max_element(row, row + classes);
    }
    double sum = 0;
    if (scale == Scale::linear) {
      for (std::int64_t k = 0; k < classes; ++k) sum += row[k] = exp_of(row[k] - top);
      const double share = 1.0 / sum;
      for (std::int64_t k = 0; k < classes; ++k) row[k] *= share;
    } else {
      for (std::int64_t k = 0; k < classes; ++k) sum += exp_of(row[k] - top);
      const double norm = top + std::log(sum);
      for (std::int64_t k = 0; k < classes; ++k) row[k] -= norm;
    }
  }
  return impossible;
}

std::int64_t decide(const double* joint, std::int64_t rows, std::int64_t classes, const double* log_prior,
                    std::int32_t* code) {
  std::int64_t impossible = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    const double* row = joint + i * classes;
    const double* best = std::max_element(row, row + classes);
    if (*best == kImpossible) {
      ++impossible;
      row = log_prior;
      best = std::max_element(row, row + classes);
    }
    code[i] = static_cast<std::int32_t>(best - row);
  }
  return impossible;
}

}  // namespace deciban
