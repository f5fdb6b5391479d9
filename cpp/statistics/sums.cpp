#include "statistics/sums.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/findings.hpp"
#include "core/cells.hpp"
#include "core/group.hpp"
#include "core/pack.hpp"
#include "core/simd.hpp"

namespace deciban {
namespace {

template <bool Binarize, class T>
DECIBAN_CLONES void row_sums(const T* const* rows, const double* weights, std::int64_t n, std::int64_t cols,
                             Coming<T> coming, double threshold, double* __restrict sum) {
  for (std::int64_t i = 0; i < n; i += 2) {
    const auto [x, y, w, v] = RowPair<T>(rows, weights, i, n, coming);
    std::int64_t j = 0;
    for (; j + kPack <= cols; j += kPack) {
      Pack a, b, s;
      read_pack(x + j, a);
      read_pack(y + j, b);
      read_pack(sum + j, s);
      count_cells<Binarize>(a, threshold);
      count_cells<Binarize>(b, threshold);
      s += w * a;
      s += v * b;
      write_pack(sum + j, s);
    }
    for (; j < cols; ++j) {
      double a = static_cast<double>(x[j]), b = static_cast<double>(y[j]);
      count_cells<Binarize>(a, threshold);
      count_cells<Binarize>(b, threshold);
      sum[j] += w * a;
      sum[j] += v * b;
    }
  }
}

template <class T>
class Accumulator {
 public:
  Accumulator(std::int64_t cols, const Counting& how, double* weight, double* total)
      : cols_(cols), how_(how), weight_(weight), total_(total), sum_(cols), cell_(cols) {}

