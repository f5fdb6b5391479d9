// From numbers to the bins between cut points.
#pragma once

#include <vector>

#include "core/columns.hpp"

namespace deciban {

// The sorted cut points of a column, prepared for searching many numbers at once.
class Cuts {
 public:
  Cuts(const double* cuts, std::int64_t count);

  // Writes, for n <= kBlock numbers, how many cuts are less than or equal to each; -1 for NaN.
  void find(const double* v, std::int64_t n, std::int32_t* bin) const;

 private:
  void make_grid();

  std::int32_t count_;
  std::vector<double> cuts_;             // followed by infinities
  std::vector<std::int32_t> first_;      // by cell of an even grid: number of cuts in earlier cells
  double low_ = 0, cells_per_unit_ = 0;  // the grid begins at low_
  std::int32_t max_per_cell_ = 0;        // cuts in the fullest cell
};

// Returns the cuts of every column. Column j has one bin more than cuts: entries start[j] to start[j + 1] of a table.
std::vector<Cuts> make_cuts(const double* const* cuts, const std::int64_t* start, std::size_t columns);

// Writes the bin of every number of a column, -1 for missing.
void bin_codes(const Column& column, const double* cuts, std::int64_t count, std::int32_t* code);

}  // namespace deciban
