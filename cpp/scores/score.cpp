#include "scores/score.hpp"

#include <cmath>

#include "core/category_code.hpp"
#include "core/findings.hpp"
#include "core/pack.hpp"
#include "core/rows.hpp"
#include "core/simd.hpp"

namespace deciban {
namespace {

constexpr int kRows = 4;  // rows scored together, so that every parameter is loaded once for four

// Copies a row as doubles, binarized if asked for. The padding after it stays zero.
template <class T>
DECIBAN_CLONES void stage_row(const T* __restrict x, std::int64_t cols, bool binarize, double threshold,
                              double* __restrict out) {
  for (std::int64_t j = 0; j < cols; ++j) out[j] = static_cast<double>(x[j]);
  if (binarize)
    for (std::int64_t j = 0; j < cols; ++j) binarize_cells<true>(out[j], threshold);
}

// Adds up eight partial sums, always in the same order.
DECIBAN_INLINE double pack_sum(const Pack& v) {
  return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

// Scores four staged rows under every class. The sum of a row does not depend on its neighbours.
DECIBAN_CLONES void score_linear_rows(const double* x, std::int64_t width, const double* weight, std::int64_t classes,
                                      double* sums) {
  for (std::int64_t k = 0; k < classes; ++k, weight += width) {
    Pack sum[kRows] = {};
    for (std::int64_t j = 0; j < width; j += kPack) {
      Pack w;
      read_pack(weight + j, w);
      for (int r = 0; r < kRows; ++r) {
        Pack v;
        read_pack(x + r * width + j, v);
        sum[r] += v * w;
      }
    }
    for (int r = 0; r < kRows; ++r) sums[r * classes + k] = pack_sum(sum[r]);
  }
}

DECIBAN_CLONES void score_quadratic_rows(const double* x, std::int64_t width, const double* mean, const double* scale,
                                         std::int64_t classes, double* sums) {
  for (std::int64_t k = 0; k < classes; ++k, mean += width, scale += width) {
    Pack sum[kRows] = {};
    for (std::int64_t j = 0; j < width; j += kPack) {
      Pack m, f;
      read_pack(mean + j, m);
      read_pack(scale + j, f);
      for (int r = 0; r < kRows; ++r) {
        Pack t;
        read_pack(x + r * width + j, t);
        t = (t - m) * f;
        sum[r] -= t * t;
      }
    }
    for (int r = 0; r < kRows; ++r) sums[r * classes + k] = pack_sum(sum[r]);
  }
}

// Scores four rows of codes, eight classes at a time.
template <class T>
DECIBAN_CLONES int score_code_rows(const T* const* x, std::int64_t cols, const TableLayout& layout, const double* table,
                                   std::int64_t padded, double* sums) {
  int findings = 0;
  for (int r = 0; r < kRows; ++r)
    for (std::int64_t k = 0; k < padded; k += 2 * kLanes) {
      const bool two = k + kLanes < padded;
      Lanes first = {}, second = {};
      for (std::int64_t j = 0; j < cols; ++j) {
        const std::int64_t code = code_of(x[r][j], layout.low[j]);
        if (static_cast<std::uint64_t>(code) >= static_cast<std::uint64_t>(layout.start[j + 1] - layout.start[j])) {
          findings |= x[r][j] < T(0) ? kNegative : 0;
          continue;
        }
        const double* entry = table + (layout.start[j] + code) * padded + k;
        first += load(entry);
        if (two) second += load(entry + kLanes);
      }
      store(sums + r * padded + k, first);
      if (two) store(sums + r * padded + k + kLanes, second);
    }
  return findings;
}

// Scores rows in fours. fast(four rows, sums) writes four rows of `stride` sums; careful(row, sums) repeats a row whose
// sums are not finite. A last group of fewer rows repeats its last row, so that the result of a row does not depend on
// the cut between blocks.
template <class T, class Cell, class Fast, class Careful>
void score_rows(const Dense& x, std::int64_t classes, std::int64_t stride, const double* total, double* out, Fast fast,
                Careful careful) {
  std::vector<double> four_sums(kRows * stride);
  for_each_chunk<T, Cell>(x, [&](const Rows<T, Cell>& rows, std::int64_t first, std::int64_t count) {
    for (std::int64_t i = 0; i < count; i += kRows) {
      const Cell* four[kRows];
      for (int r = 0; r < kRows; ++r) four[r] = rows.row(std::min<std::int64_t>(i + r, count - 1));
      fast(four, four_sums.data());
      for (int r = 0; r < kRows && i + r < count; ++r) {
        double* sums = four_sums.data() + r * stride;
        double* target = out + (first + i + r) * classes;
        if (all_finite(sums, classes)) {
          for (std::int64_t k = 0; k < classes; ++k) target[k] += sums[k] + total[k];
        } else {
          careful(four[r], sums);
          for (std::int64_t k = 0; k < classes; ++k) target[k] += sums[k];
        }
      }
    }
  });
}

// Adds up value(j, x, class) over the cells that use(x) accepts, base included. Returns the findings.
template <class Cell, class Use, class Value>
int add_cells(const Cell* row, std::int64_t cols, std::int64_t classes, Use use, Value value, double* sums) {
  int findings = 0;
  std::fill(sums, sums + classes, 0.0);
  for (std::int64_t j = 0; j < cols; ++j) {
    const double v = static_cast<double>(row[j]);
    findings |= finding_of(v);
    if (!use(v)) continue;
    for (std::int64_t k = 0; k < classes; ++k) sums[k] += value(j, v, k);
  }
  return findings;
}

// Four rows as doubles, padded with zeros to full packs.
class StagedRows {
 public:
  explicit StagedRows(std::int64_t width) : width_(width), rows_(kRows * width) {}

  template <class Cell>
  const double* load(const Cell* const* four, std::int64_t cols, bool binarize, double threshold) {
    for (int r = 0; r < kRows; ++r) stage_row(four[r], cols, binarize, threshold, rows_.data() + r * width_);
    return rows_.data();
  }

 private:
  std::int64_t width_;
  std::vector<double> rows_;
};

}  // namespace

int score_linear(const Dense& x, const Linear& p, Shape shape, double* out) {
  return with_type(x.type, [&]<class T>(const T*) {
    using Cell = Wide<T>;
    int findings = 0;
    StagedRows staged(shape.padded);
    const auto fast = [&](const Cell* const* four, double* sums) {
      const double* rows = staged.load(four, x.cols, p.binarize, p.threshold);
      findings |= wanted_findings(rows, kRows * shape.padded, p.wanted);
      score_linear_rows(rows, shape.padded, p.weight, shape.classes, sums);
    };
    const auto value = [&](std::int64_t j, double v, std::int64_t k) {
      const double count = p.binarize ? static_cast<double>(v > p.threshold) : v;
      return (p.base ? p.base[k * shape.padded + j] : 0.0) + count * p.weight[k * shape.padded + j];
    };
    const auto careful = [&](const Cell* row, double* sums) {
      findings |= add_cells(row, x.cols, shape.classes, [](double v) { return !std::isnan(v); }, value, sums);
    };
    score_rows<T, Cell>(x, shape.classes, shape.classes, p.total, out, fast, careful);
    return findings;
  });
}

int score_quadratic(const Dense& x, const Quadratic& p, Shape shape, double* out) {
  return with_type(x.type, [&]<class T>(const T*) {
    using Cell = Wide<T>;
    int findings = 0;
    StagedRows staged(shape.padded);
    const auto fast = [&](const Cell* const* four, double* sums) {
      const double* rows = staged.load(four, x.cols, false, 0.0);
      score_quadratic_rows(rows, shape.padded, p.mean, p.scale, shape.classes, sums);
    };
    const auto value = [&](std::int64_t j, double v, std::int64_t k) {
      const double scale = p.scale[k * shape.padded + j];
      const double t = scale == 0 ? 0.0 : (v - p.mean[k * shape.padded + j]) * scale;
      return p.base[k * shape.padded + j] - t * t;
    };
    const auto careful = [&](const Cell* row, double* sums) {
      findings |= add_cells(row, x.cols, shape.classes, [](double v) { return std::isfinite(v); }, value, sums);
    };
    score_rows<T, Cell>(x, shape.classes, shape.classes, p.total, out, fast, careful);
    return findings;
  });
}

int score_table(const Dense& codes, const TableLayout& layout, const double* table, Shape shape, double* out) {
  const std::vector<double> no_total(shape.classes, 0.0);
  return with_type(codes.type, [&]<class T>(const T*) {
    int findings = 0;
    const auto fast = [&](const T* const* four, double* sums) {
      findings |= score_code_rows(four, codes.cols, layout, table, shape.padded, sums);
    };
    const auto careful = [](const T*, double*) {};  // a table's only infinity is log 0, and its sum is right
    score_rows<T, T>(codes, shape.classes, shape.padded, no_total.data(), out, fast, careful);
    return findings;
  });
}

}  // namespace deciban
