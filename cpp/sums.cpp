#include "sums.hpp"

#include <cmath>
#include <type_traits>

#include "group.hpp"
#include "simd.hpp"

namespace deciban {
namespace {

template <class T>
DECIBAN_CLONES void plain_sums(const T* const* rows, const double* weights, std::int64_t n, std::int64_t cols,
                               double* __restrict sum) {
  for (std::int64_t i = 0; i < n; ++i) {
    const T* __restrict x = rows[i];
    const double w = weights[i];
    for (std::int64_t j = 0; j < cols; ++j) sum[j] += w * static_cast<double>(x[j]);
  }
}

// x - x is 0, but NaN where x is NaN or infinite: a cell that is not a number shows in the sum at no cost.
template <class T>
DECIBAN_CLONES void binary_sums(const T* const* rows, const double* weights, std::int64_t n, std::int64_t cols,
                                double threshold, double* __restrict sum) {
  for (std::int64_t i = 0; i < n; ++i) {
    const T* __restrict x = rows[i];
    const double w = weights[i];
    for (std::int64_t j = 0; j < cols; ++j) {
      const double v = static_cast<double>(x[j]);
      sum[j] += v > threshold ? w : 0.0;
      if constexpr (std::is_floating_point_v<T>) sum[j] += v - v;
    }
  }
}

template <class T>
DECIBAN_CLONES int look(const T* const* rows, std::int64_t n, std::int64_t cols) {
  int negative = 0, other = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const T* __restrict x = rows[i];
    for (std::int64_t j = 0; j < cols; ++j) {
      negative |= x[j] < T(0);
      other |= (x[j] != T(0)) & (x[j] != T(1)) & (x[j] == x[j]);
    }
  }
  return (negative ? kNegative : 0) | (other ? kNotBinary : 0);
}

template <class T>
class Accumulator {
 public:
  Accumulator(std::int64_t cols, const Counting& how, double* weight, double* total)
      : cols_(cols), how_(how), weight_(weight), total_(total), sum_(cols), cell_(cols) {}

  void add(std::int64_t c, const T* const* rows, const double* weights, std::int64_t n) {
    double group = 0;
    for (std::int64_t i = 0; i < n; ++i) group += weights[i];
    std::fill(sum_.begin(), sum_.end(), 0.0);
    if (how_.binarize)
      binary_sums(rows, weights, n, cols_, how_.threshold, sum_.data());
    else
      plain_sums(rows, weights, n, cols_, sum_.data());
    std::fill(cell_.begin(), cell_.end(), group);
    if (!all_finite(sum_.data(), cols_)) masked(rows, weights, n);
    if (how_.wanted) findings_ |= look(rows, n, cols_) & how_.wanted;
    double* weight = weight_ + c * cols_;
    double* total = total_ + c * cols_;
    for (std::int64_t j = 0; j < cols_; ++j) {
      weight[j] += cell_[j];
      total[j] += sum_[j];
    }
  }

  int findings() const { return findings_; }

 private:
  void masked(const T* const* rows, const double* weights, std::int64_t n) {
    std::fill(sum_.begin(), sum_.end(), 0.0);
    std::fill(cell_.begin(), cell_.end(), 0.0);
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < cols_; ++j) {
        const double v = static_cast<double>(rows[i][j]);
        if (std::isnan(v)) {
          findings_ |= kMissing;
          continue;
        }
        if (std::isinf(v)) findings_ |= kInfinite;
        sum_[j] += weights[i] * (how_.binarize ? static_cast<double>(v > how_.threshold) : v);
        cell_[j] += weights[i];
      }
  }

  std::int64_t cols_;
  Counting how_;
  double *weight_, *total_;
  std::vector<double> sum_, cell_;
  int findings_ = 0;
};