  void add(std::int64_t c, const T* const* rows, const double* weights, std::int64_t n, Coming<T> coming) {
    double group = 0;
    for (std::int64_t i = 0; i < n; ++i) group += weights[i];
    std::fill(sum_.begin(), sum_.end(), 0.0);
    if (how_.binarize)
      row_sums<true>(rows, weights, n, cols_, coming, how_.threshold, sum_.data());
    else
      row_sums<false>(rows, weights, n, cols_, coming, how_.threshold, sum_.data());
    std::fill(cell_.begin(), cell_.end(), group);
    if (!all_finite(sum_.data(), cols_)) masked(rows, weights, n);
    if (how_.wanted)
      for (std::int64_t i = 0; i < n; ++i) findings_ |= look(rows[i], cols_) & how_.wanted;
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

constexpr std::int64_t kRowsAhead = 3;  // rows in class order are scattered, so their memory is asked for in time

// Numbers of one or two bytes without weights are summed as whole numbers, many to a vector; a chunk's sum fits 32 bits.
template <bool Binarize, class T>
DECIBAN_CLONES void whole_sums(const T* const* rows, std::int64_t n, std::int64_t cols, Coming<T> coming,
                               std::int32_t threshold, std::int32_t* __restrict sum) {
  for (std::int64_t i = 0; i < n; ++i) {
    const T* __restrict x = rows[i];
    coming.prefetch(i);
    for (std::int64_t j = 0; j < cols; ++j) {
      const std::int32_t v = x[j];
      sum[j] += Binarize ? static_cast<std::int32_t>(v > threshold) : v;
    }
  }
}

template <class T>
int add_whole_sums(const Dense& x, const Labels& labels, const Counting& how, double* weight, double* total) {
  int findings = 0;
  // v > threshold for whole v is v > floor(threshold); beyond these bounds every v of two bytes is on one side.
  const auto threshold = static_cast<std::int32_t>(std::clamp(std::floor(how.threshold), -65536.0, 65536.0));
  std::vector<std::int32_t> sum(x.cols);
  for_each_group<T, T>(x, labels, [&](std::int64_t c, const T* const* rows, const double*, std::int64_t n, Coming<T> coming) {
    std::fill(sum.begin(), sum.end(), 0);
    if (how.binarize)
      whole_sums<true>(rows, n, x.cols, coming, threshold, sum.data());
    else
      whole_sums<false>(rows, n, x.cols, coming, threshold, sum.data());
    if (how.wanted)
      for (std::int64_t i = 0; i < n; ++i) findings |= look(rows[i], x.cols) & how.wanted;
    for (std::int64_t j = 0; j < x.cols; ++j) {
      weight[c * x.cols + j] += static_cast<double>(n);
      total[c * x.cols + j] += sum[j];
    }
  });
  return findings;
}

// One stored value: what it adds. One that is not finite adds nothing and is a finding.
template <class T>
inline double counted(T raw, const Counting& how, int& findings) {
  const double v = static_cast<double>(raw);
  if constexpr (std::is_floating_point_v<T>) {
    if (!(v - v == 0)) {
      findings |= std::isnan(v) ? kMissing : kInfinite;
      return 0;
    }
  }
  return how.binarize ? static_cast<double>(v > how.threshold) : v;
}

// Adds the stored entries of a row, all finite; returns the position of an index outside the matrix, or n.
template <bool Binarize, class T, class I>
std::int64_t scatter(const T* values, const I* indices, std::int64_t n, std::int64_t cols, double weight,
                     double threshold, double* into) {
  for (std::int64_t e = 0; e < n; ++e) {
    const auto j = static_cast<std::uint64_t>(static_cast<std::int64_t>(indices[e]));
    if (j >= static_cast<std::uint64_t>(cols)) return e;
    const double v = static_cast<double>(values[e]);
    into[j] += Binarize ? (v > threshold ? weight : 0.0) : weight * v;
  }
  return n;
}

template <class T, class I>
int add_sparse_row(const T* values, const I* indices, std::int64_t n, std::int64_t cols, double weight,
                   const Counting& how, Repeats& repeats, double* into) {
  int findings = look(values, n);
  std::int64_t good = n;
  if (findings & kInfinite) {
    findings &= ~kInfinite;
    for (good = 0; good < n; ++good) {
      const std::int64_t j = indices[good];
      if (j < 0 || j >= cols) break;
      into[j] += weight * counted(values[good], how, findings);
    }
  } else if (how.binarize) {
    good = scatter<true>(values, indices, n, cols, weight, how.threshold, into);
  } else {
    good = scatter<false>(values, indices, n, cols, weight, how.threshold, into);
  }
  if (good < n) bad_index(indices[good], cols);
  return findings | (repeats.in(indices, n, cols) ? kRepeated : 0);
}

}  // namespace

int add_sums(const Dense& x, const Labels& labels, const Counting& how, double* weight, double* total) {
  return with_type(x.kind, [&]<class T>(const T*) {
    if constexpr (sizeof(T) <= 2)
      if (!labels.weight && !labels.soft) return add_whole_sums<T>(x, labels, how, weight, total);
    using Cell = Wide<T>;
    Accumulator<Cell> accumulator(x.cols, how, weight, total);
    for_each_group<T, Cell>(x, labels, [&](auto... group) { accumulator.add(group...); });
    return accumulator.findings();
  });
}

int add_sums_csr(const Sparse& x, const Labels& labels, const Counting& how, double* total) {
  return with_types(x, [&]<class T, class I>(const T* values, const I* indices, const I* pointers) {
    int findings = 0;
    Repeats repeats;
    Grouping groups(labels);
    groups.load(0, x.rows);
    groups.each([&](std::int64_t c, const std::int64_t* rows, const double* weights, std::int64_t n) {
      double* into = total + c * x.cols;
      for (std::int64_t i = 0; i < n; ++i) {
        const Range range = checked_range(pointers, rows[i], x.stored);
        if (i + kRowsAhead < n) {
          const std::int64_t begin = pointers[rows[i + kRowsAhead]], size = range.end - range.begin;
          prefetch_cells(values, begin, size);
          prefetch_cells(indices, begin, size);
        }
        findings |= add_sparse_row(values + range.begin, indices + range.begin, range.end - range.begin, x.cols,
                                   weights[i], how, repeats, into);
      }
    });
    return findings & (how.wanted | kMissing | kInfinite | kRepeated);
  });
}

int add_sums_csc(const Sparse& x, const Labels& labels, const Counting& how, double* total) {
  return with_types(x, [&]<class T, class I>(const T* values, const I* indices, const I* pointers) {
    int findings = 0;
    Repeats repeats;
    for (std::int64_t j = 0; j < x.cols; ++j) {
      const Range range = checked_range(pointers, j, x.stored);
      const std::int64_t n = range.end - range.begin;
      findings |= look(values + range.begin, n) & ~kInfinite;
      for (std::int64_t p = range.begin; p < range.end; ++p) {
        const std::int64_t row = indices[p];
        if (row < 0 || row >= x.rows) bad_index(row, x.rows);
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
      findings |= repeats.in(indices + range.begin, n, x.rows) ? kRepeated : 0;
    }
    return findings & (how.wanted | kMissing | kInfinite | kRepeated);
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
