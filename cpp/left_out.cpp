#include "left_out.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "rows.hpp"

namespace deciban {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
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
  each_row(x, [&](std::int64_t i, const auto* row) {
    const std::int64_t at = who.cls[i] * x.cols;
    const double n = p.rows[who.cls[i]], w = who.weight[i], rest = n - w;
    const double *mean = p.mean + at, *deviation = p.deviation + at;
    const double lost = w * n / rest;
    LogSum spread;
    double far = 0, used = 0;
    bool fine = rest > kDust * n;
    for (std::int64_t j = 0; j < x.cols; ++j) {
      if (!p.varies[j]) continue;
      const double d = static_cast<double>(row[j]) - mean[j], left = deviation[j] - lost * d * d;
      if (!(left > kDust * deviation[j])) {  // a missing cell, too
        fine = false;
        break;
      }
      far += d * d / left;
      spread.add(left);
      ++used;
    }
    const double constant = used * std::log(2 * std::numbers::pi / rest);
    out[i] = fine ? -0.5 * (constant + spread.total() + n * n / rest * far) : kNone;
  });
}

void own_counts(const Dense& x, const Members& who, const double* count, double* logs, double* total) {
  each_row(x, [&](std::int64_t i, const auto* row) {
    const double* of_class = count + who.cls[i] * x.cols;
    const double w = who.weight[i];
    double sum = 0, n = 0;
    for (std::int64_t j = 0; j < x.cols; ++j) {
      const double v = static_cast<double>(row[j]);
      if (v == 0) continue;
      const double left = of_class[j] - w * v;
      sum += v * (left > kDust * of_class[j] ? std::log(left) : std::isnan(v) ? kNone : -HUGE_VAL);
      n += v;
    }
    logs[i] = sum;
    total[i] = n;
  });
}

}  // namespace deciban
