// What a row's own class says about it once the row is taken out of the class's statistics.
#pragma once

#include <cstdint>

#include "core/view.hpp"

namespace deciban {

struct Members {
  const std::int32_t* cls;  // of every row
  const double* weight;     // of every row
};

// Statistics of classes, classes x features; `rows` is the weight of every class, the same for all features.
struct Spread {
  const double *rows, *mean, *deviation;
  const unsigned char* varies;  // per feature: others are no evidence
  std::int64_t classes;
};

// log density of the normal distribution whose mean and variance are those of the class without the row. NaN where a
// cell is missing or nothing is left to vary: such rows want more care.
void own_curves(const Dense& x, const Members& who, const Spread& p, double* out);

// The same for all classes (added to out, rows x classes) where they share one variance per feature: `deviation` and
// `all` are those of all classes together, and a row leaves both.
struct SharedSpread {
  const double *rows, *mean;  // classes; classes x features
  const double* deviation;    // features
  double all;
  const unsigned char* varies;
  std::int64_t classes;
};

void shared_curves(const Dense& x, const Members& who, const SharedSpread& p, double* out);

// sum of x * log((count - weight * x) / (total - weight * sum of x)) of every class but the row's own, from which the row
// is not taken: it is not there. Taken from out (rows x classes); NaN where a cell is missing or nothing is left.
void others_counts(const Dense& x, const Members& who, const double* count, const double* total, std::int64_t classes,
                   double* out);

// sum of x * log(count - weight * x) over the cells of a row, and of x: NaN where a cell is missing.
void own_counts(const Dense& x, const Members& who, const double* count, std::int64_t classes, double* logs,
                double* total);

}  // namespace deciban
