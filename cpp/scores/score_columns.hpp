// Scores of columns that lie apart: log-likelihood of every row under every class, added to out (rows x classes).
// Parameters are features (or codes) x classes, the classes padded to full vectors. What is missing adds nothing.
#pragma once

#include <vector>

#include "core/columns.hpp"
#include "scores/score.hpp"

namespace deciban {

// The entries of a table. Column j's codes count from 0 and sit at start[j] .. start[j + 1] of the table; the table has
// one row more, of zeros, for codes outside.
void score_codes(const std::vector<const std::int32_t*>& columns, std::int64_t rows, const std::int64_t* start,
                 const double* table, Shape shape, double* out);

// The same for the bins of numbers: column j has one cut less than entries.
void score_steps(const std::vector<Column>& columns, std::int64_t rows, const double* const* cuts,
                 const std::int64_t* start, const double* table, Shape shape, double* out);

// base - (scale * (x - mean))^2. A feature has three rows of parameters: mean, scale, base. Returns the findings
// (infinite).
int score_curves(const std::vector<Column>& columns, std::int64_t rows, const double* parameters, Shape shape,
                 double* out);

}  // namespace deciban
