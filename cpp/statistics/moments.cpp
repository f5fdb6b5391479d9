#include "statistics/moments.hpp"

#include <algorithm>
#include <cmath>

#include "core/findings.hpp"
#include "core/group.hpp"
#include "core/pack.hpp"
#include "core/simd.hpp"

namespace deciban {
namespace {

// Deviations within these bounds are exact. Beyond them, or close to them, squares of numbers overflow or underflow.
constexpr double kLeast = 0x1p-900, kGreatest = 0x1p900;
// A number that is smaller may differ from 0 by less than can be squared.
constexpr double kSmall = 0x1p-400;

// Adds w * (x - shift) and w * (x - shift)^2. The shift is a row of the data, so that no digits are lost far from zero.
template <class T>
DECIBAN_CLONES void add_shifted(const T* const* rows, const double* weights, std::int64_t n, std::int64_t cols,
                                NextChunk<T> next, const double* __restrict shift, double* __restrict sum,
                                double* __restrict square) {
  for (std::int64_t i = 0; i < n; i += 2) {
    const auto [x, y, w, v] = RowPair<T>(rows, weights, i, n, next);
    std::int64_t j = 0;
    for (; j + kPack <= cols; j += kPack) {
      Pack a, b, origin, s, q;
      read_pack(x + j, a);
      read_pack(y + j, b);
      read_pack(shift + j, origin);
      read_pack(sum + j, s);
      read_pack(square + j, q);
      a -= origin;
      b -= origin;
      const Pack wa = w * a, vb = v * b;
      s += wa;
      q += wa * a;
      s += vb;
      q += vb * b;
      write_pack(sum + j, s);
      write_pack(square + j, q);
    }
    for (; j < cols; ++j) {
      const double a = static_cast<double>(x[j]) - shift[j], b = static_cast<double>(y[j]) - shift[j];
      sum[j] += w * a;
      square[j] += w * a * a;
      sum[j] += v * b;
      square[j] += v * b * b;
    }
  }
}

// Like add_shifted, but skips NaN cells and adds up the weight of every column.
template <class T>
DECIBAN_CLONES void add_known(const T* const* rows, const double* weights, std::int64_t n, std::int64_t cols,
                              const double* __restrict shift, double* __restrict sum, double* __restrict square,
                              double* __restrict weight) {
  for (std::int64_t i = 0; i < n; ++i) {
    const T* __restrict x = rows[i];
    const double w = weights[i];
    for (std::int64_t j = 0; j < cols; ++j) {
      const double t = static_cast<double>(x[j]) - shift[j];
      const bool known = t == t;
      const double wt = known ? w * t : 0.0;
      sum[j] += wt;
      square[j] += known ? wt * t : 0.0;
      weight[j] += known ? w : 0.0;
    }
  }
}

// Whether a number other than 0 is so small that the square of a difference may be 0.
template <class T>
DECIBAN_CLONES bool has_small_numbers(const T* const* rows, std::int64_t n, std::int64_t cols) {
  Pack least = Pack{} + 1.0;
  for (std::int64_t i = 0; i < n; ++i) {
    const T* x = rows[i];
    std::int64_t j = 0;
    for (; j + kPack <= cols; j += kPack) {
      Pack v;
      read_pack(x + j, v);
      v = v < 0 ? -v : v;
      v = v > 0 ? v : Pack{} + 1.0;
      least = v < least ? v : least;
    }
    for (; j < cols; ++j) {
      const double v = std::abs(static_cast<double>(x[j]));
      least[0] = v > 0 && v < least[0] ? v : least[0];
    }
  }
  for (int k = 1; k < kPack; ++k) least[0] = std::min<double>(least[0], least[k]);
  return least[0] < kSmall;
}

template <class T>
class Accumulator {
 public:
  Accumulator(std::int64_t cols, bool may_vanish, double* weight, double* mean, double* deviation)
      : cols_(cols),
        may_vanish_(may_vanish),
        weight_(weight),
        mean_(mean),
        deviation_(deviation),
        shift_(cols),
        sum_(cols),
        square_(cols),
        column_weight_(cols) {}

