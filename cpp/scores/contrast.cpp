#include "scores/contrast.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "core/category_code.hpp"
#include "core/simd.hpp"
#include "scores/bins.hpp"

namespace deciban {
namespace {

inline double difference(double a, double b) { return a == b ? 0.0 : a - b; }

constexpr std::int64_t kRows = 256;  // at most kNumbers

// A few rows at a time, column by column, so that columns that lie side by side are fetched once.
template <class Write>
void each_chunk(const std::vector<Column>& columns, const Pair& who, Written out, Write write) {
  for (std::int64_t first = 0; first < who.rows; first += kRows) {
    const std::int64_t n = std::min(kRows, who.rows - first);
    for (std::size_t j = 0; j < columns.size(); ++j) {
      double buffer[kNumbers];
      write(j, read_numbers(columns[j], first, n, buffer), n, who.of + first, who.against + first,
            out.data + static_cast<std::int64_t>(j) * out.stride + first);
    }
  }
}

// Entries of a table; -1 for codes without one.
void write_entries(const std::int32_t* code, std::int64_t n, std::int32_t size, const double* table,
                   std::int64_t padded, const std::int32_t* of, const std::int32_t* against, double* out) {
  for (std::int64_t i = 0; i < n; ++i) {
    const bool known = static_cast<std::uint32_t>(code[i]) < static_cast<std::uint32_t>(size);
    const double* entry = table + (known ? std::int64_t{code[i]} : 0) * padded;
    out[i] = known ? difference(entry[of[i]], entry[against[i]]) : 0.0;
  }
}

template <class T>
DECIBAN_CLONES void curve_row(const T* __restrict x, std::int64_t n, const double* __restrict mean_a,
                              const double* __restrict scale_a, const double* __restrict base_a,
                              const double* __restrict mean_b, const double* __restrict scale_b,
                              const double* __restrict base_b, double* __restrict out) {
  for (std::int64_t j = 0; j < n; ++j) {
    const auto v = static_cast<double>(x[j]);
    const double a = (v - mean_a[j]) * scale_a[j], b = (v - mean_b[j]) * scale_b[j];
    out[j] = v == v ? (base_a[j] - a * a) - (base_b[j] - b * b) : 0.0;
  }
}

template <class T>
DECIBAN_CLONES void linear_row(const T* __restrict x, std::int64_t n, const double* __restrict a,
                               const double* __restrict b, double* __restrict out) {
  for (std::int64_t j = 0; j < n; ++j) {
    const auto v = static_cast<double>(x[j]);
    out[j] = v == v ? v * (a[j] - b[j]) : 0.0;
  }
}

template <class T>
const T* row_of(const Dense& x, std::int64_t i) {
  return static_cast<const T*>(x.data) + i * x.row_stride;
}

}  // namespace

void contrast_curve_rows(const Dense& x, const double* mean, const double* scale, const double* base,
                         std::int64_t padded, const Pair& who, Rows out) {
  with_type(x.kind, [&]<class T>(const T*) {
    for (std::int64_t i = 0; i < x.rows; ++i) {
      const std::int64_t a = who.of[i] * padded, b = who.against[i] * padded;
      curve_row(row_of<T>(x, i), x.cols, mean + a, scale + a, base + a, mean + b, scale + b, base + b,
                out.data + i * out.stride);
    }
  });
}

void contrast_linear_rows(const Dense& x, const double* weight, const double* base, const double* threshold,
                          std::int64_t padded, const Pair& who, Rows out) {
  with_type(x.kind, [&]<class T>(const T*) {
    for (std::int64_t i = 0; i < x.rows; ++i) {
      const std::int64_t a = who.of[i] * padded, b = who.against[i] * padded;
      const T* row = row_of<T>(x, i);
      double* to = out.data + i * out.stride;
      if (!base && !threshold) {
        linear_row(row, x.cols, weight + a, weight + b, to);
        continue;
      }
      for (std::int64_t j = 0; j < x.cols; ++j) {
        const auto v = static_cast<double>(row[j]);
        const double n = threshold ? static_cast<double>(v > *threshold) : v;
        const double gap = base ? base[a + j] - base[b + j] : 0.0;
        to[j] = v == v ? gap + n * (weight[a + j] - weight[b + j]) : 0.0;
      }
    }
  });
}

void contrast_code_rows(const Dense& x, const std::int64_t* low, const std::int64_t* start, const double* table,
                        std::int64_t padded, const Pair& who, Rows out) {
  with_type(x.kind, [&]<class T>(const T*) {
    for (std::int64_t i = 0; i < x.rows; ++i) {
      const T* row = row_of<T>(x, i);
      double* to = out.data + i * out.stride;
      for (std::int64_t j = 0; j < x.cols; ++j) {
        const std::int64_t code = code_of(row[j], low[j]);
        const bool known = static_cast<std::uint64_t>(code) < static_cast<std::uint64_t>(start[j + 1] - start[j]);
        const double* entry = table + (start[j] + (known ? code : 0)) * padded;
        to[j] = known ? difference(entry[who.of[i]], entry[who.against[i]]) : 0.0;
      }
    }
  });
}

void contrast_linear(const std::vector<Column>& columns, const double* weight, const double* base,
                     const double* threshold, Shape shape, const Pair& who, Written out) {
  each_chunk(columns, who, out, [&](std::size_t j, const double* v, std::int64_t n, const std::int32_t* of,
                                    const std::int32_t* against, double* to) {
    const double* w = weight + static_cast<std::int64_t>(j) * shape.padded;
    const double* b = base ? base + static_cast<std::int64_t>(j) * shape.padded : nullptr;
    const auto finite = [](double p) { return p - p == 0; };
    const bool plain = std::all_of(w, w + shape.padded, finite) && (!b || std::all_of(b, b + shape.padded, finite));
    const auto score = [&](double x, std::int32_t c) { return (b ? b[c] : 0.0) + (x == 0 ? 0.0 : x * w[c]); };
    for (std::int64_t i = 0; i < n; ++i) {
      const double x = threshold ? static_cast<double>(v[i] > *threshold) : v[i];
      const double found = plain ? (b ? b[of[i]] - b[against[i]] : 0.0) + x * (w[of[i]] - w[against[i]])
                                 : difference(score(x, of[i]), score(x, against[i]));
      to[i] = v[i] == v[i] ? found : 0.0;
    }
  });
}

void contrast_curves(const std::vector<Column>& columns, const double* parameters, Shape shape, const Pair& who,
                     Written out) {
  each_chunk(columns, who, out, [&](std::size_t j, const double* v, std::int64_t n, const std::int32_t* of,
                                    const std::int32_t* against, double* to) {
    const double* mean = parameters + 3 * static_cast<std::int64_t>(j) * shape.padded;
    const double *scale = mean + shape.padded, *base = scale + shape.padded;
    for (std::int64_t i = 0; i < n; ++i) {
      const double a = (v[i] - mean[of[i]]) * scale[of[i]], b = (v[i] - mean[against[i]]) * scale[against[i]];
      const double found = difference(base[of[i]] - a * a, base[against[i]] - b * b);
      to[i] = v[i] == v[i] ? found : 0.0;
    }
  });
}

void contrast_codes(const std::vector<Column>& columns, const std::int64_t* low, const std::int64_t* start,
                    const double* table, Shape shape, const Pair& who, Written out) {
  each_chunk(columns, who, out, [&](std::size_t j, const double* v, std::int64_t n, const std::int32_t* of,
                                    const std::int32_t* against, double* to) {
    const auto size = static_cast<std::int32_t>(start[j + 1] - start[j]);
    std::int32_t code[kNumbers];
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t at = code_of(v[i], low[j]);
      code[i] = at >= 0 && at < size ? static_cast<std::int32_t>(at) : -1;
    }
    write_entries(code, n, size, table + start[j] * shape.padded, shape.padded, of, against, to);
  });
}

