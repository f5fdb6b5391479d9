#include "statistics/sums.hpp"

#include <algorithm>
#include <cmath>

#include "core/findings.hpp"
#include "core/group.hpp"
#include "core/pack.hpp"
#include "core/simd.hpp"

namespace deciban {
namespace {

template <bool Binarize, class T>
DECIBAN_CLONES void add_rows(const T* const* rows, const double* weights, std::int64_t n, std::int64_t cols,
                             NextChunk<T> next, double threshold, double* __restrict sum) {
  for (std::int64_t i = 0; i < n; i += 2) {
    const auto [x, y, w, v] = RowPair<T>(rows, weights, i, n, next);
    std::int64_t j = 0;
    for (; j + kPack <= cols; j += kPack) {
      Pack a, b, s;
      read_pack(x + j, a);
      read_pack(y + j, b);
      read_pack(sum + j, s);
      binarize_cells<Binarize>(a, threshold);
      binarize_cells<Binarize>(b, threshold);
      s += w * a;
      s += v * b;
      write_pack(sum + j, s);
    }
    for (; j < cols; ++j) {
      double a = static_cast<double>(x[j]), b = static_cast<double>(y[j]);
      binarize_cells<Binarize>(a, threshold);
      binarize_cells<Binarize>(b, threshold);
      sum[j] += w * a;
      sum[j] += v * b;
    }
  }
}

// Returns the wanted findings of some rows.
template <class T>
int inspect_rows(const T* const* rows, std::int64_t n, std::int64_t cols, int wanted) {
  int findings = 0;
  if (wanted)
    for (std::int64_t i = 0; i < n; ++i) findings |= inspect(rows[i], cols);
  return findings & wanted;
}

template <class T>
class Accumulator {
 public:
  Accumulator(std::int64_t cols, const SumOptions& options, double* weight, double* total)
      : cols_(cols), options_(options), weight_(weight), total_(total), sum_(cols), column_weight_(cols) {}

  void add(std::int64_t c, const T* const* rows, const double* weights, std::int64_t n, NextChunk<T> next) {
    double group = 0;
    for (std::int64_t i = 0; i < n; ++i) group += weights[i];
    std::fill(sum_.begin(), sum_.end(), 0.0);
    if (options_.binarize)
      add_rows<true>(rows, weights, n, cols_, next, options_.threshold, sum_.data());
    else
      add_rows<false>(rows, weights, n, cols_, next, options_.threshold, sum_.data());
    std::fill(column_weight_.begin(), column_weight_.end(), group);
    if (!all_finite(sum_.data(), cols_)) add_known(rows, weights, n);
    findings_ |= inspect_rows(rows, n, cols_, options_.wanted);
    double* weight = weight_ + c * cols_;
    double* total = total_ + c * cols_;
    for (std::int64_t j = 0; j < cols_; ++j) {
      weight[j] += column_weight_[j];
      total[j] += sum_[j];
    }
  }

  int findings() const { return findings_; }

 private:
  // Sums the group cell by cell, without its NaN.
  void add_known(const T* const* rows, const double* weights, std::int64_t n) {
    std::fill(sum_.begin(), sum_.end(), 0.0);
    std::fill(column_weight_.begin(), column_weight_.end(), 0.0);
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < cols_; ++j) {
        const double v = static_cast<double>(rows[i][j]);
        findings_ |= finding_of(v);
        if (std::isnan(v)) continue;
        sum_[j] += weights[i] * (options_.binarize ? static_cast<double>(v > options_.threshold) : v);
        column_weight_[j] += weights[i];
      }
  }

  std::int64_t cols_;
  SumOptions options_;
  double *weight_, *total_;
  std::vector<double> sum_, column_weight_;  // of the group that is being added
  int findings_ = 0;
};

// Adds one- or two-byte integers of weight 1 as integers, many to a vector. The sum of a chunk fits 32 bits.
template <bool Binarize, class T>
DECIBAN_CLONES void add_integers(const T* const* rows, std::int64_t n, std::int64_t cols, NextChunk<T> next,
                                 std::int32_t threshold, std::int32_t* __restrict sum) {
  for (std::int64_t i = 0; i < n; ++i) {
    const T* __restrict x = rows[i];
    next.prefetch(i);
    for (std::int64_t j = 0; j < cols; ++j) {
      const std::int32_t v = x[j];
      sum[j] += Binarize ? static_cast<std::int32_t>(v > threshold) : v;
    }
  }
}

template <class T>
int add_integer_sums(const Dense& x, const Labels& labels, const SumOptions& options, double* weight, double* total) {
  int findings = 0;
  // For integers v > threshold is v > floor(threshold). Beyond these bounds every two-byte integer is on one side.
  const auto threshold = static_cast<std::int32_t>(std::clamp(std::floor(options.threshold), -65536.0, 65536.0));
  std::vector<std::int32_t> sum(x.cols);
  const auto add_group = [&](std::int64_t c, const T* const* rows, const double*, std::int64_t n, NextChunk<T> next) {
    std::fill(sum.begin(), sum.end(), 0);
    if (options.binarize)
      add_integers<true>(rows, n, x.cols, next, threshold, sum.data());
    else
      add_integers<false>(rows, n, x.cols, next, threshold, sum.data());
    findings |= inspect_rows(rows, n, x.cols, options.wanted);
    for (std::int64_t j = 0; j < x.cols; ++j) {
      weight[c * x.cols + j] += static_cast<double>(n);
      total[c * x.cols + j] += sum[j];
    }
  };
  for_each_group<T, T>(x, labels, add_group);
  return findings;
}

}  // namespace

int add_sums(const Dense& x, const Labels& labels, const SumOptions& options, double* weight, double* total) {
  return with_type(x.type, [&]<class T>(const T*) {
    if constexpr (sizeof(T) <= 2)
      if (!labels.weight && !labels.soft) return add_integer_sums<T>(x, labels, options, weight, total);
    using Cell = Wide<T>;
    Accumulator<Cell> accumulator(x.cols, options, weight, total);
    for_each_group<T, Cell>(x, labels, [&](auto... group) { accumulator.add(group...); });
    return accumulator.findings();
  });
}

void add_weights(const Labels& labels, double* weight) {
  if (labels.soft) {
    for (std::int64_t i = 0; i < labels.rows; ++i)
      for (std::int64_t c = 0; c < labels.classes; ++c) weight[c] += labels.soft[i * labels.classes + c];
    return;
  }
  for (std::int64_t i = 0; i < labels.rows; ++i) {
    const std::int32_t c = labels.codes[i];
    check_class(c, labels.classes);
    if (c >= 0) weight[c] += labels.weight ? labels.weight[i] : 1.0;
  }
}

}  // namespace deciban
