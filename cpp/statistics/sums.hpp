// Weight and weighted total per class and feature.
#pragma once

#include "core/view.hpp"

namespace deciban {

// How a cell counts, and which findings are asked for.
struct Counting {
  bool binarize = false;   // count 1 where x > threshold instead of x
  double threshold = 0;
  int wanted = 0;          // kNegative, kNotBinary: look for them
};

// Adds a batch to weight and total (classes x features each). A NaN cell does not count. Returns the findings.
int add_sums(const Dense& x, const Labels& labels, const Counting& how, double* weight, double* total);

// The same for compressed rows and compressed columns, total only; NaN and inf are only found, and add nothing.
int add_sums_csr(const Sparse& x, const Labels& labels, const Counting& how, double* total);
int add_sums_csc(const Sparse& x, const Labels& labels, const Counting& how, double* total);

// Adds the weight of every class.
void add_weights(const Labels& labels, double* weight);

}  // namespace deciban