// One stored value: what it adds, and what it shows.
template <class T>
inline double counted(T raw, const Counting& how, int& findings) {
  const double v = static_cast<double>(raw);
  if constexpr (std::is_floating_point_v<T>) {
    if (!(v - v == 0)) {
      findings |= std::isnan(v) ? kMissing : kInfinite;
      return 0;
    }
  }
  findings |= (v < 0 ? kNegative : 0) | (v * v != v ? kNotBinary : 0);
  return how.binarize ? static_cast<double>(v > how.threshold) : v;
}

template <class F>
int with_types(const Sparse& x, F&& f) {
  return with_type(x.kind, [&]<class T>(const T*) {
    return with_index(x.wide, [&]<class I>(const I*) {
      return f(static_cast<const T*>(x.values), static_cast<const I*>(x.indices), static_cast<const I*>(x.pointers));
    });
  });
}

}  // namespace

int add_sums(const Dense& x, const Labels& labels, const Counting& how, double* weight, double* total) {
  return with_type(x.kind, [&]<class T>(const T*) {
    Accumulator<T> accumulator(x.cols, how, weight, total);
    for_each_group<T>(x, labels, [&](std::int64_t c, const T* const* rows, const double* weights, std::int64_t n) {
      accumulator.add(c, rows, weights, n);
    });
    return accumulator.findings();
  });
}

int add_sums_csr(const Sparse& x, const Labels& labels, const Counting& how, double* total) {
  return with_types(x, [&]<class T, class I>(const T* values, const I* indices, const I* pointers) {
    int findings = 0;
    Grouping groups(labels);
    groups.load(0, x.rows);
    groups.each([&](std::int64_t c, const std::int64_t* rows, const double* weights, std::int64_t n) {
      double* into = total + c * x.cols;
      for (std::int64_t i = 0; i < n; ++i) {
        const Range range = checked_range(pointers, rows[i], x.stored);
        std::int64_t before = -1;
        for (std::int64_t p = range.begin; p < range.end; ++p) {
          const std::int64_t j = indices[p];
          if (j < 0 || j >= x.cols) bad_index(j, x.cols);
          findings |= j > before ? 0 : kUnordered;
          before = j;
          into[j] += weights[i] * counted(values[p], how, findings);
        }
      }
    });
    return findings & (how.wanted | kMissing | kInfinite | kUnordered);
  });
}

int add_sums_csc(const Sparse& x, const Labels& labels, const Counting& how, double* total) {
  return with_types(x, [&]<class T, class I>(const T* values, const I* indices, const I* pointers) {
    int findings = 0;
    for (std::int64_t j = 0; j < x.cols; ++j) {
      const Range range = checked_range(pointers, j, x.stored);
      std::int64_t before = -1;
      for (std::int64_t p = range.begin; p < range.end; ++p) {
        const std::int64_t row = indices[p];
        if (row < 0 || row >= x.rows) bad_index(row, x.rows);
        findings |= row > before ? 0 : kUnordered;
        before = row;
        const double v = counted(values[p], how, findings);
        if (labels.soft) {
          for (std::int64_t c = 0; c < labels.classes; ++c)
            total[c * x.cols + j] += labels.soft[row * labels.classes + c] * v;
        } else {
          const std::int32_t c = labels.codes[row];
          check_class(c, labels.classes);
          if (c < 0) continue;
          total[c * x.cols + j] += (labels.weight ? labels.weight[row] : 1.0) * v;
        }
      }
    }
    return findings & (how.wanted | kMissing | kInfinite | kUnordered);
  });
}

void add_weights(const Labels& labels, double* weight) {
  const std::int64_t chunk = 2048;
  Grouping groups(labels);
  for (std::int64_t first = 0; first < labels.rows; first += chunk) {
    groups.load(first, std::min(chunk, labels.rows - first));
    groups.each([&](std::int64_t c, const std::int64_t*, const double* weights, std::int64_t n) {
      for (std::int64_t i = 0; i < n; ++i) weight[c] += weights[i];
    });
  }
}

}  // namespace deciban
