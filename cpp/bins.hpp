// From numbers to the intervals between cut points.
#pragma once

#include "view.hpp"

namespace deciban {

// The number of a bin for every cell: how many of the column's cuts it reaches; -1 for NaN and what is not valid. `cuts` of feature j are
// sorted and sit at start[j] .. start[j + 1]. Codes are written column after column.
void bin_codes(const Dense& x, Valid valid, const double* cuts, const std::int64_t* start, std::int32_t* code);

}  // namespace deciban
