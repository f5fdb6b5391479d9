// Scores: log-likelihood of every row under every class, added to out (rows x classes).
// For dense rows parameters are classes x features, the features padded with zeros to full packs; for sparse rows and
// tables they are features x classes, the classes padded to full vectors, so that one look-up finds all classes together.
#pragma once

#include "core/view.hpp"
#include "statistics/tables.hpp"

namespace deciban {

// sum over features of base + x * weight. `base` per feature may be absent (null: zero); `total` is its sum.
struct Linear {
  const double* weight;
  const double* base;
  const double* total;  // classes
  bool binarize;
  double threshold;
  bool binary;  // look for values other than 0 and 1
};

// sum over features of base - (scale * (x - mean))^2, scale^2 being 1/(2 variance); 0 where a column never varies.
struct Quadratic {
  const double* mean;
  const double* scale;
  const double* base;
  const double* total;  // classes
};

struct Shape {
  std::int64_t classes, padded;  // padded: the length of the padded axis
};

// A NaN cell adds nothing. All return the findings (missing, infinite). A sparse matrix that is to be binarized but
// stores an entry twice adds nothing at all: kRepeated.
int score_linear(const Dense& x, const Linear& p, Shape shape, double* out);
int score_linear_csr(const Sparse& x, const Linear& p, Shape shape, double* out);
int score_linear_csc(const Sparse& x, const Linear& p, Shape shape, double* out);
int score_quadratic(const Dense& x, const Quadratic& p, Shape shape, double* out);

// table is (codes of all features x padded); a code outside its range adds nothing; negative ones are a finding.
int score_table(const Dense& codes, const Coding& coding, const double* table, Shape shape, double* out);

}  // namespace deciban
