// Scores of sparse rows.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/cells.hpp"
#include "core/findings.hpp"
#include "core/pack.hpp"
#include "core/simd.hpp"
#include "scores/score.hpp"

namespace deciban {
namespace {

constexpr std::int64_t kAhead = 32;  // weights are asked for this many entries before they are needed

// The n stored entries of one row against V vectors of classes; indices may be looked at up to `reach`, into the rows
// that follow. Returns the position of an index outside the matrix, or n when all were good.
template <bool Binarize, int V, class T, class I>
DECIBAN_INLINE std::int64_t sparse_strip(const T* values, const I* indices, std::int64_t n, std::int64_t reach,
                                         std::int64_t cols, const double* weight, std::int64_t padded,
                                         double threshold, double* acc) {
  Lanes even[V] = {}, odd[V] = {};  // two sums, so that an entry need not wait for the one before
  std::int64_t e = 0;
  const auto add = [&](Lanes* sum) __attribute__((always_inline)) {
    const std::int64_t j = indices[e];
    if (static_cast<std::uint64_t>(j) >= static_cast<std::uint64_t>(cols)) return false;
    if (e + kAhead < reach) {
      const auto ahead = static_cast<std::uint64_t>(indices[e + kAhead]);  // not checked yet, so not dereferenced
      prefetch_cells(weight, static_cast<std::int64_t>(ahead * static_cast<std::uint64_t>(padded)), V * kLanes);
    }
    double v = static_cast<double>(values[e]);
    count_cells<Binarize>(v, threshold);
    const double* w = weight + j * padded;
    for (int i = 0; i < V; ++i) sum[i] += v * load(w + i * kLanes);
    ++e;
    return true;
  };
  while (e + 1 < n)
    if (!add(even) || !add(odd)) return e;
  if (e < n && !add(even)) return e;
  for (int i = 0; i < V; ++i) store(acc + i * kLanes, even[i] + odd[i]);
  return e;
}

template <bool Binarize, class T, class I>
DECIBAN_CLONES std::int64_t sparse_row(const T* values, const I* indices, std::int64_t n, std::int64_t reach,
                                       std::int64_t cols, const double* weight, std::int64_t padded, double threshold,
                                       double* acc) {
  std::int64_t good = n;
  std::int64_t k = 0;
  const auto strip = [&]<int V>() __attribute__((always_inline)) {
    good = std::min(
        good, sparse_strip<Binarize, V>(values, indices, n, reach, cols, weight + k, padded, threshold, acc + k));
    k += V * kLanes;
  };
  while (padded - k >= 6 * kLanes) strip.template operator()<6>();
  switch ((padded - k) / kLanes) {
    case 5: strip.template operator()<5>(); break;
    case 4: strip.template operator()<4>(); break;
    case 3: strip.template operator()<3>(); break;
    case 2: strip.template operator()<2>(); break;
    case 1: strip.template operator()<1>(); break;
    default: break;
  }
  return good;
}

// Whether an entry is stored twice: it and its double would both be binarized. Every index is checked, so that others
// can safely put such a matrix right.
template <class I>
bool repeated(const Sparse& x, const I* indices, const I* pointers, std::int64_t major, std::int64_t minor) {
  Repeats repeats;
  bool twice = false;
  for (std::int64_t i = 0; i < major; ++i) {
    const Range range = checked_range(pointers, i, x.stored);
    for (std::int64_t e = range.begin; e < range.end; ++e)
      if (indices[e] < 0 || indices[e] >= minor) bad_index(indices[e], minor);
    twice |= repeats.in(indices + range.begin, range.end - range.begin, minor);
  }
  return twice;
}

// The same row again when its sum is not a number: missing entries add nothing and take their base away.
template <class T, class I>
int careful_sparse_row(const T* values, const I* indices, std::int64_t n, const Linear& p, Shape shape, double* acc) {
  int findings = 0;
  std::fill(acc, acc + shape.padded, 0.0);
  for (std::int64_t e = 0; e < n; ++e) {
    const std::int64_t at = static_cast<std::int64_t>(indices[e]) * shape.padded;
    double v = static_cast<double>(values[e]);
    findings |= finding_of(v);
    for (std::int64_t k = 0; k < shape.classes; ++k) {
      if (std::isnan(v))
        acc[k] -= p.base ? p.base[at + k] : 0.0;
      else
        acc[k] += (p.binarize ? static_cast<double>(v > p.threshold) : v) * p.weight[at + k];
    }
  }
  return findings;
}

}  // namespace

int score_linear_csr(const Sparse& x, const Linear& p, Shape shape, double* out) {
  return with_types(x, [&]<class T, class I>(const T* values, const I* indices, const I* pointers) {
    if (p.binarize && repeated(x, indices, pointers, x.rows, x.cols)) return static_cast<int>(kRepeated);
    std::vector<double> acc(shape.padded);
    int findings = 0;
    for (std::int64_t i = 0; i < x.rows; ++i) {
      const Range range = checked_range(pointers, i, x.stored);
      const T* v = values + range.begin;
      const I* at = indices + range.begin;
      const std::int64_t n = range.end - range.begin, reach = x.stored - range.begin;
      const std::int64_t good =
          p.binarize ? sparse_row<true>(v, at, n, reach, x.cols, p.weight, shape.padded, p.threshold, acc.data())
                     : sparse_row<false>(v, at, n, reach, x.cols, p.weight, shape.padded, p.threshold, acc.data());
      if (good < n) bad_index(at[good], x.cols);
      if (p.binary) findings |= look(v, n) & kNotBinary;
      if (!all_finite(acc.data(), shape.classes)) findings |= careful_sparse_row(v, at, n, p, shape, acc.data());
      for (std::int64_t k = 0; k < shape.classes; ++k) out[i * shape.classes + k] += acc[k] + p.total[k];
    }
    return findings;
  });
}

int score_linear_csc(const Sparse& x, const Linear& p, Shape shape, double* out) {
  return with_types(x, [&]<class T, class I>(const T* values, const I* indices, const I* pointers) {
    if (p.binarize && repeated(x, indices, pointers, x.cols, x.rows)) return static_cast<int>(kRepeated);
    int findings = 0;
    for (std::int64_t j = 0; j < x.cols; ++j) {
      const Range range = checked_range(pointers, j, x.stored);
      const double* w = p.weight + j * shape.padded;
      if (p.binary) findings |= look(values + range.begin, range.end - range.begin) & kNotBinary;
      for (std::int64_t e = range.begin; e < range.end; ++e) {
        const std::int64_t row = indices[e];
        if (row < 0 || row >= x.rows) bad_index(row, x.rows);
        double* target = out + row * shape.classes;
        double v = static_cast<double>(values[e]);
        if (const int found = finding_of(v)) {
          findings |= found;
          for (std::int64_t k = 0; p.base && k < shape.classes; ++k) target[k] -= p.base[j * shape.padded + k];
          continue;
        }
        if (p.binarize) v = v > p.threshold;
        for (std::int64_t k = 0; k < shape.classes; ++k) target[k] += v * w[k];
      }
    }
    for (std::int64_t i = 0; i < x.rows; ++i)
      for (std::int64_t k = 0; k < shape.classes; ++k) out[i * shape.classes + k] += p.total[k];
    return findings;
  });
}

}  // namespace deciban
