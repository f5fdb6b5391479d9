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

[[noreturn]] void throw_bad_code(double value, std::int64_t column, std::int64_t low, std::int64_t size) {
  throw std::out_of_range("code " + std::to_string(value) + " in column " + std::to_string(column) +
                          " is outside its declared range " + std::to_string(low) + " to " +
                          std::to_string(low + size - 1));
}

// Counts the cells of a row from column j on. Returns the first column whose code is outside the table, or cols.
template <class T>
inline std::int64_t count_row(const T* __restrict x, std::int64_t j, std::int64_t cols,
                              const std::int64_t* __restrict low, const std::int64_t* __restrict start,
                              const std::int64_t* __restrict size, double weight, double* __restrict count) {
  for (; j < cols; ++j) {
    const std::int64_t code = code_of(x[j], low[j]);
    if (static_cast<std::uint64_t>(code) >= static_cast<std::uint64_t>(size[j])) break;
    count[start[j] + code] += weight;
  }
  return j;
}

// Several copies of a small table are filled in turns, so that an addition need not wait for the one before it to the
// same cell.
constexpr std::int64_t kCopies = 8;
constexpr std::int64_t kSmallTable = 1024;  // cells
constexpr std::int64_t kRowsAtOnce = 1024;

// Writes the cell of every row in a table of (classes + 1) x (size + 1). The last row and the last column take rows
// without a class and missing codes.
DECIBAN_CLONES void find_cells(const std::int32_t* __restrict codes, const std::int32_t* __restrict row_classes,
                               std::int64_t n, std::uint32_t size, std::uint32_t classes,
                               std::uint32_t* __restrict cell) {
  for (std::int64_t i = 0; i < n; ++i) {
    const auto code = static_cast<std::uint32_t>(codes[i]), row_class = static_cast<std::uint32_t>(row_classes[i]);
    cell[i] = (row_class < classes ? row_class : classes) * (size + 1) + (code < size ? code : size);
  }
}

// Counts one column into `copies` (1 or kCopies) tables of (classes + 1) x (size + 1) cells each.
template <class Count, class Weight>
void fill_tables(const std::int32_t* codes, const Labels& labels, std::uint32_t size, Weight weight,
                 std::int64_t copies, Count* __restrict count) {
  const auto classes = static_cast<std::uint32_t>(labels.classes);
  const std::int64_t cells = (labels.classes + 1) * (std::int64_t{size} + 1), step = copies == 1 ? 0 : cells;
  std::uint32_t cell[kRowsAtOnce];
  for (std::int64_t first = 0; first < labels.rows; first += kRowsAtOnce) {
    const std::int64_t n = std::min(kRowsAtOnce, labels.rows - first);
    find_cells(codes + first, labels.codes + first, n, size, classes, cell);
    std::int64_t i = 0;
    for (; i + kCopies <= n; i += kCopies)
      for (std::int64_t t = 0; t < kCopies; ++t) count[t * step + cell[i + t]] += weight(first + i + t);
    for (; i < n; ++i) count[cell[i]] += weight(first + i);
  }
}

// Adds one column to the rows of `count`, which are `width` entries apart.
template <class Count, class Weight>
void add_column(const std::int32_t* codes, const Labels& labels, std::uint32_t size, Weight weight, std::int64_t width,
                double* count) {
  const std::int64_t cells = (labels.classes + 1) * (std::int64_t{size} + 1);
  if (cells > UINT32_MAX) throw std::invalid_argument("a table of counts has at most 4294967295 cells");
  const std::int64_t copies = cells <= kSmallTable ? kCopies : 1;
  std::vector<Count> table(copies * cells);
  fill_tables(codes, labels, size, weight, copies, table.data());
  for (std::int64_t t = 0; t < copies; ++t)
    for (std::int64_t c = 0; c < labels.classes; ++c)
      for (std::int64_t k = 0; k < size; ++k)
        count[c * width + k] += static_cast<double>(table[t * cells + c * (size + 1) + k]);
}

void add_soft_column(const std::int32_t* codes, const Labels& labels, std::uint32_t size, std::int64_t width,
                     double* count) {
  for (std::int64_t i = 0; i < labels.rows; ++i) {
    const auto code = static_cast<std::uint32_t>(codes[i]);
    if (code >= size) continue;
    for (std::int64_t c = 0; c < labels.classes; ++c) count[c * width + code] += labels.soft[i * labels.classes + c];
  }
}

