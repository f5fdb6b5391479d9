#include "scores/contrast.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "bind/labels.hpp"
#include "bind/layout.hpp"

namespace deciban {
namespace {

using OutMatrix = Checked<double, nb::ndim<2>>;
using MaybeDouble = std::optional<double>;

const double* pointer(const MaybeMatrix& matrix) { return matrix ? matrix->data() : nullptr; }
const double* pointer(const MaybeDouble& number) { return number ? &*number : nullptr; }

ClassPairs class_pairs(const Ints& target, const Ints& rival, std::int64_t classes) {
  require(length(target) == length(rival), "every row needs two classes");
  require_classes(target, classes);
  require_classes(rival, classes);
  return {target.data(), rival.data(), length(target)};
}

// Parameters have `rows` rows, and a column for every class that a row may have.
Shape parameter_shape(const In2d& parameter, std::int64_t rows, const char* name) {
  const std::int64_t padded = length(parameter, 1);
  require_shape(parameter, rows, padded, name);
  return {padded, padded};
}

ColumnOutput column_output(OutMatrix& out, std::size_t columns, std::int64_t rows) {
  require_shape(out, rows, static_cast<std::int64_t>(columns), "out");
  require(columns == 0 || rows < 2 || out.stride(0) == 1, "out must lie column after column");
  return {out.data(), columns < 2 ? rows : out.stride(1)};
}

void py_contrast_linear(const std::vector<Any2d>& x, const std::vector<MaybeBits>& valid,
                        const std::vector<std::int64_t>& first, const In2d& weight, const MaybeMatrix& base,
                        const MaybeDouble& threshold, const Ints& target, const Ints& rival, OutMatrix out) {
  const Shape shape = parameter_shape(weight, static_cast<std::int64_t>(x.size()), "weight");
  if (base) require_shape(*base, length(weight), length(weight, 1), "base");
  const ClassPairs pairs = class_pairs(target, rival, shape.classes);
  const auto columns = column_views(x, valid, first, pairs.rows);
  const ColumnOutput output = column_output(out, x.size(), pairs.rows);
  without_gil(
      [&] { contrast_linear(columns, weight.data(), pointer(base), pointer(threshold), shape, pairs, output); });
}

void py_contrast_gaussian(const std::vector<Any2d>& x, const std::vector<MaybeBits>& valid,
                          const std::vector<std::int64_t>& first, const In2d& parameters, const Ints& target,
                          const Ints& rival, OutMatrix out) {
  const Shape shape = parameter_shape(parameters, 3 * static_cast<std::int64_t>(x.size()), "parameters");
  const ClassPairs pairs = class_pairs(target, rival, shape.classes);
  const auto columns = column_views(x, valid, first, pairs.rows);
  const ColumnOutput output = column_output(out, x.size(), pairs.rows);
  without_gil([&] { contrast_gaussian(columns, parameters.data(), shape, pairs, output); });
}

void py_contrast_codes(const std::vector<Any2d>& x, const Longs& low, const Longs& start, const In2d& table,
                       const Ints& target, const Ints& rival, OutMatrix out) {
  const auto features = static_cast<std::int64_t>(x.size());
  const TableLayout layout = table_layout(low, start, features, length(table));
  for (std::int64_t j = 0; j < features; ++j)
    require(layout.start[j + 1] - layout.start[j] < INT32_MAX, "a column has too many codes");
  const Shape shape = parameter_shape(table, length(table), "table");
  const ClassPairs pairs = class_pairs(target, rival, shape.classes);
  const std::vector<MaybeBits> no_bits(x.size());
  const auto columns = column_views(x, no_bits, std::vector<std::int64_t>(x.size()), pairs.rows);
  const ColumnOutput output = column_output(out, x.size(), pairs.rows);
  without_gil([&] { contrast_codes(columns, layout, table.data(), shape, pairs, output); });
}

void py_contrast_steps(const std::vector<Any2d>& x, const std::vector<MaybeBits>& valid,
                       const std::vector<std::int64_t>& first, const std::vector<Doubles>& cuts, const In2d& table,
                       const Ints& target, const Ints& rival, OutMatrix out) {
  const BinLayout bins(cuts, x.size());
  require(bins.start.back() <= length(table), "the table needs an entry for every bin");
  const Shape shape = parameter_shape(table, length(table), "table");
  const ClassPairs pairs = class_pairs(target, rival, shape.classes);
  const auto columns = column_views(x, valid, first, pairs.rows);
  const ColumnOutput output = column_output(out, x.size(), pairs.rows);
  without_gil(
      [&] { contrast_steps(columns, bins.cuts.data(), bins.start.data(), table.data(), shape, pairs, output); });
}

Dense row_major_view(const Any2d& x, const ClassPairs& pairs) {
  const Dense view = dense_view(x);
  require(view.rows == pairs.rows, "every row needs two classes");
  require(view.rows == 0 || view.cols < 2 || view.col_stride == 1, "x must lie row after row");
  return view;
}

RowOutput row_output(OutMatrix& out, const Dense& x) {
  require_shape(out, x.rows, x.cols, "out");
  require(x.rows == 0 || x.cols < 2 || out.stride(1) == 1, "out must lie row after row");
  return {out.data(), x.rows < 2 ? x.cols : out.stride(0)};
}

// Checks a parameter of classes x padded features and returns the number of padded features.
std::int64_t padded_features(const In2d& parameter, std::int64_t classes, std::int64_t padded, std::int64_t features,
                             const char* name) {
  require_shape(parameter, classes, padded, name);
  require(padded >= features, std::string(name) + " needs every feature");
  return padded;
}

void py_contrast_linear_rows(const Any2d& x, const In2d& weight, const MaybeMatrix& base, const MaybeDouble& threshold,
                             const Ints& target, const Ints& rival, OutMatrix out) {
  const std::int64_t classes = length(weight);
  const ClassPairs pairs = class_pairs(target, rival, classes);
  const Dense view = row_major_view(x, pairs);
  const std::int64_t padded = padded_features(weight, classes, length(weight, 1), view.cols, "weight");
  if (base) padded_features(*base, classes, padded, view.cols, "base");
  const RowOutput output = row_output(out, view);
  without_gil(
      [&] { contrast_linear_rows(view, weight.data(), pointer(base), pointer(threshold), padded, pairs, output); });
}

void py_contrast_gaussian_rows(const Any2d& x, const In2d& mean, const In2d& scale, const In2d& base,
                               const Ints& target, const Ints& rival, OutMatrix out) {
  const std::int64_t classes = length(mean);
  const ClassPairs pairs = class_pairs(target, rival, classes);
  const Dense view = row_major_view(x, pairs);
  const std::int64_t padded = padded_features(mean, classes, length(mean, 1), view.cols, "mean");
  padded_features(scale, classes, padded, view.cols, "scale");
  padded_features(base, classes, padded, view.cols, "base");
  const RowOutput output = row_output(out, view);
  without_gil([&] { contrast_gaussian_rows(view, mean.data(), scale.data(), base.data(), padded, pairs, output); });
}

void py_contrast_code_rows(const Any2d& x, const Longs& low, const Longs& start, const In2d& table, const Ints& target,
                           const Ints& rival, OutMatrix out) {
  const ClassPairs pairs = class_pairs(target, rival, length(table, 1));
  const Dense view = row_major_view(x, pairs);
  const TableLayout layout = table_layout(low, start, view.cols, length(table));
  const RowOutput output = row_output(out, view);
  without_gil([&] { contrast_code_rows(view, layout, table.data(), length(table, 1), pairs, output); });
}

void py_contrast_scores(const In2d& scores, const Ints& target, const Ints& rival, Out1d out) {
  const ClassPairs pairs = class_pairs(target, rival, length(scores, 1));
  require(length(scores) == pairs.rows, "every row needs scores");
  require(length(out) == pairs.rows, "out needs one entry per row");
  without_gil([&] { contrast_scores(scores.data(), length(scores, 1), pairs, out.data()); });
}

void py_two_best(const In2d& posterior, OutCodes best, OutCodes second) {
  require(length(posterior, 1) > 0, "there must be a class");
  require(length(best) == length(posterior) && length(second) == length(posterior), "every row needs two classes");
  without_gil([&] { two_best(posterior.data(), length(posterior), length(posterior, 1), best.data(), second.data()); });
}

}  // namespace

void bind_contrasts(nb::module_& m) {
  using namespace nb::literals;
  m.def("contrast_linear", &py_contrast_linear, "x"_a, "valid"_a, "first"_a, "weight"_a, "base"_a.none(),
        "threshold"_a.none(), "target"_a, "rival"_a, "out"_a,
        "Write base + x * weight of the target class minus that of the rival class [rows × columns].");
  m.def("contrast_gaussian", &py_contrast_gaussian, "x"_a, "valid"_a, "first"_a, "parameters"_a, "target"_a, "rival"_a,
        "out"_a,
        "Write base - ((x - mean) * scale)^2 of the target class minus that of the rival class [rows × columns].");
  m.def("contrast_codes", &py_contrast_codes, "x"_a, "low"_a, "start"_a, "table"_a, "target"_a, "rival"_a, "out"_a,
        "Write the entry of every code for the target class minus that for the rival class [rows × columns].");
  m.def("contrast_steps", &py_contrast_steps, "x"_a, "valid"_a, "first"_a, "cuts"_a, "table"_a, "target"_a, "rival"_a,
        "out"_a,
        "Write the entry of every number's bin for the target class minus that for the rival class [rows × columns].");
  m.def("contrast_linear_rows", &py_contrast_linear_rows, "x"_a, "weight"_a, "base"_a.none(), "threshold"_a.none(),
        "target"_a, "rival"_a, "out"_a,
        "Compute contrast_linear for a matrix in row order. The parameters [classes × features] must be finite.");
  m.def("contrast_gaussian_rows", &py_contrast_gaussian_rows, "x"_a, "mean"_a, "scale"_a, "base"_a, "target"_a,
        "rival"_a, "out"_a,
        "Compute contrast_gaussian for a matrix in row order. Parameters are [classes × features].");
  m.def("contrast_code_rows", &py_contrast_code_rows, "x"_a, "low"_a, "start"_a, "table"_a, "target"_a, "rival"_a,
        "out"_a, "Compute contrast_codes for a matrix in row order.");
  m.def("two_best", &py_two_best, "posterior"_a, "best"_a, "second"_a,
        "Write the most probable class of every row and the second.");
  m.def("contrast_scores", &py_contrast_scores, "scores"_a, "target"_a, "rival"_a, "out"_a,
        "Write the score of the target class minus that of the rival class for every row; 0 if both are impossible.");
}

}  // namespace deciban
