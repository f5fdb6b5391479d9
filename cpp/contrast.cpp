#include "contrast.hpp"

#include <algorithm>
#include <utility>

#include "bins.hpp"

namespace deciban {
namespace {

inline double difference(double a, double b) { return a == b ? 0.0 : a - b; }

// A few rows at a time, column by column, so that rows that lie side by side are fetched once.
template <class Write>
void each_chunk(const std::vector<Column>& columns, const Pair& who, Written out, Write write) {
  for (std::int64_t first = 0; first < who.rows; first += kNumbers) {
    const std::int64_t n = std::min(kNumbers, who.rows - first);
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

}  // namespace

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
    const auto least = static_cast<double>(low[j]);
    std::int32_t code[kNumbers];
    for (std::int64_t i = 0; i < n; ++i) {
      const double at = v[i] - least;  // NaN is in no range
      code[i] = at >= 0 && at < size ? static_cast<std::int32_t>(at) : -1;
    }
    write_entries(code, n, size, table + start[j] * shape.padded, shape.padded, of, against, to);
  });
}

void contrast_steps(const std::vector<Column>& columns, const double* const* cuts, const std::int64_t* start,
                    const double* table, Shape shape, const Pair& who, Written out) {
  std::vector<Cuts> search;
  for (std::size_t j = 0; j < columns.size(); ++j) search.emplace_back(cuts[j], start[j + 1] - start[j] - 1);
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
