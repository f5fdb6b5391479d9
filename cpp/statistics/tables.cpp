#include "statistics/tables.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

#include "core/category_code.hpp"
#include "core/group.hpp"
#include "core/pack.hpp"
#include "core/simd.hpp"

namespace deciban {
namespace {

[[noreturn]] void bad_code(double value, std::int64_t column, std::int64_t low, std::int64_t size) {
  throw std::out_of_range("code " + std::to_string(value) + " in column " + std::to_string(column) +
                              " is outside its declared range " + std::to_string(low) + " to " +
                              std::to_string(low + size - 1));
}

// Counts the cells of a row from `j` on; returns the first column whose cell has no place in the table, or cols.
template <class T>
inline std::int64_t count_row(const T* __restrict x, std::int64_t j, std::int64_t cols,
                              const std::int64_t* __restrict low, const std::int64_t* __restrict start,
                              const std::int64_t* __restrict size, double weight, double* __restrict into) {
  for (; j < cols; ++j) {
    const std::int64_t k = code_of(x[j], low[j]);
    if (static_cast<std::uint64_t>(k) >= static_cast<std::uint64_t>(size[j])) break;
    into[start[j] + k] += weight;
  }
  return j;
}

template <class T>
DECIBAN_CLONES void widen(const T* __restrict x, std::int64_t cols, T* __restrict low, T* __restrict high) {
  for (std::int64_t j = 0; j < cols; ++j) {
    low[j] = x[j] < low[j] ? x[j] : low[j];
    high[j] = x[j] > high[j] ? x[j] : high[j];
  }
}

}  // namespace

int add_counts(const Dense& codes, const Labels& labels, const Coding& coding, double* count) {
  const std::int64_t cols = codes.cols, width = coding.start[cols];
  std::vector<std::int64_t> sizes(cols);
  for (std::int64_t j = 0; j < cols; ++j) sizes[j] = coding.start[j + 1] - coding.start[j];
  return with_type(codes.kind, [&]<class T>(const T*) {
    int findings = 0;
    for_each_group<T, T>(codes, labels, [&](std::int64_t c, const T* const* rows, const double* weights, std::int64_t n, Coming<T> coming) {
      double* into = count + c * width;
      for (std::int64_t i = 0; i < n; ++i) {
        coming.prefetch(i);
        // Up to the first cell without a place, which is missing or an error; then on behind it.
        for (std::int64_t j = 0;; ++j) {
          j = count_row(rows[i], j, cols, coding.low, coding.start, sizes.data(), weights[i], into);
          if (j == cols) break;
          const T x = rows[i][j];
          if (x == x)
            bad_code(static_cast<double>(x), j, coding.low[j], sizes[j]);
          findings |= kMissing;
        }
      }
    });
    return findings;
  });
}

namespace {

// Rows take turns in filling so many small tables, so that a sum need not wait for the one before to the same cell.
constexpr std::int64_t kTables = 8;
constexpr std::int64_t kSmall = 1024;  // cells
constexpr std::int64_t kAtOnce = 1024;

// Where in a table of (classes + 1) x (size + 1) every row counts; the last of each takes what is missing.
DECIBAN_CLONES void find_cells(const std::int32_t* __restrict codes, const std::int32_t* __restrict classes,
                               std::int64_t n, std::uint32_t size, std::uint32_t none, std::uint32_t* __restrict cell) {
  for (std::int64_t i = 0; i < n; ++i) {
    const auto code = static_cast<std::uint32_t>(codes[i]), row_class = static_cast<std::uint32_t>(classes[i]);
    cell[i] = (row_class < none ? row_class : none) * (size + 1) + (code < size ? code : size);
  }
}

// One column, into tables of (classes + 1) x (size + 1) cells each.
template <class Count, class Weight>
void count_column(const std::int32_t* codes, const Labels& labels, std::uint32_t size, Weight weight,
                  std::int64_t tables, Count* __restrict count) {
  const auto classes = static_cast<std::uint32_t>(labels.classes);
  const std::int64_t cells = (labels.classes + 1) * (std::int64_t{size} + 1), step = tables == 1 ? 0 : cells;
  std::uint32_t cell[kAtOnce];
  for (std::int64_t first = 0; first < labels.rows; first += kAtOnce) {
    const std::int64_t n = std::min(kAtOnce, labels.rows - first);
    find_cells(codes + first, labels.codes + first, n, size, classes, cell);
    std::int64_t i = 0;
    for (; i + kTables <= n; i += kTables)
      for (std::int64_t t = 0; t < kTables; ++t) count[t * step + cell[i + t]] += weight(first + i + t);
    for (; i < n; ++i) count[cell[i]] += weight(first + i);
  }
}

// The same, added to the rows of `count`, which are `width` apart.
template <class Count, class Weight>
void add_column(const std::int32_t* codes, const Labels& labels, std::uint32_t size, Weight weight,
                std::int64_t width, double* count) {
  const std::int64_t cells = (labels.classes + 1) * (std::int64_t{size} + 1);
  if (cells > UINT32_MAX) throw std::invalid_argument("a table of counts has at most 4294967295 cells");
  const std::int64_t tables = cells <= kSmall ? kTables : 1;
  std::vector<Count> table(tables * cells);
  count_column(codes, labels, size, weight, tables, table.data());
  for (std::int64_t t = 0; t < tables; ++t)
    for (std::int64_t c = 0; c < labels.classes; ++c)
      for (std::int64_t k = 0; k < size; ++k)
        count[c * width + k] += static_cast<double>(table[t * cells + c * (size + 1) + k]);
}

template <class T>
void require_codes(const T* row, std::int64_t cols) {
  for (std::int64_t j = 0; j < cols; ++j)
    if (row[j] == row[j] && !is_code(row[j]))
      throw std::invalid_argument("value " + std::to_string(row[j]) + " is not an integer code");
}

void count_soft_column(const std::int32_t* codes, const Labels& labels, std::uint32_t size, std::int64_t width,
                       double* count) {
  for (std::int64_t i = 0; i < labels.rows; ++i) {
    const auto code = static_cast<std::uint32_t>(codes[i]);
    if (code >= size) continue;
    for (std::int64_t c = 0; c < labels.classes; ++c) count[c * width + code] += labels.soft[i * labels.classes + c];
  }
}

}  // namespace

void count_codes(const std::vector<const std::int32_t*>& columns, const Labels& labels, const std::int64_t* start,
                 double* count) {
  check_classes(labels);
  const std::int64_t width = start[columns.size()];
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const auto size = static_cast<std::uint32_t>(start[j + 1] - start[j]);
    double* into = count + start[j];
    if (labels.soft)
      count_soft_column(columns[j], labels, size, width, into);
    else if (labels.weight)
      add_column<double>(columns[j], labels, size, [&](std::int64_t i) { return labels.weight[i]; }, width, into);
    else if (labels.rows <= UINT32_MAX)
      add_column<std::uint32_t>(columns[j], labels, size, [](std::int64_t) { return 1u; }, width, into);
    else
      add_column<double>(columns[j], labels, size, [](std::int64_t) { return 1.0; }, width, into);
  }
}

