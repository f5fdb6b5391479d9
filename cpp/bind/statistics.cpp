#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bind/arrays.hpp"
#include "bind/labels.hpp"
#include "bind/layout.hpp"
#include "statistics/histogram.hpp"
#include "statistics/moments.hpp"
#include "statistics/sums.hpp"
#include "statistics/tables.hpp"

namespace deciban {
namespace {

using Threshold = std::optional<double>;

SumOptions sum_options(const Threshold& threshold, int wanted) {
  return {threshold.has_value(), threshold.value_or(0.0), wanted};
}

int py_add_moments(const Any2d& x, const MaybeCodes& codes, const MaybeDoubles& row_weight, const MaybeMatrix& soft,
                   Out2d weight, Out2d mean, Out2d deviation) {
  const Dense view = dense_view(x);
  const Labels labels = labels_view(codes, row_weight, soft, length(weight), view.rows);
  require_shape(weight, labels.classes, view.cols, "weight");
  require_shape(mean, labels.classes, view.cols, "mean");
  require_shape(deviation, labels.classes, view.cols, "deviation");
  return without_gil([&] { return add_moments(view, labels, weight.data(), mean.data(), deviation.data()); });
}

int py_add_sums(const Any2d& x, const MaybeCodes& codes, const MaybeDoubles& row_weight, const MaybeMatrix& soft,
                const Threshold& threshold, int wanted, Out2d weight, Out2d total) {
  const Dense view = dense_view(x);
  const Labels labels = labels_view(codes, row_weight, soft, length(weight), view.rows);
  require_shape(weight, labels.classes, view.cols, "weight");
  require_shape(total, labels.classes, view.cols, "total");
  const SumOptions options = sum_options(threshold, wanted);
  return without_gil([&] { return add_sums(view, labels, options, weight.data(), total.data()); });
}

int py_add_sums_sparse(const Any1d& values, const Any1d& indices, const Any1d& pointers, std::int64_t rows,
                       bool by_column, const MaybeCodes& codes, const MaybeDoubles& row_weight, const MaybeMatrix& soft,
                       const Threshold& threshold, int wanted, Out2d total) {
  const std::int64_t classes = length(total), cols = length(total, 1);
  const Sparse view = sparse_view(values, indices, pointers, rows, cols, by_column ? cols : rows);
  const Labels labels = labels_view(codes, row_weight, soft, classes, rows);
  const SumOptions options = sum_options(threshold, wanted);
  const auto add = by_column ? add_sums_csc : add_sums_csr;
  return without_gil([&] { return add(view, labels, options, total.data()); });
}

void py_add_weights(const MaybeCodes& codes, const MaybeDoubles& row_weight, const MaybeMatrix& soft, Out1d weight) {
  const Labels labels = labels_view(codes, row_weight, soft, length(weight));
  without_gil([&] { add_weights(labels, weight.data()); });
}

int py_add_counts(const Any2d& x, const MaybeCodes& codes, const MaybeDoubles& row_weight, const MaybeMatrix& soft,
                  const Longs& low, const Longs& start, Out2d count) {
  const Dense view = dense_view(x);
  const Labels labels = labels_view(codes, row_weight, soft, length(count), view.rows);
  const TableLayout layout = table_layout(low, start, view.cols, length(count, 1));
  return without_gil([&] { return add_counts(view, labels, layout, count.data()); });
}

void py_count_codes(const std::vector<Ints>& columns, const MaybeCodes& codes, const MaybeDoubles& row_weight,
                    const MaybeMatrix& soft, const Longs& start, Out2d count) {
  const Labels labels = labels_view(codes, row_weight, soft, length(count));
  const auto cells = code_columns(columns, start, labels.rows, length(count, 1));
  without_gil([&] { count_codes(cells, labels, start.data(), count.data()); });
}

void py_column_ranges(const Any2d& x, OutArray<std::int64_t> low, OutArray<std::int64_t> high) {
  const Dense view = dense_view(x);
  require(length(low) == view.cols && length(high) == view.cols, "low and high need one entry per column");
  without_gil([&] { column_ranges(view, low.data(), high.data()); });
}

std::tuple<int, Array1d<std::uint64_t>, Array2d<double>> py_count_buckets(const Any2d& x, const MaybeBits& valid,
                                                                          std::int64_t first, const MaybeCodes& codes,
                                                                          const MaybeDoubles& row_weight,
                                                                          const MaybeMatrix& soft, std::int64_t classes,
                                                                          int drop, std::int64_t most) {
  const Dense view = dense_view(x);
  require(view.cols == 1, "a histogram counts one column at a time");
  const Labels labels = labels_view(codes, row_weight, soft, classes, view.rows);
  const Bitmap bitmap = bitmap_view(valid, first, view.rows);
  Buckets found = without_gil([&] { return count_buckets(view, bitmap, labels, drop, most); });
  const std::size_t buckets = found.keys.size();
  return {found.drop, to_numpy(std::move(found.keys)),
          to_numpy<2>(std::move(found.weight), {buckets, static_cast<std::size_t>(classes)})};
}

}  // namespace

void bind_statistics(nb::module_& m) {
  using namespace nb::literals;
  m.attr("MISSING") = static_cast<int>(kMissing);
  m.attr("INFINITE") = static_cast<int>(kInfinite);
  m.attr("NEGATIVE") = static_cast<int>(kNegative);
  m.attr("REPEATED") = static_cast<int>(kRepeated);
  m.attr("OUT_OF_RANGE") = static_cast<int>(kOutOfRange);
  m.attr("NOT_BINARY") = static_cast<int>(kNotBinary);
  m.def("add_moments", &py_add_moments, "x"_a, "codes"_a.none(), "row_weight"_a.none(), "soft"_a.none(), "weight"_a,
        "mean"_a, "deviation"_a,
        "Add a batch to weight, mean and deviation [classes × features]. Return the findings.");
  m.def("add_sums", &py_add_sums, "x"_a, "codes"_a.none(), "row_weight"_a.none(), "soft"_a.none(), "threshold"_a.none(),
        "wanted"_a, "weight"_a, "total"_a,
        "Add a batch to weight and total [classes × features]. Return the findings.");
  m.def("add_sums_sparse", &py_add_sums_sparse, "values"_a, "indices"_a, "pointers"_a, "rows"_a, "by_column"_a,
        "codes"_a.none(), "row_weight"_a.none(), "soft"_a.none(), "threshold"_a.none(), "wanted"_a, "total"_a,
        "Add a sparse batch to total [classes × features]. Return the findings.");
  m.def("add_weights", &py_add_weights, "codes"_a.none(), "row_weight"_a.none(), "soft"_a.none(), "weight"_a,
        "Add the weight of the rows of every class.");
  m.def("add_counts", &py_add_counts, "x"_a, "codes"_a.none(), "row_weight"_a.none(), "soft"_a.none(), "low"_a,
        "start"_a, "count"_a, "Add a batch of category codes to count [classes × codes]. Return the findings.");
  m.def("count_codes", &py_count_codes, "columns"_a, "codes"_a.none(), "row_weight"_a.none(), "soft"_a.none(),
        "start"_a, "count"_a, "Add columns of category codes, which count from 0, to count [classes × codes].");
  m.def("column_ranges", &py_column_ranges, "x"_a, "low"_a, "high"_a,
        "Write the least and greatest integer of every column; low > high for a column without values.");
  m.def("count_buckets", &py_count_buckets, "x"_a, "valid"_a.none(), "first"_a, "codes"_a.none(), "row_weight"_a.none(),
        "soft"_a.none(), "classes"_a, "drop"_a, "most"_a,
        "Count a column in buckets of float prefixes. Return the bits dropped, the sorted keys, and the weights "
        "[keys × classes].");
}

}  // namespace deciban
