// Scores of columns in separate memory: log-likelihood of every row under every class, added to out (rows x classes).
// Parameters are features (or codes) x classes, with the classes padded to full vectors. Missing values add nothing.
#pragma once

#include <vector>

#include "core/columns.hpp"
#include "scores/score.hpp"

namespace deciban {

// Adds the table's entry of every code. Codes of column j count from 0 and are entries start[j] to start[j + 1] of the
// table. The table has one more row, of zeros, for codes below 0 or beyond the last entry.
void score_codes(const std::vector<const std::int32_t*>& columns, std::int64_t rows, const std::int64_t* start,
                 const double* table, Shape shape, double* out);

// Adds the table's entry of every number's bin. Column j has k entries and k - 1 cuts between them.
void score_steps(const std::vector<Column>& columns, std::int64_t rows, const double* const* cuts,
                 const std::int64_t* start, const double* table, Shape shape, double* out);

// Adds the log density of a Gaussian, base - (scale * (x - mean))^2. A feature has three rows of parameters: mean,
// scale, base. Returns the findings (infinite).
int score_gaussian(const std::vector<Column>& columns, std::int64_t rows, const double* parameters, Shape shape,
                   double* out);

}  // namespace deciban