  void add(std::int64_t c, const T* const* rows, const double* weights, std::int64_t n, NextChunk<T> next) {
    double total = 0;
    for (std::int64_t i = 0; i < n; ++i) total += weights[i];
    for (std::int64_t j = 0; j < cols_; ++j) shift_[j] = static_cast<double>(rows[0][j]);
    clear();
    add_shifted(rows, weights, n, cols_, next, shift_.data(), sum_.data(), square_.data());
    if (all_finite(sum_.data(), cols_)) {
      std::fill(column_weight_.begin(), column_weight_.end(), total);
    } else {
      find_shift(rows, n);
      repeat_with_mask(rows, weights, n);
    }
    if (is_shift_far()) {
      // The first row was an outlier: use the mean just found as shift.
      for (std::int64_t j = 0; j < cols_; ++j)
        if (column_weight_[j] > 0) shift_[j] += sum_[j] / column_weight_[j];
      repeat_with_mask(rows, weights, n);
    }
    const bool constant = merge(c);
    if (constant && may_vanish_ && has_small_numbers(rows, n, cols_))
      for (std::int64_t j = 0; j < cols_; ++j)
        if (square_[j] == 0 && varies_unseen(j, rows, n)) findings_ |= kOutOfRange;
  }

  int findings() const { return findings_; }

 private:
  void clear() {
    std::fill(sum_.begin(), sum_.end(), 0.0);
    std::fill(square_.begin(), square_.end(), 0.0);
    std::fill(column_weight_.begin(), column_weight_.end(), 0.0);
  }

  void repeat_with_mask(const T* const* rows, const double* weights, std::int64_t n) {
    clear();
    add_known(rows, weights, n, cols_, shift_.data(), sum_.data(), square_.data(), column_weight_.data());
  }

  // Takes the first finite value of every column as its shift.
  void find_shift(const T* const* rows, std::int64_t n) {
    std::fill(shift_.begin(), shift_.end(), NAN);
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < cols_; ++j) {
        const double v = static_cast<double>(rows[i][j]);
        const int found = finding_of(v);
        findings_ |= found;
        if (!found && std::isnan(shift_[j])) shift_[j] = v;
      }
    for (double& s : shift_)
      if (std::isnan(s)) s = 0;
  }

  // Whether the shift lies many standard deviations from the mean, so that square - sum^2 / n would lose digits.
  bool is_shift_far() const {
    bool far = false;
    for (std::int64_t j = 0; j < cols_; ++j)
      far |= sum_[j] * sum_[j] > 0.99 * square_[j] * column_weight_[j] && square_[j] > 0;
    return far;
  }

  // Whether a column of the group varies although its sums do not show it, because squares of small numbers are 0.
  bool varies_unseen(std::int64_t j, const T* const* rows, std::int64_t n) const {
    return std::any_of(rows, rows + n, [&](const T* x) { return x[j] == x[j] && x[j] != static_cast<T>(shift_[j]); });
  }

  // Chan, Golub & LeVeque (1983): pooled deviations, no cancellation far from zero.
  // Returns whether a column has no deviation so far.
  bool merge(std::int64_t c) {
    double* weight = weight_ + c * cols_;
    double* mean = mean_ + c * cols_;
    double* deviation = deviation_ + c * cols_;
    bool constant = false;
    for (std::int64_t j = 0; j < cols_; ++j) {
      if (column_weight_[j] == 0) continue;
      const double offset = sum_[j] / column_weight_[j];
      const double group_mean = shift_[j] + offset;
      const double group_deviation = std::max(square_[j] - sum_[j] * offset, 0.0);
      const double before = weight[j], after = before + column_weight_[j];
      const double delta = group_mean - mean[j];
      const double share = column_weight_[j] / after;
      mean[j] = before == 0 ? group_mean : mean[j] + delta * share;
      deviation[j] += group_deviation + (before == 0 ? 0.0 : delta * delta * before * share);
      weight[j] = after;
      constant |= deviation[j] == 0;
      if (deviation[j] >= kLeast && deviation[j] <= kGreatest) continue;
      if (deviation[j] != 0 || (before != 0 && delta != 0) || sum_[j] != 0) findings_ |= kOutOfRange;
    }
    return constant;
  }

  std::int64_t cols_;
  bool may_vanish_;  // whether numbers may be so small that their squares are 0: neither integers nor floats are
  double *weight_, *mean_, *deviation_;
  std::vector<double> shift_, sum_, square_, column_weight_;  // of the group that is being added
  int findings_ = 0;
};

}  // namespace

int add_moments(const Dense& x, const Labels& labels, double* weight, double* mean, double* deviation) {
  return with_type(x.type, [&]<class T>(const T*) {
    using Cell = Wide<T>;
    Accumulator<Cell> accumulator(x.cols, std::is_same_v<T, double>, weight, mean, deviation);
    for_each_group<T, Cell>(x, labels, [&](auto... group) { accumulator.add(group...); });
    return accumulator.findings();
  });
}

}  // namespace deciban
