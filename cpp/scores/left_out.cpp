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

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kRounding = 1e-12;  // a remainder below this share of the whole is rounding error

// x * log(count - w * x): minus infinity if no count is left, NaN if the cell is missing.
double log_term(double count, double w, double x) {
  const double left = count - w * x;
  return x * (left > kRounding * count ? std::log(left) : std::isnan(x) ? kNaN : -HUGE_VAL);
}

// Counts are mostly small integers, whose terms are tabulated.
constexpr int kTabulated = 16;               // values 0 to 15
constexpr std::int64_t kMaxCells = 1 << 14;  // cells of a table, at most

// Writes the table index of every cell. Returns false if a cell is not a small integer.
template <class T>
DECIBAN_CLONES bool find_places(const T* __restrict row, std::int64_t count, std::int32_t* __restrict place) {
  int other = 0;
  for (std::int64_t j = 0; j < count; ++j) {
    const auto x = static_cast<double>(row[j]);
    const double below = x < kTabulated ? x : 0.0;  // 0 for NaN
    const auto small = static_cast<std::int32_t>(below > 0 ? below : 0.0);
    other |= static_cast<double>(small) != x;
    place[j] = static_cast<std::int32_t>(j) * kTabulated + small;
  }
  return !other;
}

class TableIndices {
 public:
  explicit TableIndices(std::int64_t cols) : cols_(cols), place_(static_cast<std::size_t>(cols)) {}

  // Returns the table indices of a row, or null if a cell is not a small integer.
  template <class T>
  const std::int32_t* find(const T* row) {
    return cols_ <= kMaxCells && find_places(row, cols_, place_.data()) ? place_.data() : nullptr;
  }

 private:
  std::int64_t cols_;
  std::vector<std::int32_t> place_;
};

// Sums of log terms over the cells of a row. The terms of one common weight are tabulated; NaN: there is none.
class LogTerms {
 public:
  LogTerms(const double* count, std::int64_t classes, std::int64_t cols, double common_weight)
      : count_(count), cols_(cols), common_weight_(classes * cols > kMaxCells ? kNaN : common_weight) {
    if (std::isnan(common_weight_)) return;
    table_.resize(static_cast<std::size_t>(classes * cols * kTabulated));
    for (std::int64_t cell = 0; cell < classes * cols; ++cell)
      for (int x = 1; x < kTabulated; ++x)
        table_[static_cast<std::size_t>(cell * kTabulated + x)] = log_term(count[cell], common_weight, x);
  }

  // `place` has the table indices of the row, or is null.
  template <class T>
  double sum(std::int64_t c, double w, const T* row, const std::int32_t* place) const {
    double sum[4] = {};
    std::int64_t j = 0;
    if (place && w == common_weight_) {
      const double* table = table_.data() + c * cols_ * kTabulated;
      for (; j + 4 <= cols_; j += 4)
        for (int k = 0; k < 4; ++k) sum[k] += table[place[j + k]];
      for (; j < cols_; ++j) sum[0] += table[place[j]];
    }
    for (; j < cols_; ++j)
      if (row[j] != 0) sum[0] += log_term(count_[c * cols_ + j], w, static_cast<double>(row[j]));
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }

 private:
  const double* count_;
  std::int64_t cols_;
  double common_weight_;
  std::vector<double> table_;
};

// Returns the weight that all rows have, NaN if they differ.
double common_weight(const double* weight, std::int64_t rows) {
  for (std::int64_t i = 1; i < rows; ++i)
    if (weight[i] != weight[0]) return kNaN;
  return rows > 0 ? weight[0] : kNaN;
}

