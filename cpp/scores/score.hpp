// Scores: log-likelihood of every row under every class, added to out (rows x classes).
// Parameters of dense rows are classes x features, with the features padded by zeros to full packs. Parameters of
// sparse rows and tables are features x classes, with the classes padded to full vectors, so that one look-up finds all
// classes.
#pragma once

#include "core/view.hpp"
#include "statistics/tables.hpp"

namespace deciban {

// sum over features of base + x * weight
struct Linear {
  const double* weight;
  const double* base;   // null: zero
  const double* total;  // by class: sum of base
  bool binarize;
  double threshold;
  int wanted;  // findings to report: kNegative, kNotBinary or none
};

// sum over features of base - (scale * (x - mean))^2, where scale^2 is 1/(2 variance), or 0 for a constant column.
struct Quadratic {
  const double* mean;
  const double* scale;
  const double* base;
  const double* total;  // by class: sum of base
};

struct Shape {
  std::int64_t classes;
  std::int64_t padded;  // length of the padded axis
};

// NaN cells add nothing. All functions return the findings (missing, infinite). A sparse matrix that is to be binarized
// and stores an entry twice adds nothing at all: kRepeated.
int score_linear(const Dense& x, const Linear& p, Shape shape, double* out);
int score_linear_csr(const Sparse& x, const Linear& p, Shape shape, double* out);
int score_linear_csc(const Sparse& x, const Linear& p, Shape shape, double* out);
int score_quadratic(const Dense& x, const Quadratic& p, Shape shape, double* out);

// The table is codes of all features x padded classes. A code outside its range adds nothing; a negative one is a
// finding.
int score_table(const Dense& codes, const TableLayout& layout, const double* table, Shape shape, double* out);

}  // namespace deciban
