#include "scores/posterior.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace deciban {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();
// Relative error of a sum of logarithms, by which products that are equal on paper come out different.
constexpr double kRounding = 8 * std::numeric_limits<double>::epsilon();

// The least score that is equal to the greatest one, up to rounding.
double least_tied(double greatest) { return greatest - kRounding * (1.0 + std::abs(greatest)); }

// The first of the scores that equal the greatest one, up to rounding. Both loops are without branches, which random
// rows would mispredict.
const double* first_greatest(const double* row, std::int64_t classes) {
  double greatest = row[0];
  for (std::int64_t k = 1; k < classes; ++k) greatest = row[k] > greatest ? row[k] : greatest;
  const double tied = least_tied(greatest);
  std::int64_t first = 0;
  for (std::int64_t k = classes - 1; k >= 0; --k) first = row[k] >= tied ? k : first;
  return row + first;
}

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
    const double tied = least_tied(greatest);
    for (std::int64_t k = 0; k < classes; ++k) row[k] = row[k] >= tied ? 0.0 : row[k] - greatest;
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
    const double* best = first_greatest(row, classes);
    if (*best == kImpossible) {
      ++impossible;
      best = first_greatest(row = log_prior, classes);
    }
    code[i] = static_cast<std::int32_t>(best - row);
  }
  return impossible;
}

}  // namespace deciban
