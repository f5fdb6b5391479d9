#include "left_out.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "rows.hpp"
#include "simd.hpp"

namespace deciban {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();  // more cells than are looked up
constexpr double kDust = 1e-12;  // of what was there, rounding alone may leave so much

// The sum of logarithms as the logarithm of products, which stay far from the ends of the range.
class LogSum {
 public:
  void add(double x) {
    product_ *= x;
    if (product_ > 1e100 || product_ < 1e-100) flush();
  }
  double total() {
    flush();
    return sum_;
  }

 private:
  void flush() {
    sum_ += std::log(product_);
    product_ = 1.0;
  }
  double product_ = 1.0, sum_ = 0.0;
};

// x * log(count - w * x) of any cell: minus infinity where nothing is left of a count, NaN where a cell is missing.
double term_of(double count, double w, double x) {
  const double left = count - w * x;
  return x * (left > kDust * count ? std::log(left) : std::isnan(x) ? kNone : -HUGE_VAL);
}

// The same for one weight, looked up for the small whole numbers that counts mostly are.
class Terms {
 public:
  Terms(const double* count, std::int64_t cells, double w) : count_(count), w_(w) {
    if (cells > kMost) return;
    table_.resize(static_cast<std::size_t>(cells * kSmall));
    for (std::int64_t cell = 0; cell < cells; ++cell)
      for (int x = 1; x < kSmall; ++x) table_[static_cast<std::size_t>(cell * kSmall + x)] = term_of(count[cell], w, x);
  }

  double operator()(std::int64_t cell, double x) const {
    if (!table_.empty() && x >= 0 && x < kSmall) {
      const int small = static_cast<int>(x);
      if (small == x) return table_[static_cast<std::size_t>(cell * kSmall + small)];
    }
    return x == 0 ? 0.0 : term_of(count_[cell], w_, x);
  }

