#include "scores/left_out.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "core/rows.hpp"
#include "core/simd.hpp"

namespace deciban {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kDust = 1e-12;  // of what was there, rounding alone may leave so much

// x * log(count - w * x) of any cell: minus infinity where nothing is left of a count, NaN where a cell is missing.
double term_of(double count, double w, double x) {
  const double left = count - w * x;
  return x * (left > kDust * count ? std::log(left) : std::isnan(x) ? kNone : -HUGE_VAL);
}

// Counts are mostly small whole numbers, whose terms are looked up.
constexpr int kSmall = 16;
constexpr std::int64_t kMost = 1 << 14;  // cells

// Where the terms of some cells are in their table; false where a cell holds no small whole number.
template <class T>
DECIBAN_CLONES bool find_places(const T* __restrict row, std::int64_t count, std::int32_t* __restrict place) {
  int other = 0;
  for (std::int64_t j = 0; j < count; ++j) {
    const auto x = static_cast<double>(row[j]);
    const double below = x < kSmall ? x : 0.0;  // NaN, too
    const auto small = static_cast<std::int32_t>(below > 0 ? below : 0.0);
    other |= static_cast<double>(small) != x;
    place[j] = static_cast<std::int32_t>(j) * kSmall + small;
  }
  return !other;
}

class SmallPlaces {
 public:
  explicit SmallPlaces(std::int64_t cols) : cols_(cols), place_(static_cast<std::size_t>(cols)) {}

  // Null where a cell holds no small whole number.
  template <class T>
  const std::int32_t* find(const T* row) {
    return cols_ <= kMost && find_places(row, cols_, place_.data()) ? place_.data() : nullptr;
  }

 private:
  std::int64_t cols_;
  std::vector<std::int32_t> place_;
};

// Sums of terms over the cells of a row; those of one weight, if there is a usual one, are looked up.
class Terms {
 public:
  Terms(const double* count, std::int64_t classes, std::int64_t cols, double w)
      : count_(count), cols_(cols), w_(classes * cols > kMost ? kNone : w) {
    if (std::isnan(w_)) return;
    table_.resize(static_cast<std::size_t>(classes * cols * kSmall));
    for (std::int64_t cell = 0; cell < classes * cols; ++cell)
      for (int x = 1; x < kSmall; ++x) table_[static_cast<std::size_t>(cell * kSmall + x)] = term_of(count[cell], w, x);
  }

  // `place` says where to look; null: there is no such place.
  template <class T>
  double sum(std::int64_t c, double w, const T* row, const std::int32_t* place) const {
    double sum[4] = {};
    std::int64_t j = 0;
    if (place && w == w_) {
      const double* table = table_.data() + c * cols_ * kSmall;
      for (; j + 4 <= cols_; j += 4)
        for (int k = 0; k < 4; ++k) sum[k] += table[place[j + k]];
      for (; j < cols_; ++j) sum[0] += table[place[j]];
    }
    for (; j < cols_; ++j)
      if (row[j] != 0) sum[0] += term_of(count_[c * cols_ + j], w, static_cast<double>(row[j]));
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }

