// From numbers to the intervals between cut points.
#pragma once

#include <vector>

#include "core/columns.hpp"

namespace deciban {

// The sorted cut points of a column, ready to be searched for many numbers at once.
class Cuts {
 public:
  Cuts(const double* cuts, std::int64_t many);

  // For n numbers, at most kNumbers, how many of the cuts each reaches; -1 for NaN.
  void find(const double* v, std::int64_t n, std::int32_t* bin) const;

 private:
  void lay_grid();

  std::int32_t many_;
  std::vector<double> cuts_;         // infinity behind the last one
  std::vector<std::int32_t> first_;  // per cell of an even grid, how many cuts lie before it
  double low_ = 0, scale_ = 0;       // where the grid begins, and its cells per unit
  std::int32_t crowd_ = 0;           // the most cuts that share a cell
};

// The cuts of every column, whose bins are at start[j] .. start[j + 1] of a table.
std::vector<Cuts> cuts_of(const double* const* cuts, const std::int64_t* start, std::size_t columns);

// The bin of every number of a column.
void bin_codes(const Column& column, const double* cuts, std::int64_t many, std::int32_t* code);

}  // namespace deciban
