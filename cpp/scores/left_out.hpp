// Leave-one-out scores: a row scored by the statistics of its class without the row.
#pragma once

#include <cstdint>

#include "core/view.hpp"

namespace deciban {

// The class and weight of every row.
struct RowClasses {
  const std::int32_t* cls;
  const double* weight;
};

// Moments of classes x features.
struct ClassMoments {
  const double *rows, *mean, *deviation;  // rows: weight of every class, the same for all features
  const unsigned char* varies;            // by feature: 0 for a constant column, which is not scored
  std::int64_t classes;
};

// Writes the log density of every row under the normal distributions of its class without the row. NaN if a cell is
// missing or no variance is left: the caller must score such a row in another way.
void own_gaussian(const Dense& x, const RowClasses& labels, const ClassMoments& p, double* out);

// Moments of classes that share one variance per feature.
struct SharedMoments {
  const double *rows, *mean;  // classes; classes x features
  const double* deviation;    // by feature, of all classes together
  double total;               // weight of all classes together
  const unsigned char* varies;
  std::int64_t classes;
};

// Adds the log density of every row under every class to out (rows x classes). The row is taken out of its own class
// and out of the shared variance.
void shared_gaussian(const Dense& x, const RowClasses& labels, const SharedMoments& p, double* out);

// Complement scores: count[c] and total[c] are of all rows outside class c. Subtracts
// sum of x * log((count - weight * x) / (total - weight * sum of x)) from out (rows x classes). A row is not part of
// the complement of its own class, so that its weight there is 0. NaN if a cell is missing or no count is left.
void others_counts(const Dense& x, const RowClasses& labels, const double* count, const double* total,
                   std::int64_t classes, double* out);

// Writes sum of x * log(count - weight * x) and sum of x of every row, with the counts of its class. NaN if a cell is
// missing.
void own_counts(const Dense& x, const RowClasses& labels, const double* count, std::int64_t classes, double* logs,
                double* total);

}  // namespace deciban