template <class T>
DECIBAN_CLONES void widen_range(const T* __restrict x, std::int64_t cols, T* __restrict low, T* __restrict high) {
  for (std::int64_t j = 0; j < cols; ++j) {
    low[j] = x[j] < low[j] ? x[j] : low[j];
    high[j] = x[j] > high[j] ? x[j] : high[j];
  }
}

template <class T>
void check_integers(const T* row, std::int64_t cols) {
  for (std::int64_t j = 0; j < cols; ++j)
    if (row[j] == row[j] && !is_code(row[j]))
      throw std::invalid_argument("value " + std::to_string(row[j]) + " is not an integer code");
}

template <class T>
void write_range(T least, T greatest, std::int64_t& low, std::int64_t& high) {
  if (least > greatest) {
    low = 0;
    high = -1;
    return;
  }
  if constexpr (std::is_same_v<T, std::uint64_t>)
    if (!is_code(greatest))
      throw std::invalid_argument("value " + std::to_string(greatest) + " does not fit a signed 64-bit code");
  low = static_cast<std::int64_t>(least);
  high = static_cast<std::int64_t>(greatest);
}

}  // namespace

int add_counts(const Dense& codes, const Labels& labels, const TableLayout& layout, double* count) {
  const std::int64_t cols = codes.cols, width = layout.start[cols];
  std::vector<std::int64_t> sizes(cols);
  for (std::int64_t j = 0; j < cols; ++j) sizes[j] = layout.start[j + 1] - layout.start[j];
  return with_type(codes.type, [&]<class T>(const T*) {
    int findings = 0;
    const auto add_group = [&](std::int64_t c, const T* const* rows, const double* weights, std::int64_t n,
                               NextChunk<T> next) {
      for (std::int64_t i = 0; i < n; ++i) {
        next.prefetch(i);
        // count_row stops at every code outside the table: NaN is skipped, anything else is an error.
        for (std::int64_t j = 0;; ++j) {
          j = count_row(rows[i], j, cols, layout.low, layout.start, sizes.data(), weights[i], count + c * width);
          if (j == cols) break;
          const T x = rows[i][j];
          if (x == x) throw_bad_code(static_cast<double>(x), j, layout.low[j], sizes[j]);
          findings |= kMissing;
        }
      }
    };
    for_each_group<T, T>(codes, labels, add_group);
    return findings;
  });
}

void count_codes(const std::vector<const std::int32_t*>& columns, const Labels& labels, const std::int64_t* start,
                 double* count) {
  check_classes(labels);
  const std::int64_t width = start[columns.size()];
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const auto size = static_cast<std::uint32_t>(start[j + 1] - start[j]);
    double* column_count = count + start[j];
    if (labels.soft)
      add_soft_column(columns[j], labels, size, width, column_count);
    else if (labels.weight)
      add_column<double>(
          columns[j], labels, size, [&](std::int64_t i) { return labels.weight[i]; }, width, column_count);
    else if (labels.rows <= UINT32_MAX)
      add_column<std::uint32_t>(columns[j], labels, size, [](std::int64_t) { return 1u; }, width, column_count);
    else
      add_column<double>(columns[j], labels, size, [](std::int64_t) { return 1.0; }, width, column_count);
  }
}

void column_ranges(const Dense& x, std::int64_t* low, std::int64_t* high) {
  with_type(x.type, [&]<class T>(const T*) {
    using Limits = std::numeric_limits<T>;
    std::vector<T> least(x.cols, Limits::max()), greatest(x.cols, Limits::lowest());
    for_each_chunk<T, T>(x, [&](const Rows<T>& rows, std::int64_t, std::int64_t count) {
      for (std::int64_t i = 0; i < count; ++i) {
        widen_range(rows.row(i), x.cols, least.data(), greatest.data());
        if constexpr (std::is_floating_point_v<T>) check_integers(rows.row(i), x.cols);
      }
    });
    for (std::int64_t j = 0; j < x.cols; ++j) write_range(least[j], greatest[j], low[j], high[j]);
  });
}

}  // namespace deciban