// Four sums, which need not wait for each other.
template <class T>
DECIBAN_CLONES double row_sum(const T* row, std::int64_t cols) {
  double sum[4] = {};
  std::int64_t j = 0;
  for (; j + 4 <= cols; j += 4)
    for (int k = 0; k < 4; ++k) sum[k] += static_cast<double>(row[j + k]);
  for (; j < cols; ++j) sum[0] += static_cast<double>(row[j]);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

constexpr std::int64_t kCells = 64;       // cells of a row that are worked on at once
constexpr double kLeastProduct = 1e-290;  // a product of shares below this has lost digits

// The product of shares, and whether every share is more than rounding error and the product is exact.
struct Product {
  double value;
  bool fine;
};

DECIBAN_CLONES Product multiply_shares(const double* share, std::int64_t count) {
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
  const bool fine = least[0] > kRounding && least[1] > kRounding && least[2] > kRounding && least[3] > kRounding;
  return {all, fine && all > kLeastProduct};
}

// Writes (x - mean)^2 * inverse, where inverse is 1 / deviation, or 0 for a constant column.
template <class T>
DECIBAN_CLONES void write_distances(const T* __restrict row, const double* __restrict mean,
                                    const double* __restrict inverse, std::int64_t count, double* __restrict distance) {
  for (std::int64_t j = 0; j < count; ++j) {
    const double d = static_cast<double>(row[j]) - mean[j];
    distance[j] = d * d * inverse[j];
  }
}

// Writes share = 1 - factor * distance, the share of the deviation that is left without the row, and dividend / share.
DECIBAN_CLONES void write_shares(const double* __restrict distance, double factor, const double* __restrict dividend,
                                 std::int64_t count, double* __restrict share, double* __restrict quotient) {
  for (std::int64_t j = 0; j < count; ++j) {
    share[j] = 1.0 - factor * distance[j];
    quotient[j] = dividend[j] / share[j];
  }
}

template <class F>
void for_each_row(const Dense& x, F f) {
  with_type(x.type, [&]<class T>(const T*) {
    for_each_chunk<T, T>(x, [&](const Rows<T>& rows, std::int64_t first, std::int64_t count) {
      for (std::int64_t i = 0; i < count; ++i) f(first + i, rows.row(i));
    });
  });
}

// Writes 1 / deviation of every feature, 0 for a constant one. Returns the sum of log deviation.
double invert_deviations(const double* deviation, const unsigned char* varies, std::int64_t cols, double* inverse) {
  double logs = 0;
  for (std::int64_t j = 0; j < cols; ++j) {
    inverse[j] = varies[j] ? 1.0 / deviation[j] : 0.0;
    logs += varies[j] ? std::log(deviation[j]) : 0.0;
  }
  return logs;
}

}  // namespace

// Without a row x of weight w, a class of weight n has mean - w (x - mean) / (n - w) as its mean and
// deviation - w n / (n - w) (x - mean)^2 as its deviation.
void own_gaussian(const Dense& x, const RowClasses& labels, const ClassMoments& p, double* out) {
  const auto features = static_cast<double>(std::count(p.varies, p.varies + x.cols, 1));
  std::vector<double> inverse(static_cast<std::size_t>(p.classes * x.cols));
  std::vector<double> logs(static_cast<std::size_t>(p.classes));
  for (std::int64_t c = 0; c < p.classes; ++c)
    logs[c] = invert_deviations(p.deviation + c * x.cols, p.varies, x.cols, inverse.data() + c * x.cols);
  // Most rows have the same weight: the constant of a class is kept until the weight changes.
  std::vector<double> weight(logs.size(), kNaN), constant(logs.size());
  for_each_row(x, [&](std::int64_t i, const auto* row) {
    const std::int32_t c = labels.cls[i];
    const std::int64_t at = c * x.cols;
    const double n = p.rows[c], w = labels.weight[i], rest = n - w;
    if (weight[c] != w) {
      weight[c] = w;
      constant[c] = features * std::log(2 * std::numbers::pi / rest) + logs[c];
    }
    double distance = 0, log_variance = constant[c], part[kCells], share[kCells], left[kCells];
    bool fine = rest > kRounding * n;
    for (std::int64_t first = 0; first < x.cols && fine; first += kCells) {
      const std::int64_t count = std::min(kCells, x.cols - first);
      write_distances(row + first, p.mean + at + first, inverse.data() + at + first, count, part);
      write_shares(part, w * n / rest, part, count, share, left);
      const Product product = multiply_shares(share, count);
      fine &= product.fine;
      distance += row_sum(left, count);
      log_variance += std::log(product.value);
    }
    out[i] = fine ? -0.5 * (log_variance + n * n / rest * distance) : kNaN;
  });
}

