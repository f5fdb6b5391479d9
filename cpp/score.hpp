// Scores: log-likelihood of every row under every class, added to out (rows x classes).
// Parameters are feature-major with the class axis padded to a multiple of kLanes: (features x padded).
#pragma once

#include "tables.hpp"
#include "view.hpp"

namespace deciban {

// sum over features of base + x * weight. `base` per feature may be absent (null: zero); `total` is its sum.
struct Linear {
  const double* weight;
  const double* base;
  const double* total;  // classes
  bool binarize;
  double threshold;
};

// sum over features of base + precision * (x - mean)^2, precision being -1/(2 variance).
struct Quadratic {
  const double* mean;
  const double* precision;
  const double* base;
  const double* total;  // classes
};

struct Shape {
  std::int64_t classes, padded;
};

// A NaN cell adds nothing. All return the findings (missing, infinite).
int score_linear(const Dense& x, const Linear& p, Shape shape, double* out);
int score_linear_csr(const Sparse& x, const Linear& p, Shape shape, double* out);
int score_linear_csc(const Sparse& x, const Linear& p, Shape shape, double* out);
int score_quadratic(const Dense& x, const Quadratic& p, Shape shape, double* out);

// table is (codes of all features x padded); a code outside its range adds nothing; negative ones are a finding.
int score_table(const Dense& codes, const Coding& coding, const double* table, Shape shape, double* out);

}  // namespace deciban
