#include "scores/contrast.hpp"

#include <algorithm>
#include <utility>

#include "core/category_code.hpp"
#include "core/simd.hpp"
#include "scores/bins.hpp"

namespace deciban {
namespace {

// a - b, but 0 for two equal infinities.
inline double difference(double a, double b) { return a == b ? 0.0 : a - b; }

constexpr std::int64_t kRows = 256;  // at most kBlock

// Some rows of one column.
struct ColumnBlock {
  std::size_t column;
  const double* v;
  std::int64_t n;
  const std::int32_t *target, *rival;
  double* out;
};

// Calls write(block) for every column of a few rows at a time, so that columns that share cache lines are read once.
template <class Write>
void for_each_block(const std::vector<Column>& columns, const ClassPairs& pairs, ColumnOutput out, Write write) {
  for (std::int64_t first = 0; first < pairs.rows; first += kRows) {
    const std::int64_t n = std::min(kRows, pairs.rows - first);
    for (std::size_t j = 0; j < columns.size(); ++j) {
      double buffer[kBlock];
      write(ColumnBlock{j, read_numbers(columns[j], first, n, buffer), n, pairs.target + first, pairs.rival + first,
                        out.data + static_cast<std::int64_t>(j) * out.stride + first});
    }
  }
}

// Writes the difference of two entries of a table (size x padded) for every code; a code outside gives 0.
void write_entries(const ColumnBlock& block, const std::int32_t* code, std::int32_t size, const double* table,
                   std::int64_t padded) {
  for (std::int64_t i = 0; i < block.n; ++i) {
    const bool known = static_cast<std::uint32_t>(code[i]) < static_cast<std::uint32_t>(size);
    const double* entry = table + (known ? std::int64_t{code[i]} : 0) * padded;
    block.out[i] = known ? difference(entry[block.target[i]], entry[block.rival[i]]) : 0.0;
  }
}

template <class T>
DECIBAN_CLONES void contrast_gaussian_row(const T* __restrict x, std::int64_t n, const double* __restrict mean_a,
                                          const double* __restrict scale_a, const double* __restrict base_a,
                                          const double* __restrict mean_b, const double* __restrict scale_b,
                                          const double* __restrict base_b, double* __restrict out) {
  for (std::int64_t j = 0; j < n; ++j) {
    const auto v = static_cast<double>(x[j]);
    const double a = (v - mean_a[j]) * scale_a[j], b = (v - mean_b[j]) * scale_b[j];
    out[j] = v == v ? (base_a[j] - a * a) - (base_b[j] - b * b) : 0.0;
  }
}

// The most common case: neither base nor threshold.
template <class T>
DECIBAN_CLONES void contrast_weight_row(const T* __restrict x, std::int64_t n, const double* __restrict a,
                                        const double* __restrict b, double* __restrict out) {
  for (std::int64_t j = 0; j < n; ++j) {
    const auto v = static_cast<double>(x[j]);
    out[j] = v == v ? v * (a[j] - b[j]) : 0.0;
  }
}

// Calls write(row, target, rival, output row) for every row of a matrix in row order.
template <class Write>
void for_each_row(const Dense& x, const ClassPairs& pairs, RowOutput out, Write write) {
  with_type(x.type, [&]<class T>(const T*) {
    for (std::int64_t i = 0; i < x.rows; ++i)
      write(static_cast<const T*>(x.data) + i * x.row_stride, pairs.target[i], pairs.rival[i],
            out.data + i * out.stride);
  });
}

bool all_finite_parameters(const double* parameters, std::int64_t n) {
  return !parameters || all_finite(parameters, n);
}

}  // namespace

void contrast_gaussian_rows(const Dense& x, const double* mean, const double* scale, const double* base,
                            std::int64_t padded, const ClassPairs& pairs, RowOutput out) {
  for_each_row(x, pairs, out, [&](const auto* row, std::int64_t target, std::int64_t rival, double* to) {
    const std::int64_t a = target * padded, b = rival * padded;
    contrast_gaussian_row(row, x.cols, mean + a, scale + a, base + a, mean + b, scale + b, base + b, to);
  });
}

void contrast_linear_rows(const Dense& x, const double* weight, const double* base, const double* threshold,
                          std::int64_t padded, const ClassPairs& pairs, RowOutput out) {
  for_each_row(x, pairs, out, [&](const auto* row, std::int64_t target, std::int64_t rival, double* to) {
    const std::int64_t a = target * padded, b = rival * padded;
    if (!base && !threshold) return contrast_weight_row(row, x.cols, weight + a, weight + b, to);
    for (std::int64_t j = 0; j < x.cols; ++j) {
      const auto v = static_cast<double>(row[j]);
      const double count = threshold ? static_cast<double>(v > *threshold) : v;
      const double base_difference = base ? base[a + j] - base[b + j] : 0.0;
      to[j] = v == v ? base_difference + count * (weight[a + j] - weight[b + j]) : 0.0;
    }
  });
}

void contrast_code_rows(const Dense& x, const TableLayout& layout, const double* table, std::int64_t padded,
                        const ClassPairs& pairs, RowOutput out) {
  for_each_row(x, pairs, out, [&](const auto* row, std::int64_t target, std::int64_t rival, double* to) {
    for (std::int64_t j = 0; j < x.cols; ++j) {
      const std::int64_t start = layout.start[j], size = layout.start[j + 1] - start;
      const std::int64_t code = code_of(row[j], layout.low[j]);
      const bool known = static_cast<std::uint64_t>(code) < static_cast<std::uint64_t>(size);
      const double* entry = table + (start + (known ? code : 0)) * padded;
      to[j] = known ? difference(entry[target], entry[rival]) : 0.0;
    }
  });
}

void contrast_linear(const std::vector<Column>& columns, const double* weight, const double* base,
                     const double* threshold, Shape shape, const ClassPairs& pairs, ColumnOutput out) {
  for_each_block(columns, pairs, out, [&](const ColumnBlock& block) {
    const std::int64_t at = static_cast<std::int64_t>(block.column) * shape.padded;
    const double* w = weight + at;
    const double* b = base ? base + at : nullptr;
    const bool finite = all_finite_parameters(w, shape.padded) && all_finite_parameters(b, shape.padded);
    const auto score = [&](double x, std::int32_t c) { return (b ? b[c] : 0.0) + (x == 0 ? 0.0 : x * w[c]); };
    for (std::int64_t i = 0; i < block.n; ++i) {
      const double v = block.v[i], x = threshold ? static_cast<double>(v > *threshold) : v;
      const std::int32_t target = block.target[i], rival = block.rival[i];
      const double contrast = finite ? (b ? b[target] - b[rival] : 0.0) + x * (w[target] - w[rival])
                                     : difference(score(x, target), score(x, rival));
      block.out[i] = v == v ? contrast : 0.0;
    }
  });
}

void contrast_gaussian(const std::vector<Column>& columns, const double* parameters, Shape shape,
                       const ClassPairs& pairs, ColumnOutput out) {
  for_each_block(columns, pairs, out, [&](const ColumnBlock& block) {
    const double* mean = parameters + 3 * static_cast<std::int64_t>(block.column) * shape.padded;
    const double *scale = mean + shape.padded, *base = scale + shape.padded;
    for (std::int64_t i = 0; i < block.n; ++i) {
      const double v = block.v[i];
      const std::int32_t target = block.target[i], rival = block.rival[i];
      const double a = (v - mean[target]) * scale[target], b = (v - mean[rival]) * scale[rival];
      const double contrast = difference(base[target] - a * a, base[rival] - b * b);
      block.out[i] = v == v ? contrast : 0.0;
    }
  });
}

void contrast_codes(const std::vector<Column>& columns, const TableLayout& layout, const double* table, Shape shape,
                    const ClassPairs& pairs, ColumnOutput out) {
  for_each_block(columns, pairs, out, [&](const ColumnBlock& block) {
    const std::int64_t start = layout.start[block.column], low = layout.low[block.column];
    const auto size = static_cast<std::int32_t>(layout.start[block.column + 1] - start);
    std::int32_t code[kBlock];
    for (std::int64_t i = 0; i < block.n; ++i) {
      const std::int64_t found = code_of(block.v[i], low);
      code[i] = found >= 0 && found < size ? static_cast<std::int32_t>(found) : -1;
    }
    write_entries(block, code, size, table + start * shape.padded, shape.padded);
  });
}

void contrast_steps(const std::vector<Column>& columns, const double* const* cuts, const std::int64_t* start,
                    const double* table, Shape shape, const ClassPairs& pairs, ColumnOutput out) {
  const std::vector<Cuts> column_cuts = make_cuts(cuts, start, columns.size());
  for_each_block(columns, pairs, out, [&](const ColumnBlock& block) {
    const std::size_t j = block.column;
    std::int32_t bin[kBlock];
    column_cuts[j].find(block.v, block.n, bin);
    write_entries(block, bin, static_cast<std::int32_t>(start[j + 1] - start[j]), table + start[j] * shape.padded,
                  shape.padded);
  });
}

void contrast_scores(const double* scores, std::int64_t classes, const ClassPairs& pairs, double* out) {
  for (std::int64_t i = 0; i < pairs.rows; ++i)
    out[i] = difference(scores[i * classes + pairs.target[i]], scores[i * classes + pairs.rival[i]]);
}

void two_best(const double* posterior, std::int64_t rows, std::int64_t classes, std::int32_t* best,
              std::int32_t* second) {
  for (std::int64_t i = 0; i < rows; ++i) {
    const double* p = posterior + i * classes;
    std::int32_t top = 0, next = classes > 1 ? 1 : 0;
    if (classes > 1 && p[1] > p[0]) std::swap(top, next);
    for (std::int32_t c = 2; c < classes; ++c)
      if (p[c] > p[top])
        next = top, top = c;
      else if (p[c] > p[next])
        next = c;
    best[i] = top, second[i] = next;
  }
}

}  // namespace deciban