void column_ranges(const Dense& x, std::int64_t* low, std::int64_t* high) {
  with_type(x.kind, [&]<class T>(const T*) {
    using Limits = std::numeric_limits<T>;
    std::vector<T> least(x.cols, Limits::max()), greatest(x.cols, Limits::lowest());
    for_each_chunk<T, T>(x, [&](const Rows<T>& rows, std::int64_t, std::int64_t count) {
      for (std::int64_t i = 0; i < count; ++i) {
        widen(rows.row(i), x.cols, least.data(), greatest.data());
        if constexpr (std::is_floating_point_v<T>) require_codes(rows.row(i), x.cols);
      }
    });
    for (std::int64_t j = 0; j < x.cols; ++j) {
      if (least[j] > greatest[j]) {
        low[j] = 0;
        high[j] = -1;
        continue;
      }
      if constexpr (std::is_same_v<T, std::uint64_t>)
        if (greatest[j] > static_cast<T>(std::numeric_limits<std::int64_t>::max()))
          throw std::invalid_argument("value " + std::to_string(greatest[j]) + " does not fit a signed 64-bit code");
      low[j] = static_cast<std::int64_t>(least[j]);
      high[j] = static_cast<std::int64_t>(greatest[j]);
    }
  });
}

}  // namespace deciban