 private:
  static constexpr int kSmall = 16;
  static constexpr std::int64_t kMost = 1 << 14;
  const double* count_;
  double w_;
  std::vector<double> table_;
};

bool all_alike(const double* weight, std::int64_t rows) {
  for (std::int64_t i = 1; i < rows; ++i)
    if (weight[i] != weight[0]) return false;
  return rows > 0;
}

constexpr std::int64_t kCells = 64;
constexpr double kLeast = 1e-290;  // a product of shares below this has lost digits, and wants more care

// Over some columns: the sum of d^2 / left, left being what a row leaves of the deviation of its class, and the product of
// the shares it leaves. Columns that do not vary have an inverse of 0 and leave everything.
struct Rest {
  double far, product;
  bool fine;
};

template <class T>
DECIBAN_CLONES Rest rest_of(const T* __restrict row, const double* __restrict mean, const double* __restrict inverse,
                            double lost, std::int64_t count) {
  double part[kCells], share[kCells];
  for (std::int64_t j = 0; j < count; ++j) {
    const double d = static_cast<double>(row[j]) - mean[j], t = d * d * inverse[j];
    share[j] = 1.0 - lost * t;
    part[j] = t / share[j];
  }
  double far[4] = {}, product[4] = {1, 1, 1, 1}, least[4] = {1, 1, 1, 1};
  std::int64_t j = 0;
  for (; j + 4 <= count; j += 4)
    for (int k = 0; k < 4; ++k) {
      far[k] += part[j + k];
      product[k] *= share[j + k];
      least[k] = share[j + k] > least[k] ? least[k] : share[j + k];
    }
  for (; j < count; ++j) {
    far[0] += part[j];
    product[0] *= share[j];
    least[0] = share[j] > least[0] ? least[0] : share[j];
  }
  const double all = (product[0] * product[1]) * (product[2] * product[3]);
  const bool fine = least[0] > kDust && least[1] > kDust && least[2] > kDust && least[3] > kDust && all > kLeast;
  return {(far[0] + far[1]) + (far[2] + far[3]), all, fine};
}

template <class F>
void each_row(const Dense& x, F f) {
  with_type(x.kind, [&]<class T>(const T*) {
    const std::int64_t chunk = chunk_rows(x.cols);
    Rows<T> rows(x, chunk);
    for (std::int64_t first = 0; first < x.rows; first += chunk) {
      const std::int64_t count = std::min(chunk, x.rows - first);
      rows.load(first, count);
      for (std::int64_t i = 0; i < count; ++i) f(first + i, rows.row(i));
    }
    return 0;
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
    double far = 0, spread = constant[c];
    bool fine = rest > kDust * n;
    for (std::int64_t first = 0; first < x.cols && fine; first += kCells) {
      const std::int64_t count = std::min(kCells, x.cols - first);
      const Rest part = rest_of(row + first, p.mean + at + first, inverse.data() + at + first, lost, count);
      fine &= part.fine;
      far += part.far;
      spread += std::log(part.product);
    }
    out[i] = fine ? -0.5 * (spread + n * n / rest * far) : kNone;
  });
}

void shared_curves(const Dense& x, const Members& who, const SharedSpread& p, double* out) {
  std::vector<double> scale(static_cast<std::size_t>(x.cols));
  each_row(x, [&](std::int64_t i, const auto* row) {
    const std::int64_t own = who.cls[i];
    const double n = p.rows[own], w = who.weight[i], rest = n - w, all = p.all - w;
    const double lost = w * n / rest;
    LogSum spread;
    double used = 0;
    bool fine = rest > kDust * n;
    for (std::int64_t j = 0; j < x.cols; ++j) {
      scale[j] = 0.0;
      if (!p.varies[j]) continue;
      const double d = static_cast<double>(row[j]) - p.mean[own * x.cols + j], left = p.deviation[j] - lost * d * d;
      fine &= left > kDust * p.deviation[j];  // a missing cell, too
      scale[j] = 0.5 * all / left;
      spread.add(fine ? left : 1.0);
      ++used;
    }
    const double constant = -0.5 * (used * std::log(2 * std::numbers::pi / all) + spread.total());
    for (std::int64_t c = 0; c < p.classes; ++c) {
      const double* mean = p.mean + c * x.cols;
      double far = 0;
      for (std::int64_t j = 0; j < x.cols; ++j) {
        if (!p.varies[j]) continue;
        const double d = static_cast<double>(row[j]) - mean[j];
        far += d * d * scale[j];
      }
      if (c == own) far *= n * n / (rest * rest);
      out[i * p.classes + c] += fine ? constant - far : kNone;
    }
  });
}

void others_counts(const Dense& x, const Members& who, const double* count, const double* total, std::int64_t classes,
                   double* out) {
  const bool alike = all_alike(who.weight, x.rows);
  const Terms with(count, alike ? classes * x.cols : kNever, 0.0);
  const Terms without(count, alike ? classes * x.cols : kNever, alike ? who.weight[0] : 0.0);
  each_row(x, [&](std::int64_t i, const auto* row) {
    double n = 0;
    for (std::int64_t j = 0; j < x.cols; ++j) n += static_cast<double>(row[j]);
    for (std::int64_t c = 0; c < classes; ++c) {
      const bool own = who.cls[i] == c;
      const double w = own ? 0.0 : who.weight[i], rest = total[c] - w * n;
      const Terms& terms = own ? with : without;
      double sum = 0;
      for (std::int64_t j = 0; j < x.cols; ++j) {
        const double v = static_cast<double>(row[j]);
        sum += alike ? terms(c * x.cols + j, v) : v == 0 ? 0.0 : term_of(count[c * x.cols + j], w, v);
      }
      const bool fine = rest > kDust * total[c] && std::isfinite(sum);  // not with a missing cell
      out[i * classes + c] -= fine ? sum - n * std::log(rest) : kNone;
    }
  });
}

void own_counts(const Dense& x, const Members& who, const double* count, std::int64_t classes, double* logs,
                double* total) {
  const bool alike = all_alike(who.weight, x.rows);
  const Terms terms(count, alike ? classes * x.cols : kNever, alike ? who.weight[0] : 0.0);
  each_row(x, [&](std::int64_t i, const auto* row) {
    const std::int64_t at = who.cls[i] * x.cols;
    const double w = who.weight[i];
    double sum = 0, n = 0;
    for (std::int64_t j = 0; j < x.cols; ++j) {
      const double v = static_cast<double>(row[j]);
      sum += alike ? terms(at + j, v) : v == 0 ? 0.0 : term_of(count[at + j], w, v);
      n += v;
    }
    logs[i] = sum;
    total[i] = n;
  });
}

}  // namespace deciban
