#include "scores/bins.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/simd.hpp"

namespace deciban {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Returns the grid cell of a number, 0 for NaN. It is monotone in the number however the arithmetic rounds: cuts of
// earlier cells are reached, cuts of later cells are not.
inline std::int32_t cell_of(double v, double low, double cells_per_unit, double last) {
  double at = (v - low) * cells_per_unit;
  at = at > 0 ? at : 0;
  return static_cast<std::int32_t>(at < last ? at : last);
}

DECIBAN_CLONES void start_in_cells(const double* __restrict v, std::int64_t n, double low, double cells_per_unit,
                                   double last, const std::int32_t* __restrict first, std::int32_t* __restrict at) {
  for (std::int64_t i = 0; i < n; ++i) at[i] = first[cell_of(v[i], low, cells_per_unit, last)];
}

// One level of a binary search for many numbers; no branch depends on a number.
DECIBAN_CLONES void search_step(const double* __restrict v, std::int64_t n, const double* __restrict cuts,
                                std::int32_t half, std::int32_t* __restrict at) {
  for (std::int64_t i = 0; i < n; ++i) at[i] += v[i] >= cuts[at[i] + half - 1] ? half : 0;
}

DECIBAN_CLONES void clip_bins(const double* __restrict v, std::int64_t n, std::int32_t last,
                              std::int32_t* __restrict at) {
  for (std::int64_t i = 0; i < n; ++i) at[i] = v[i] == v[i] ? std::min(at[i], last) : -1;
}

}  // namespace

Cuts::Cuts(const double* cuts, std::int64_t count) : count_(static_cast<std::int32_t>(count)) {
  const auto size = std::bit_ceil(static_cast<std::uint64_t>(count) + 1);
  cuts_.assign(2 * size, kInfinity);
  std::copy(cuts, cuts + count, cuts_.begin());
  make_grid();
}

// A few cells per cut: evenly spaced cuts then have a cell each.
void Cuts::make_grid() {
  const std::size_t cells = 2 * cuts_.size();
  const auto last = static_cast<double>(cells - 1);
  first_.assign(cells + 1, 0);
  if (count_ == 0) return;
  low_ = cuts_[0];
  cells_per_unit_ = last / (cuts_[count_ - 1] - low_);
  if (!(cells_per_unit_ < kInfinity)) cells_per_unit_ = 0;
  for (std::int32_t c = 0; c < count_; ++c) ++first_[cell_of(cuts_[c], low_, cells_per_unit_, last) + 1];
  max_per_cell_ = *std::max_element(first_.begin(), first_.end());
  for (std::size_t cell = 0; cell < cells; ++cell) first_[cell + 1] += first_[cell];
}

// Searches linearly within a grid cell, or by halving where that takes fewer steps.
void Cuts::find(const double* v, std::int64_t n, std::int32_t* bin) const {
  const auto half = static_cast<std::int32_t>(cuts_.size() / 4);
  if (max_per_cell_ < static_cast<std::int32_t>(std::bit_width(static_cast<std::uint32_t>(half)))) {
    start_in_cells(v, n, low_, cells_per_unit_, static_cast<double>(first_.size() - 2), first_.data(), bin);
    for (std::int32_t step = 0; step < max_per_cell_; ++step) search_step(v, n, cuts_.data(), 1, bin);
  } else {
    std::fill(bin, bin + n, 0);
    for (std::int32_t by = half; by > 0; by /= 2) search_step(v, n, cuts_.data(), by, bin);
  }
  clip_bins(v, n, count_, bin);
}

std::vector<Cuts> make_cuts(const double* const* cuts, const std::int64_t* start, std::size_t columns) {
  std::vector<Cuts> out;
  for (std::size_t j = 0; j < columns; ++j) out.emplace_back(cuts[j], start[j + 1] - start[j] - 1);
  return out;
}

void bin_codes(const Column& column, const double* cuts, std::int64_t count, std::int32_t* code) {
  const Cuts search(cuts, count);
  double buffer[kBlock];
  for (std::int64_t first = 0; first < column.x.rows; first += kBlock) {
    const std::int64_t n = std::min(kBlock, column.x.rows - first);
    search.find(read_numbers(column, first, n, buffer), n, code + first);
  }
}

}  // namespace deciban
