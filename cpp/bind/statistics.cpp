#include <nanobind/stl/optional.h>

#include "bind/arrays.hpp"
#include "bind/coding.hpp"
#include "core/label_codes.hpp"
#include "statistics/moments.hpp"
#include "statistics/sums.hpp"
#include "statistics/tables.hpp"

namespace deciban {
namespace {

using Threshold = std::optional<double>;

Counting counting(const Threshold& threshold, int wanted) {
  return {threshold.has_value(), threshold.value_or(0.0), wanted};
}

int py_add_moments(const Any2d& x, const Codes& codes, const Weights& w, const Soft& soft, Out2d weight, Out2d mean,
                   Out2d deviation) {
  const Dense view = dense(x);
  const Labels who = labels(codes, w, soft, static_cast<std::int64_t>(weight.shape(0)), view.rows);
  require_shape(weight, who.classes, view.cols, "weight");
  require_shape(mean, who.classes, view.cols, "mean");
  require_shape(deviation, who.classes, view.cols, "deviation");
  nb::gil_scoped_release release;
  return add_moments(view, who, weight.data(), mean.data(), deviation.data());
}

int py_add_sums(const Any2d& x, const Codes& codes, const Weights& w, const Soft& soft, const Threshold& threshold,
                int wanted, Out2d weight, Out2d total) {
  const Dense view = dense(x);
  const Labels who = labels(codes, w, soft, static_cast<std::int64_t>(weight.shape(0)), view.rows);
  require_shape(weight, who.classes, view.cols, "weight");
  require_shape(total, who.classes, view.cols, "total");
  nb::gil_scoped_release release;
  return add_sums(view, who, counting(threshold, wanted), weight.data(), total.data());
}

int py_add_sums_sparse(const Any1d& values, const Any1d& indices, const Any1d& pointers, std::int64_t rows,
                       bool by_column, const Codes& codes, const Weights& w, const Soft& soft,
                       const Threshold& threshold, int wanted, Out2d total) {
  const auto classes = static_cast<std::int64_t>(total.shape(0)), cols = static_cast<std::int64_t>(total.shape(1));
  const Sparse view = sparse(values, indices, pointers, rows, cols, by_column ? cols : rows);
  const Labels who = labels(codes, w, soft, classes, rows);
  const auto add = by_column ? add_sums_csc : add_sums_csr;
  nb::gil_scoped_release release;
  return add(view, who, counting(threshold, wanted), total.data());
}

void py_add_weights(const Codes& codes, const Weights& w, const Soft& soft, Out1d weight) {
  const auto rows = static_cast<std::int64_t>(soft ? soft->shape(0) : codes ? codes->shape(0) : 0);
  const Labels who = labels(codes, w, soft, static_cast<std::int64_t>(weight.shape(0)), rows);
  nb::gil_scoped_release release;
  add_weights(who, weight.data());
}

int py_add_counts(const Any2d& x, const Codes& codes, const Weights& w, const Soft& soft, const Ints& low,
                  const Ints& start, Out2d count) {
  const Dense view = dense(x);
  const Labels who = labels(codes, w, soft, static_cast<std::int64_t>(count.shape(0)), view.rows);
  const Coding how = coding(low, start, view.cols, static_cast<std::int64_t>(count.shape(1)));
  nb::gil_scoped_release release;
  return add_counts(view, who, how, count.data());
}

void py_column_ranges(const Any2d& x, nb::ndarray<std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> low,
                      nb::ndarray<std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> high) {
  const Dense view = dense(x);
  require(static_cast<std::int64_t>(low.shape(0)) == view.cols && low.shape(0) == high.shape(0),
          "low and high need one entry per column");
  nb::gil_scoped_release release;
  column_ranges(view, low.data(), high.data());
}

nb::object py_encode(nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu> items,
                     OutCodes code) {
  require(items.shape(0) == code.shape(0), "code needs one entry per item");
  std::vector<std::int64_t> first;
  {
    nb::gil_scoped_release release;
    first = encode(items.data(), static_cast<std::int64_t>(items.shape(0)), static_cast<std::int64_t>(items.shape(1)),
                   code.data());
  }
  return owned(std::move(first));
}

void py_bit_codes(const Memory& bits, std::int64_t first, OutCodes code) {
  const auto rows = static_cast<std::int64_t>(code.shape(0));
  const Valid from = valid_of(bits, first, rows);
  nb::gil_scoped_release release;
  bit_codes(from, rows, code.data());
}

void py_mark_missing(const Memory& valid, std::int64_t first, OutCodes code) {
  const auto rows = static_cast<std::int64_t>(code.shape(0));
  const Valid here = valid_of(valid, first, rows);
  nb::gil_scoped_release release;
  mark_missing(here, rows, code.data());
}

void py_renumber(OutCodes code, const In1d<std::int32_t>& place) {
  nb::gil_scoped_release release;
  renumber(code.data(), static_cast<std::int64_t>(code.shape(0)), place.data(),
           static_cast<std::int64_t>(place.shape(0)));
}

}  // namespace

void bind_statistics(nb::module_& m) {
  using namespace nb::literals;
  m.attr("MISSING") = static_cast<int>(kMissing);
  m.attr("INFINITE") = static_cast<int>(kInfinite);
  m.attr("NEGATIVE") = static_cast<int>(kNegative);
  m.attr("REPEATED") = static_cast<int>(kRepeated);
  m.attr("NOT_BINARY") = static_cast<int>(kNotBinary);
  m.def("add_moments", &py_add_moments, "x"_a, "codes"_a.none(), "row_weight"_a.none(), "soft"_a.none(), "weight"_a,
        "mean"_a, "deviation"_a, "Add a batch to weight, mean and deviation (classes x features); returns findings.");
  m.def("add_sums", &py_add_sums, "x"_a, "codes"_a.none(), "row_weight"_a.none(), "soft"_a.none(),
        "threshold"_a.none(), "wanted"_a, "weight"_a, "total"_a,
        "Add a batch to weight and total (classes x features); returns findings.");
  m.def("add_sums_sparse", &py_add_sums_sparse, "values"_a, "indices"_a, "pointers"_a, "rows"_a, "by_column"_a,
        "codes"_a.none(), "row_weight"_a.none(), "soft"_a.none(), "threshold"_a.none(), "wanted"_a, "total"_a,
        "Add a sparse batch to total (classes x features); returns findings.");
  m.def("add_weights", &py_add_weights, "codes"_a.none(), "row_weight"_a.none(), "soft"_a.none(), "weight"_a,
        "Add the weight of every class.");
  m.def("add_counts", &py_add_counts, "x"_a, "codes"_a.none(), "row_weight"_a.none(), "soft"_a.none(), "low"_a,
        "start"_a, "count"_a,
        "Add a batch of category codes to count (classes x codes); returns findings.");
  m.def("column_ranges", &py_column_ranges, "x"_a, "low"_a, "high"_a,
        "Least and greatest integer of every column; low > high where there is none.");
  m.def("bit_codes", &py_bit_codes, "bits"_a, "first"_a, "code"_a, "Write bits, from the given one on, as codes 0 and 1.");
  m.def("mark_missing", &py_mark_missing, "valid"_a, "first"_a, "code"_a,
        "Make codes -1 whose bit, from the given one on, is not set.");
  m.def("renumber", &py_renumber, "code"_a, "place"_a, "Replace every code by its place, in place.");
  m.def("encode", &py_encode, "items"_a, "code"_a,
        "Number the distinct items by first appearance; returns the positions of the first appearances.");
}

}  // namespace deciban
