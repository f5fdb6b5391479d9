#include "scores/score.hpp"

#include <cmath>

#include "core/category_code.hpp"
#include "core/cells.hpp"
#include "core/findings.hpp"
#include "core/pack.hpp"
#include "core/rows.hpp"
#include "core/simd.hpp"

namespace deciban {
namespace {

constexpr int kRows = 4;  // rows scored together, so that parameters are loaded once for four

// Copies a row as doubles, binarized if asked; what lies behind it up to a full pack stays zero.
template <class T>
DECIBAN_CLONES void stage_row(const T* __restrict x, std::int64_t cols, bool binarize, double threshold,
                              double* __restrict out) {
  for (std::int64_t j = 0; j < cols; ++j) out[j] = static_cast<double>(x[j]);
  if (binarize)
    for (std::int64_t j = 0; j < cols; ++j) count_cells<true>(out[j], threshold);
}

// Eight partial sums and their total, always in the same order.
DECIBAN_INLINE double total_of(const Pack& v) {
  return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

// Four staged rows against one class after the other; a row's sum does not depend on its neighbours.
DECIBAN_CLONES void linear_rows(const double* x, std::int64_t width, const double* weight, std::int64_t classes,
                                double* acc) {
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
    for (int r = 0; r < kRows; ++r) acc[r * classes + k] = total_of(sum[r]);
  }
}

DECIBAN_CLONES void quadratic_rows(const double* x, std::int64_t width, const double* mean, const double* scale,
                                   std::int64_t classes, double* acc) {
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
    for (int r = 0; r < kRows; ++r) acc[r * classes + k] = total_of(sum[r]);
  }
}

template <class T>
DECIBAN_CLONES int table_rows(const T* const* x, std::int64_t cols, const Coding& coding, const double* table,
                              std::int64_t padded, double* acc) {
  int findings = 0;
  for (int r = 0; r < kRows; ++r)
    for (std::int64_t k = 0; k < padded; k += 2 * kLanes) {
      const bool two = k + kLanes < padded;
      Lanes first = {}, second = {};
      for (std::int64_t j = 0; j < cols; ++j) {
        const std::int64_t code = code_of(x[r][j], coding.low[j]);
        if (static_cast<std::uint64_t>(code) >= static_cast<std::uint64_t>(coding.start[j + 1] - coding.start[j])) {
          // Missing or never seen: no evidence.
          findings |= x[r][j] < T(0) ? kNegative : 0;
          continue;
        }
        const double* entry = table + (coding.start[j] + code) * padded + k;
        first += load(entry);
        if (two) second += load(entry + kLanes);
      }
      store(acc + r * padded + k, first);
      if (two) store(acc + r * padded + k + kLanes, second);
    }
  return findings;
}

// Rows in fours; `fast` fills acc (four rows of `stride`), `careful(row, acc)` does one row again whose sum is not a
// number. A last group of fewer rows repeats its last row, so a row's result never depends on where a block was cut.
template <class T, class Cell, class Fast, class Careful>
void score_rows(const Dense& x, std::int64_t classes, std::int64_t stride, const double* total, double* out, Fast fast,
                Careful careful) {
  std::vector<double> acc(kRows * stride);
  for_each_chunk<T, Cell>(x, [&](const Rows<T, Cell>& rows, std::int64_t first, std::int64_t count) {
    for (std::int64_t i = 0; i < count; i += kRows) {
      const Cell* four[kRows];
      for (int r = 0; r < kRows; ++r) four[r] = rows.row(std::min<std::int64_t>(i + r, count - 1));
      fast(four, acc.data());
      for (int r = 0; r < kRows && i + r < count; ++r) {
        double* sums = acc.data() + r * stride;
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

// Four rows as doubles, padded to full packs with zeros.
class Stage {
 public:
  explicit Stage(std::int64_t width) : width_(width), rows_(kRows * width) {}

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
  return with_type(x.kind, [&]<class T>(const T*) {
    using Cell = Wide<T>;
    int findings = 0;
    Stage stage(shape.padded);
    const auto fast = [&](const Cell* const* four, double* acc) {
      const double* rows = stage.load(four, x.cols, p.binarize, p.threshold);
      if (p.binary) findings |= look(rows, kRows * shape.padded) & kNotBinary;
      linear_rows(rows, shape.padded, p.weight, shape.classes, acc);
    };
    const auto careful = [&](const Cell* row, double* acc) {
      std::fill(acc, acc + shape.classes, 0.0);
      for (std::int64_t j = 0; j < x.cols; ++j) {
        double v = static_cast<double>(row[j]);
        findings |= finding_of(v);
        if (std::isnan(v)) continue;
        if (p.binarize) v = v > p.threshold;
        for (std::int64_t k = 0; k < shape.classes; ++k)
          acc[k] += (p.base ? p.base[k * shape.padded + j] : 0.0) + v * p.weight[k * shape.padded + j];
      }
    };
    score_rows<T, Cell>(x, shape.classes, shape.classes, p.total, out, fast, careful);
    return findings;
  });
}

int score_quadratic(const Dense& x, const Quadratic& p, Shape shape, double* out) {
  return with_type(x.kind, [&]<class T>(const T*) {
    using Cell = Wide<T>;
    int findings = 0;
    Stage stage(shape.padded);
    const auto fast = [&](const Cell* const* four, double* acc) {
      const double* rows = stage.load(four, x.cols, false, 0.0);
      quadratic_rows(rows, shape.padded, p.mean, p.scale, shape.classes, acc);
    };
    const auto careful = [&](const Cell* row, double* acc) {
      std::fill(acc, acc + shape.classes, 0.0);
      for (std::int64_t j = 0; j < x.cols; ++j) {
        const double v = static_cast<double>(row[j]);
        findings |= finding_of(v);
        if (!std::isfinite(v)) continue;
        for (std::int64_t k = 0; k < shape.classes; ++k) {
          const double scale = p.scale[k * shape.padded + j];
          const double t = scale == 0 ? 0.0 : (v - p.mean[k * shape.padded + j]) * scale;
          acc[k] += p.base[k * shape.padded + j] - t * t;
        }
      }
    };
    score_rows<T, Cell>(x, shape.classes, shape.classes, p.total, out, fast, careful);
    return findings;
  });
}

int score_table(const Dense& codes, const Coding& coding, const double* table, Shape shape, double* out) {
  const std::vector<double> none(shape.classes, 0.0);
  return with_type(codes.kind, [&]<class T>(const T*) {
    int findings = 0;
    const auto fast = [&](const T* const* four, double* acc) {
      findings |= table_rows(four, codes.cols, coding, table, shape.padded, acc);
    };
    const auto careful = [](const T*, double*) {};  // only a true zero (-inf) gets here, and its sum stands
    score_rows<T, T>(codes, shape.classes, shape.padded, none.data(), out, fast, careful);
    return findings;
  });
}

}  // namespace deciban
