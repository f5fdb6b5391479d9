// Scores of sparse rows.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/findings.hpp"
#include "core/pack.hpp"
#include "core/simd.hpp"
#include "scores/score.hpp"

namespace deciban {
namespace {

constexpr std::int64_t kEntriesAhead = 32;  // weights are prefetched this many entries ahead

// Scores the n entries of one row under V vectors of classes. Indices up to `readable` are prefetched, those of the
// next rows included. Returns the position of an index outside the matrix, or n.
template <bool Binarize, int V, class T, class I>
DECIBAN_INLINE std::int64_t score_strip(const T* values, const I* indices, std::int64_t n, std::int64_t readable,
                                        std::int64_t cols, const double* weight, std::int64_t padded, double threshold,
                                        double* sums) {
  Lanes even[V] = {}, odd[V] = {};  // two sums, so that an entry need not wait for the one before it
  std::int64_t e = 0;
  const auto add = [&](Lanes* sum) __attribute__((always_inline)) {
    const std::int64_t j = indices[e];
    if (static_cast<std::uint64_t>(j) >= static_cast<std::uint64_t>(cols)) return false;
    if (e + kEntriesAhead < readable) {
      const auto ahead = static_cast<std::uint64_t>(indices[e + kEntriesAhead]);  // not checked yet: only prefetched
      prefetch_cells(weight, static_cast<std::int64_t>(ahead * static_cast<std::uint64_t>(padded)), V * kLanes);
    }
    double v = static_cast<double>(values[e]);
    binarize_cells<Binarize>(v, threshold);
    const double* w = weight + j * padded;
    for (int i = 0; i < V; ++i) sum[i] += v * load(w + i * kLanes);
    ++e;
    return true;
  };
  while (e + 1 < n)
    if (!add(even) || !add(odd)) return e;
  if (e < n && !add(even)) return e;
  for (int i = 0; i < V; ++i) store(sums + i * kLanes, even[i] + odd[i]);
  return e;
}

// Scores one row in strips of up to six vectors of classes, which fit the registers.
template <bool Binarize, class T, class I>
DECIBAN_CLONES std::int64_t score_sparse_row(const T* values, const I* indices, std::int64_t n, std::int64_t readable,
                                             std::int64_t cols, const double* weight, std::int64_t padded,
                                             double threshold, double* sums) {
  std::int64_t good = n;
  std::int64_t k = 0;
  const auto strip = [&]<int V>() __attribute__((always_inline)) {
    good = std::min(
        good, score_strip<Binarize, V>(values, indices, n, readable, cols, weight + k, padded, threshold, sums + k));
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

// Whether any entry is stored twice: both parts would be binarized. Checks every index, so that the caller may safely
// merge such entries.
template <class I>
bool has_repeats(const Sparse& x, const I* indices, const I* pointers, std::int64_t major, std::int64_t minor) {
  RepeatFinder repeats;
  bool found = false;
  for (std::int64_t i = 0; i < major; ++i) {
    const Range range = checked_range(pointers, i, x.stored);
    for (std::int64_t e = range.begin; e < range.end; ++e)
      if (indices[e] < 0 || indices[e] >= minor) throw_bad_index(indices[e], minor);
    found |= repeats.has_repeat(indices + range.begin, range.end - range.begin, minor);
  }
  return found;
}

// Scores a row whose sum is not finite: missing entries add nothing, and their base is subtracted.
template <class T, class I>
int score_careful_row(const T* values, const I* indices, std::int64_t n, const Linear& p, Shape shape, double* sums) {
  int findings = 0;
  std::fill(sums, sums + shape.padded, 0.0);
  for (std::int64_t e = 0; e < n; ++e) {
    const std::int64_t at = static_cast<std::int64_t>(indices[e]) * shape.padded;
    double v = static_cast<double>(values[e]);
    findings |= finding_of(v);
    for (std::int64_t k = 0; k < shape.classes; ++k) {
      if (std::isnan(v))
        sums[k] -= p.base ? p.base[at + k] : 0.0;
      else
        sums[k] += (p.binarize ? static_cast<double>(v > p.threshold) : v) * p.weight[at + k];
    }
  }
  return findings;
}

}  // namespace

int score_linear_csr(const Sparse& x, const Linear& p, Shape shape, double* out) {
  return with_types(x, [&]<class T, class I>(const T* values, const I* indices, const I* pointers) {
    if (p.binarize && has_repeats(x, indices, pointers, x.rows, x.cols)) return static_cast<int>(kRepeated);
    const auto score = [&](auto... row) {
      return p.binarize ? score_sparse_row<true>(row...) : score_sparse_row<false>(row...);
    };
    std::vector<double> sums(shape.padded);
    int findings = 0;
    for (std::int64_t i = 0; i < x.rows; ++i) {
      const Range range = checked_range(pointers, i, x.stored);
      const T* v = values + range.begin;
      const I* at = indices + range.begin;
      const std::int64_t n = range.end - range.begin, readable = x.stored - range.begin;
      const std::int64_t good = score(v, at, n, readable, x.cols, p.weight, shape.padded, p.threshold, sums.data());
      if (good < n) throw_bad_index(at[good], x.cols);
      findings |= wanted_findings(v, n, p.wanted);
      if (!all_finite(sums.data(), shape.classes)) findings |= score_careful_row(v, at, n, p, shape, sums.data());
      for (std::int64_t k = 0; k < shape.classes; ++k) out[i * shape.classes + k] += sums[k] + p.total[k];
    }
    return findings;
  });
}

int score_linear_csc(const Sparse& x, const Linear& p, Shape shape, double* out) {
  return with_types(x, [&]<class T, class I>(const T* values, const I* indices, const I* pointers) {
    if (p.binarize && has_repeats(x, indices, pointers, x.cols, x.rows)) return static_cast<int>(kRepeated);
    int findings = 0;
    for (std::int64_t j = 0; j < x.cols; ++j) {
      const Range range = checked_range(pointers, j, x.stored);
      const double* w = p.weight + j * shape.padded;
      findings |= wanted_findings(values + range.begin, range.end - range.begin, p.wanted);
      for (std::int64_t e = range.begin; e < range.end; ++e) {
        const std::int64_t row = indices[e];
        if (row < 0 || row >= x.rows) throw_bad_index(row, x.rows);
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
