// Weight, mean and sum of squared deviations per class and feature.
#pragma once

#include "core/view.hpp"

namespace deciban {

// Adds a batch to weight, mean and deviation (classes x features each). NaN cells are skipped. Returns the findings
// (missing, infinite, out of range: a deviation is too large or too small for the squares that it is made of).
int add_moments(const Dense& x, const Labels& labels, double* weight, double* mean, double* deviation);

}  // namespace deciban
