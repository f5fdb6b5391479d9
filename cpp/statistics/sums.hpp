// Weight and weighted sum per class and feature.
#pragma once

#include "core/view.hpp"

namespace deciban {

struct SumOptions {
  bool binarize = false;  // count 1 if x > threshold, instead of x
  double threshold = 0;
  int wanted = 0;  // findings to look for: kNegative, kNotBinary
};

// Adds a batch to weight and total (classes x features each). NaN cells are skipped. Returns the findings.
int add_sums(const Dense& x, const Labels& labels, const SumOptions& options, double* weight, double* total);

// Adds compressed rows or columns to total. NaN and infinite entries are reported and not added.
int add_sums_csr(const Sparse& x, const Labels& labels, const SumOptions& options, double* total);
int add_sums_csc(const Sparse& x, const Labels& labels, const SumOptions& options, double* total);

// Adds the weight of every class.
void add_weights(const Labels& labels, double* weight);

}  // namespace deciban
