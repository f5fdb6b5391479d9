// What every column says for one class against another, row by row: out is rows x features, column after column.
// Parameters are features (or codes) x classes, the classes padded to full vectors. What is missing says nothing, and
// neither does what both classes rule out.
#pragma once

#include <vector>

#include "core/columns.hpp"
#include "scores/score.hpp"

namespace deciban {

struct Pair {
  const std::int32_t *of, *against;  // of every row
  std::int64_t rows;
};

struct Written {
  double* data;
  std::int64_t stride;  // from one feature to the next
};

// base + x * weight, x being 0 or 1 where there is a threshold; base may be null.
void contrast_linear(const std::vector<Column>& columns, const double* weight, const double* base,
                     const double* threshold, Shape shape, const Pair& who, Written out);

// base - (scale * (x - mean))^2; a feature has three rows of parameters: mean, scale, base.
void contrast_curves(const std::vector<Column>& columns, const double* parameters, Shape shape, const Pair& who,
                     Written out);

// The entry of code x - low[j], which sits at start[j] .. start[j + 1] of the table; codes outside have none.
void contrast_codes(const std::vector<Column>& columns, const std::int64_t* low, const std::int64_t* start,
                    const double* table, Shape shape, const Pair& who, Written out);

// The entry of the bin between cuts that x falls into.
void contrast_steps(const std::vector<Column>& columns, const double* const* cuts, const std::int64_t* start,
                    const double* table, Shape shape, const Pair& who, Written out);

// The same for rows that lie side by side, written side by side; parameters are classes x padded features, those of
// codes as above.
struct Rows {
  double* data;
  std::int64_t stride;  // from one row to the next
};

void contrast_linear_rows(const Dense& x, const double* weight, const double* base, const double* threshold,
                          std::int64_t padded, const Pair& who, Rows out);
void contrast_curve_rows(const Dense& x, const double* mean, const double* scale, const double* base,
                         std::int64_t padded, const Pair& who, Rows out);
void contrast_code_rows(const Dense& x, const std::int64_t* low, const std::int64_t* start, const double* table,
                        std::int64_t padded, const Pair& who, Rows out);

// scores[of] - scores[against] of every row, from scores (rows x classes).
void contrast_scores(const double* scores, std::int64_t classes, const Pair& who, double* out);

// The most probable class of every row and the next one, the first of equals; the same one twice if there is no other.
void two_best(const double* posterior, std::int64_t rows, std::int64_t classes, std::int32_t* of, std::int32_t* against);

}  // namespace deciban
