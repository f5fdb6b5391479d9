#include "scores/posterior.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace deciban {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

}  // namespace

std::int64_t centre(double* joint, std::int64_t rows, std::int64_t classes, const double* log_prior) {
  std::int64_t impossible = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    double* row = joint + i * classes;
    double greatest = *std::max_element(row, row + classes);
    if (greatest == kImpossible) {
      ++impossible;
      std::copy(log_prior, log_prior + classes, row);
      greatest = *std::max_element(row, row + classes);
    }
    for (std::int64_t k = 0; k < classes; ++k) row[k] -= greatest;
  }
  return impossible;
}

void divide_by_sum(double* odds, std::int64_t rows, std::int64_t classes) {
  for (std::int64_t i = 0; i < rows; ++i) {
    double* row = odds + i * classes;
    double sum = 0;
    for (std::int64_t k = 0; k < classes; ++k) sum += row[k];
    const double inverse = 1.0 / sum;
    for (std::int64_t k = 0; k < classes; ++k) row[k] *= inverse;
  }
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
