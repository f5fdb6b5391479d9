// Multinomial logistic loss of weighted terms, with its gradient and curvature.
#pragma once

#include <cstdint>

namespace deciban {

// Terms of every row for every class but its own: score of the class minus score of the row's own class.
struct TermScores {
  const double* terms;   // rows x others x count
  const double* offset;  // rows x others: the part of the score that has no coefficient
  const double* weight;  // rows
  std::int64_t rows, others, count;
};

// Scores of terms (terms x rows x classes) and the class of every row.
struct ClassScores {
  const double* scores;
  const std::int32_t* cls;
  std::int64_t terms, rows, classes;
};

// Writes the scores of the classes that a row does not have, less that of its own class, to out, whose rows x others
// lines have `width` entries each: term t goes to entry `first` + t.
void relative_terms(const ClassScores& s, std::int64_t width, std::int64_t first, double* out);

// Writes the loss log(1 + sum over other classes of exp(score)) of every row, where score = offset + terms · x.
void logistic_losses(const TermScores& t, const double* x, double* losses);

// Writes the losses, and adds the gradient and the lower triangle of the curvature (count x count) of their weighted
// sum.
void add_logistic_derivatives(const TermScores& t, const double* x, double* losses, double* gradient,
                              double* curvature);

}  // namespace deciban
