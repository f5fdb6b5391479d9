// Weight per class and category.
#pragma once

#include "core/view.hpp"

namespace deciban {

// Feature j has the codes low[j] .. low[j] + (start[j+1] - start[j]) - 1; they sit at start[j] onwards in a table.
// NaN is a missing cell.
struct Coding {
  const std::int64_t* low;
  const std::int64_t* start;
};

// Adds a batch to count (classes x codes of all features). A code outside its declared range is an error
// (std::out_of_range).
// Returns the findings (missing).
int add_counts(const Dense& codes, const Labels& labels, const Coding& coding, double* count);

// The same for codes in columns of their own, counting from 0; any other code is missing.
void count_codes(const std::vector<const std::int32_t*>& columns, const Labels& labels, const std::int64_t* start,
                 double* count);

// Least and greatest value of every column; NaN is passed over, a value that is not an integer is an error.
// A column with no value keeps low > high.
void column_ranges(const Dense& x, std::int64_t* low, std::int64_t* high);

}  // namespace deciban
