// Contrasts: the score of a target class minus the score of a rival class, for every row and column.
// Missing values give 0, and so does a value that both classes rule out.
#pragma once

#include <vector>

#include "core/columns.hpp"
#include "scores/score.hpp"

namespace deciban {

// The two classes of every row.
struct ClassPairs {
  const std::int32_t *target, *rival;
  std::int64_t rows;
};

// Columns in separate memory. The output is in column order; parameters are features (or codes) x classes, with the
// classes padded to full vectors.
struct ColumnOutput {
  double* data;
  std::int64_t stride;  // from one column to the next
};

// base + x * weight, or base + (x > threshold) * weight. base and threshold may be null.
void contrast_linear(const std::vector<Column>& columns, const double* weight, const double* base,
                     const double* threshold, Shape shape, const ClassPairs& pairs, ColumnOutput out);

// base - (scale * (x - mean))^2. A feature has three rows of parameters: mean, scale, base.
void contrast_gaussian(const std::vector<Column>& columns, const double* parameters, Shape shape,
                       const ClassPairs& pairs, ColumnOutput out);

// The table's entry of every code. A code outside its range gives 0.
void contrast_codes(const std::vector<Column>& columns, const TableLayout& layout, const double* table, Shape shape,
                    const ClassPairs& pairs, ColumnOutput out);

// The table's entry of every number's bin. Column j has one cut less than entries, which begin at start[j].
void contrast_steps(const std::vector<Column>& columns, const double* const* cuts, const std::int64_t* start,
                    const double* table, Shape shape, const ClassPairs& pairs, ColumnOutput out);

// Matrices in row order. The output is in row order; parameters are classes x padded features and finite, except that
// a table is codes x padded classes.
struct RowOutput {
  double* data;
  std::int64_t stride;  // from one row to the next
};

void contrast_linear_rows(const Dense& x, const double* weight, const double* base, const double* threshold,
                          std::int64_t padded, const ClassPairs& pairs, RowOutput out);
void contrast_gaussian_rows(const Dense& x, const double* mean, const double* scale, const double* base,
                            std::int64_t padded, const ClassPairs& pairs, RowOutput out);
void contrast_code_rows(const Dense& x, const TableLayout& layout, const double* table, std::int64_t padded,
                        const ClassPairs& pairs, RowOutput out);

// The difference of two entries of every row of scores (rows x classes).
void contrast_scores(const double* scores, std::int64_t classes, const ClassPairs& pairs, double* out);

// Writes the most probable class of every row and the second, the first of equals. With one class both are 0.
void two_best(const double* posterior, std::int64_t rows, std::int64_t classes, std::int32_t* best,
              std::int32_t* second);

}  // namespace deciban