void shared_gaussian(const Dense& x, const RowClasses& labels, const SharedMoments& p, double* out) {
  const auto features = static_cast<double>(std::count(p.varies, p.varies + x.cols, 1));
  std::vector<double> inverse(static_cast<std::size_t>(x.cols)), distance(static_cast<std::size_t>(p.classes));
  const double logs = invert_deviations(p.deviation, p.varies, x.cols, inverse.data());
  for_each_row(x, [&](std::int64_t i, const auto* row) {
    const std::int64_t own_class = labels.cls[i];
    const double n = p.rows[own_class], w = labels.weight[i], rest = n - w, all = p.total - w;
    double log_variance = features * std::log(2 * std::numbers::pi / all) + logs;
    double part[kCells], share[kCells], left[kCells];
    bool fine = rest > kRounding * n;
    std::fill(distance.begin(), distance.end(), 0.0);
    for (std::int64_t first = 0; first < x.cols && fine; first += kCells) {
      const std::int64_t count = std::min(kCells, x.cols - first);
      write_distances(row + first, p.mean + own_class * x.cols + first, inverse.data() + first, count, part);
      write_shares(part, w * n / rest, inverse.data() + first, count, share, left);
      const Product product = multiply_shares(share, count);
      fine &= product.fine;
      log_variance += std::log(product.value);
      for (std::int64_t c = 0; c < p.classes; ++c) {
        write_distances(row + first, p.mean + c * x.cols + first, left, count, part);
        distance[c] += row_sum(part, count);
      }
    }
    for (std::int64_t c = 0; c < p.classes; ++c) {
      const double factor = c == own_class ? n / rest : 1.0;  // the mean without the row is farther from it
      out[i * p.classes + c] += fine ? -0.5 * (log_variance + all * factor * factor * distance[c]) : kNaN;
    }
  });
}

void others_counts(const Dense& x, const RowClasses& labels, const double* count, const double* total,
                   std::int64_t classes, double* out) {
  const LogTerms with_row(count, classes, x.cols, 0.0);
  const LogTerms without_row(count, classes, x.cols, common_weight(labels.weight, x.rows));
  TableIndices indices(x.cols);
  for_each_row(x, [&](std::int64_t i, const auto* row) {
    const std::int32_t* place = indices.find(row);
    const double n = row_sum(row, x.cols);
    for (std::int64_t c = 0; c < classes; ++c) {
      const bool is_own_class = labels.cls[i] == c;
      const double w = is_own_class ? 0.0 : labels.weight[i], rest = total[c] - w * n;
      const double sum = (is_own_class ? with_row : without_row).sum(c, w, row, place);
      const bool fine = rest > kRounding * total[c] && std::isfinite(sum);  // NaN if a cell is missing
      out[i * classes + c] -= fine ? sum - n * std::log(rest) : kNaN;
    }
  });
}

void own_counts(const Dense& x, const RowClasses& labels, const double* count, std::int64_t classes, double* logs,
                double* total) {
  const LogTerms terms(count, classes, x.cols, common_weight(labels.weight, x.rows));
  TableIndices indices(x.cols);
  for_each_row(x, [&](std::int64_t i, const auto* row) {
    logs[i] = terms.sum(labels.cls[i], labels.weight[i], row, indices.find(row));
    total[i] = row_sum(row, x.cols);
  });
}

}  // namespace deciban
