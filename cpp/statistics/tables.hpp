// Weight per class and category.
#pragma once

#include <vector>

#include "core/view.hpp"

namespace deciban {

// Position of every feature's categories in a table: feature j has the codes low[j], low[j] + 1, ..., which are the
// entries start[j] to start[j + 1] - 1.
struct TableLayout {
  const std::int64_t* low;
  const std::int64_t* start;
};

// Adds a batch to count (classes x codes of all features). NaN is missing. Throws std::out_of_range for a code outside
// its feature's range. Returns the findings (missing).
int add_counts(const Dense& codes, const Labels& labels, const TableLayout& layout, double* count);

// Adds columns of codes from 0 on to count. Any code outside its range is missing.
void count_codes(const std::vector<const std::int32_t*>& columns, const Labels& labels, const std::int64_t* start,
                 double* count);

// Writes the least and greatest value of every column, ignoring NaN. Throws for a value that is not an integer. A
// column without values gets low > high.
void column_ranges(const Dense& x, std::int64_t* low, std::int64_t* high);

}  // namespace deciban