void contrast_steps(const std::vector<Column>& columns, const double* const* cuts, const std::int64_t* start,
                    const double* table, Shape shape, const Pair& who, Written out) {
  const std::vector<Cuts> search = cuts_of(cuts, start, columns.size());
  each_chunk(columns, who, out, [&](std::size_t j, const double* v, std::int64_t n, const std::int32_t* of,
                                    const std::int32_t* against, double* to) {
    std::int32_t bin[kNumbers];
    search[j].find(v, n, bin);
    write_entries(bin, n, static_cast<std::int32_t>(start[j + 1] - start[j]), table + start[j] * shape.padded,
                  shape.padded, of, against, to);
  });
}

void contrast_scores(const double* scores, std::int64_t classes, const Pair& who, double* out) {
  for (std::int64_t i = 0; i < who.rows; ++i)
    out[i] = difference(scores[i * classes + who.of[i]], scores[i * classes + who.against[i]]);
}

void two_best(const double* posterior, std::int64_t rows, std::int64_t classes, std::int32_t* of,
              std::int32_t* against) {
  for (std::int64_t i = 0; i < rows; ++i) {
    const double* p = posterior + i * classes;
    std::int32_t first = 0, second = classes > 1 ? 1 : 0;
    if (classes > 1 && p[1] > p[0]) std::swap(first, second);
    for (std::int32_t c = 2; c < classes; ++c)
      if (p[c] > p[first])
        second = first, first = c;
      else if (p[c] > p[second])
        second = c;
    of[i] = first, against[i] = second;
  }
}

}  // namespace deciban
