// Sums of sparse matrices.
#include <cmath>
#include <type_traits>

#include "core/findings.hpp"
#include "core/group.hpp"
#include "core/pack.hpp"
#include "statistics/sums.hpp"

namespace deciban {
namespace {

// Rows in class order are scattered, so that this many rows ahead are prefetched.
constexpr std::int64_t kRowsAhead = 3;

// Returns what a stored value adds. A value that is not finite adds 0 and is a finding.
template <class T>
inline double counted_value(T value, const SumOptions& options, int& findings) {
  const double v = static_cast<double>(value);
  if constexpr (std::is_floating_point_v<T>) {
    if (!(v - v == 0)) {
      findings |= finding_of(v);
      return 0;
    }
  }
  return options.binarize ? static_cast<double>(v > options.threshold) : v;
}

// Adds the entries of a row, all finite. Returns the position of an index outside the matrix, or n.
template <bool Binarize, class T, class I>
std::int64_t add_entries(const T* values, const I* indices, std::int64_t n, std::int64_t cols, double weight,
                         double threshold, double* total) {
  for (std::int64_t e = 0; e < n; ++e) {
    const auto j = static_cast<std::uint64_t>(static_cast<std::int64_t>(indices[e]));
    if (j >= static_cast<std::uint64_t>(cols)) return e;
    const double v = static_cast<double>(values[e]);
    total[j] += Binarize ? (v > threshold ? weight : 0.0) : weight * v;
  }
  return n;
}

template <class T, class I>
int add_sparse_row(const T* values, const I* indices, std::int64_t n, std::int64_t cols, double weight,
                   const SumOptions& options, RepeatFinder& repeats, double* total) {
  int findings = inspect(values, n);
  std::int64_t good = n;
  if (findings & kInfinite) {
    findings &= ~kInfinite;
    for (good = 0; good < n; ++good) {
      const std::int64_t j = indices[good];
      if (j < 0 || j >= cols) break;
      total[j] += weight * counted_value(values[good], options, findings);
    }
  } else if (options.binarize) {
    good = add_entries<true>(values, indices, n, cols, weight, options.threshold, total);
  } else {
    good = add_entries<false>(values, indices, n, cols, weight, options.threshold, total);
  }
  if (good < n) throw_bad_index(indices[good], cols);
  return findings | (repeats.has_repeat(indices, n, cols) ? kRepeated : 0);
}

// Adds a value of row `row` to one column of every class.
inline void add_cell(const Labels& labels, std::int64_t row, double v, std::int64_t cols, double* column) {
  if (labels.soft) {
    for (std::int64_t c = 0; c < labels.classes; ++c) column[c * cols] += labels.soft[row * labels.classes + c] * v;
    return;
  }
  const std::int32_t c = labels.codes[row];
  check_class(c, labels.classes);
  if (c >= 0) column[c * cols] += (labels.weight ? labels.weight[row] : 1.0) * v;
}

int reported(int findings, const SumOptions& options) {
  return findings & (options.wanted | kMissing | kInfinite | kRepeated);
}

}  // namespace

int add_sums_csr(const Sparse& x, const Labels& labels, const SumOptions& options, double* total) {
  return with_types(x, [&]<class T, class I>(const T* values, const I* indices, const I* pointers) {
    int findings = 0;
    RepeatFinder repeats;
    Grouping groups(labels);
    groups.load(0, x.rows);
    groups.for_each_class([&](std::int64_t c, const std::int64_t* rows, const double* weights, std::int64_t n) {
      for (std::int64_t i = 0; i < n; ++i) {
        const Range range = checked_range(pointers, rows[i], x.stored);
        const std::int64_t size = range.end - range.begin;
        if (i + kRowsAhead < n) {
          const std::int64_t begin = pointers[rows[i + kRowsAhead]];
          prefetch_cells(values, begin, size);  // rows are assumed to be of similar size
          prefetch_cells(indices, begin, size);
        }
        findings |= add_sparse_row(values + range.begin, indices + range.begin, size, x.cols, weights[i], options,
                                   repeats, total + c * x.cols);
      }
    });
    return reported(findings, options);
  });
}

int add_sums_csc(const Sparse& x, const Labels& labels, const SumOptions& options, double* total) {
  return with_types(x, [&]<class T, class I>(const T* values, const I* indices, const I* pointers) {
    int findings = 0;
    RepeatFinder repeats;
    for (std::int64_t j = 0; j < x.cols; ++j) {
      const Range range = checked_range(pointers, j, x.stored);
      const std::int64_t n = range.end - range.begin;
      findings |= inspect(values + range.begin, n) & ~kInfinite;
      for (std::int64_t e = range.begin; e < range.end; ++e) {
        const std::int64_t row = indices[e];
        if (row < 0 || row >= x.rows) throw_bad_index(row, x.rows);
        add_cell(labels, row, counted_value(values[e], options, findings), x.cols, total + j);
      }
      findings |= repeats.has_repeat(indices + range.begin, n, x.rows) ? kRepeated : 0;
    }
    return reported(findings, options);
  });
}

}  // namespace deciban