 private:
  const double* count_;
  std::int64_t cols_;
  double w_;
  std::vector<double> table_;
};

// The weight that all rows have; NaN if there is none.
double usual(const double* weight, std::int64_t rows) {
  for (std::int64_t i = 1; i < rows; ++i)
    if (weight[i] != weight[0]) return kNone;
  return rows > 0 ? weight[0] : kNone;
}

// Four sums at a time, which need not wait for each other.
template <class T>
DECIBAN_CLONES double total_of(const T* row, std::int64_t cols) {
  double sum[4] = {};
  std::int64_t j = 0;
  for (; j + 4 <= cols; j += 4)
    for (int k = 0; k < 4; ++k) sum[k] += static_cast<double>(row[j + k]);
  for (; j < cols; ++j) sum[0] += static_cast<double>(row[j]);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

constexpr std::int64_t kCells = 64;
constexpr double kLeast = 1e-290;  // a product of shares below this has lost digits, and wants more care

// The product of the shares of their deviations that a row leaves, and whether there is something left of each.
struct Product {
  double value;
  bool fine;
};

DECIBAN_CLONES Product product_of(const double* share, std::int64_t count) {
  double product[4] = {1, 1, 1, 1}, least[4] = {1, 1, 1, 1};
  std::int64_t j = 0;
  for (; j + 4 <= count; j += 4)
    for (int k = 0; k < 4; ++k) {
      product[k] *= share[j + k];
      least[k] = share[j + k] > least[k] ? least[k] : share[j + k];
    }
  for (; j < count; ++j) {
    product[0] *= share[j];
    least[0] = share[j] > least[0] ? least[0] : share[j];
  }
  const double all = (product[0] * product[1]) * (product[2] * product[3]);
  return {all, least[0] > kDust && least[1] > kDust && least[2] > kDust && least[3] > kDust && all > kLeast};
}

// How far a row is from a mean, in every column: d^2 by the inverse of the deviation, which is 0 where nothing varies.
template <class T>
DECIBAN_CLONES void far_of(const T* __restrict row, const double* __restrict mean, const double* __restrict inverse,
                           std::int64_t count, double* __restrict far) {
  for (std::int64_t j = 0; j < count; ++j) {
    const double d = static_cast<double>(row[j]) - mean[j];
    far[j] = d * d * inverse[j];
  }
}

// The shares a row leaves that loses so much of how far it is, and what is divided by them.
DECIBAN_CLONES void shares_of(const double* __restrict far, double lost, const double* __restrict divided,
                              std::int64_t count, double* __restrict share, double* __restrict quotient) {
  for (std::int64_t j = 0; j < count; ++j) {
    share[j] = 1.0 - lost * far[j];
    quotient[j] = divided[j] / share[j];
  }
}

template <class F>
void each_row(const Dense& x, F f) {
  with_type(x.kind, [&]<class T>(const T*) {
    for_each_chunk<T, T>(x, [&](const Rows<T>& rows, std::int64_t first, std::int64_t count) {
      for (std::int64_t i = 0; i < count; ++i) f(first + i, rows.row(i));
    });
  });
}

}  // namespace

void own_curves(const Dense& x, const Members& who, const Spread& p, double* out) {
  const auto used = static_cast<double>(std::count(p.varies, p.varies + x.cols, 1));
  std::vector<double> inverse(static_cast<std::size_t>(p.classes * x.cols));
  std::vector<double> logs(static_cast<std::size_t>(p.classes));
  for (std::int64_t c = 0; c < p.classes; ++c)
    for (std::int64_t j = 0; j < x.cols; ++j) {
      const std::int64_t at = c * x.cols + j;
      inverse[at] = p.varies[j] ? 1.0 / p.deviation[at] : 0.0;
      logs[c] += p.varies[j] ? std::log(p.deviation[at]) : 0.0;
    }
  // Most rows weigh the same, and one logarithm per class serves them all.
  std::vector<double> weight(logs.size(), kNone), constant(logs.size());
  each_row(x, [&](std::int64_t i, const auto* row) {
    const std::int32_t c = who.cls[i];
    const std::int64_t at = c * x.cols;
    const double n = p.rows[c], w = who.weight[i], rest = n - w;
    const double lost = w * n / rest;
    if (weight[c] != w) {
      weight[c] = w;
      constant[c] = used * std::log(2 * std::numbers::pi / rest) + logs[c];
    }
    double far = 0, spread = constant[c], part[kCells], share[kCells], left[kCells];
    bool fine = rest > kDust * n;
    for (std::int64_t first = 0; first < x.cols && fine; first += kCells) {
      const std::int64_t count = std::min(kCells, x.cols - first);
      far_of(row + first, p.mean + at + first, inverse.data() + at + first, count, part);
      shares_of(part, lost, part, count, share, left);
      const Product product = product_of(share, count);
      fine &= product.fine;
      far += total_of(left, count);
      spread += std::log(product.value);
    }
    out[i] = fine ? -0.5 * (spread + n * n / rest * far) : kNone;
  });
}

void shared_curves(const Dense& x, const Members& who, const SharedSpread& p, double* out) {
  const auto used = static_cast<double>(std::count(p.varies, p.varies + x.cols, 1));
  std::vector<double> inverse(static_cast<std::size_t>(x.cols)), far(static_cast<std::size_t>(p.classes));
  double logs = 0;
  for (std::int64_t j = 0; j < x.cols; ++j) {
    inverse[j] = p.varies[j] ? 1.0 / p.deviation[j] : 0.0;
    logs += p.varies[j] ? std::log(p.deviation[j]) : 0.0;
  }
  each_row(x, [&](std::int64_t i, const auto* row) {
    const std::int64_t own = who.cls[i];
    const double n = p.rows[own], w = who.weight[i], rest = n - w, all = p.all - w;
    double spread = used * std::log(2 * std::numbers::pi / all) + logs, part[kCells], share[kCells], left[kCells];
    bool fine = rest > kDust * n;
    std::fill(far.begin(), far.end(), 0.0);
    for (std::int64_t first = 0; first < x.cols && fine; first += kCells) {
      const std::int64_t count = std::min(kCells, x.cols - first);
      far_of(row + first, p.mean + own * x.cols + first, inverse.data() + first, count, part);
      shares_of(part, w * n / rest, inverse.data() + first, count, share, left);
      const Product product = product_of(share, count);
      fine &= product.fine;
      spread += std::log(product.value);
      for (std::int64_t c = 0; c < p.classes; ++c) {
        far_of(row + first, p.mean + c * x.cols + first, left, count, part);
        far[c] += total_of(part, count);
      }
    }
    for (std::int64_t c = 0; c < p.classes; ++c) {
      const double moved = c == own ? n / rest : 1.0;  // a mean without the row is farther from it
      out[i * p.classes + c] += fine ? -0.5 * (spread + all * moved * moved * far[c]) : kNone;
    }
  });
}

void others_counts(const Dense& x, const Members& who, const double* count, const double* total, std::int64_t classes,
                   double* out) {
  const Terms with(count, classes, x.cols, 0.0), without(count, classes, x.cols, usual(who.weight, x.rows));
  SmallPlaces places(x.cols);
  each_row(x, [&](std::int64_t i, const auto* row) {
    const std::int32_t* small = places.find(row);
    const double n = total_of(row, x.cols);
    for (std::int64_t c = 0; c < classes; ++c) {
      const bool own = who.cls[i] == c;
      const double w = own ? 0.0 : who.weight[i], rest = total[c] - w * n;
      const double sum = (own ? with : without).sum(c, w, row, small);
      const bool fine = rest > kDust * total[c] && std::isfinite(sum);  // not with a missing cell
      out[i * classes + c] -= fine ? sum - n * std::log(rest) : kNone;
    }
  });
}

void own_counts(const Dense& x, const Members& who, const double* count, std::int64_t classes, double* logs,
                double* total) {
  const Terms terms(count, classes, x.cols, usual(who.weight, x.rows));
  SmallPlaces places(x.cols);
  each_row(x, [&](std::int64_t i, const auto* row) {
    const std::int32_t* small = places.find(row);
    logs[i] = terms.sum(who.cls[i], who.weight[i], row, small);
    total[i] = total_of(row, x.cols);
  });
}

}  // namespace deciban
