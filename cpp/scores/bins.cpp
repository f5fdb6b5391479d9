#include "scores/bins.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/simd.hpp"

namespace deciban {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The cell of a number. It never decreases from a number to a greater one, so a cut of an earlier cell is reached and
// one of a later cell is not, however the arithmetic rounds. NaN is in the first cell.
inline std::int32_t cell_of(double v, double low, double scale, double last) {
  double at = (v - low) * scale;
  at = at > 0 ? at : 0;
  return static_cast<std::int32_t>(at < last ? at : last);
}

DECIBAN_CLONES void start_in_cells(const double* __restrict v, std::int64_t n, double low, double scale, double last,
                                   const std::int32_t* __restrict first, std::int32_t* __restrict at) {
  for (std::int64_t i = 0; i < n; ++i) at[i] = first[cell_of(v[i], low, scale, last)];
}

// One level of a search for many numbers side by side; no branch depends on a number.
DECIBAN_CLONES void step(const double* __restrict v, std::int64_t n, const double* __restrict cuts, std::int32_t half,
                         std::int32_t* __restrict at) {
  for (std::int64_t i = 0; i < n; ++i) at[i] += v[i] >= cuts[at[i] + half - 1] ? half : 0;
}

DECIBAN_CLONES void finish(const double* __restrict v, std::int64_t n, std::int32_t most, std::int32_t* __restrict at) {
  for (std::int64_t i = 0; i < n; ++i) at[i] = v[i] == v[i] ? std::min(at[i], most) : -1;
}

}  // namespace

Cuts::Cuts(const double* cuts, std::int64_t many) : many_(static_cast<std::int32_t>(many)) {
  const auto size = std::bit_ceil(static_cast<std::uint64_t>(many) + 1);
  cuts_.assign(2 * size, kInfinity);
  std::copy(cuts, cuts + many, cuts_.begin());
  lay_grid();
}

// Of a few cells per cut: cuts that lie about evenly are then alone in theirs.
void Cuts::lay_grid() {
  const std::size_t cells = 2 * cuts_.size();
  first_.assign(cells + 1, 0);
  if (many_ == 0) return;
  low_ = cuts_[0];
  scale_ = static_cast<double>(cells - 1) / (cuts_[many_ - 1] - low_);
  if (!(scale_ < kInfinity)) scale_ = 0;
  for (std::int32_t c = 0; c < many_; ++c)
    ++first_[cell_of(cuts_[c], low_, scale_, static_cast<double>(cells - 1)) + 1];
  crowd_ = *std::max_element(first_.begin(), first_.end());
  for (std::size_t cell = 0; cell < cells; ++cell) first_[cell + 1] += first_[cell];
}

void Cuts::find(const double* v, std::int64_t n, std::int32_t* bin) const {
  const auto half = static_cast<std::int32_t>(cuts_.size() / 4);
  if (crowd_ < std::bit_width(static_cast<std::uint32_t>(half))) {
    start_in_cells(v, n, low_, scale_, static_cast<double>(first_.size() - 2), first_.data(), bin);
    for (std::int32_t more = 0; more < crowd_; ++more) step(v, n, cuts_.data(), 1, bin);
  } else {
    std::fill(bin, bin + n, 0);
    for (std::int32_t by = half; by > 0; by /= 2) step(v, n, cuts_.data(), by, bin);
  }
  finish(v, n, many_, bin);
}

std::vector<Cuts> cuts_of(const double* const* cuts, const std::int64_t* start, std::size_t columns) {
  std::vector<Cuts> out;
  for (std::size_t j = 0; j < columns; ++j) out.emplace_back(cuts[j], start[j + 1] - start[j] - 1);
  return out;
}

void bin_codes(const Column& column, const double* cuts, std::int64_t many, std::int32_t* code) {
  const Cuts search(cuts, many);
  double buffer[kNumbers];
  for (std::int64_t first = 0; first < column.x.rows; first += kNumbers) {
    const std::int64_t n = std::min(kNumbers, column.x.rows - first);
    search.find(read_numbers(column, first, n, buffer), n, code + first);
  }
}

}  // namespace deciban
