#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "bind/layout.hpp"
#include "core/pack.hpp"
#include "core/simd.hpp"
#include "scores/normal.hpp"
#include "scores/posterior.hpp"
#include "scores/score.hpp"
#include "scores/score_columns.hpp"

namespace deciban {
namespace {

// Parameters of dense scores: classes x features, with the features padded to full packs.
Shape class_major_shape(const Out2d& out, const In2d& parameter, std::int64_t features, const char* name) {
  const Shape shape{length(out, 1), length(parameter, 1)};
  require(shape.padded % kPack == 0 && shape.padded >= features,
          std::string(name) + " must have its features padded to a multiple of " + std::to_string(kPack));
  require_shape(parameter, shape.classes, shape.padded, name);
  return shape;
}

// Parameters of sparse scores and tables: features (or codes) x classes, with the classes padded to full vectors.
Shape feature_major_shape(const Out2d& out, const In2d& parameter, std::int64_t features, const char* name) {
  const Shape shape{length(out, 1), length(parameter, 1)};
  require(shape.classes > 0, "out needs at least one class");  // kernels divide by the number of classes
  require(shape.padded % kLanes == 0 && shape.padded >= shape.classes,
          std::string(name) + " must have its classes padded to a multiple of " + std::to_string(kLanes));
  require_shape(parameter, features, shape.padded, name);
  return shape;
}

void require_total(const Doubles& total, std::int64_t classes) {
  require(length(total) == classes, "total needs one entry per class");
}

void require_out_rows(const Out2d& out, std::int64_t rows) {
  require(length(out) == rows, "out needs one row per row of x");
}

Linear linear_parameters(const In2d& weight, const MaybeMatrix& base, const Doubles& total,
                         const std::optional<double>& threshold, int wanted, Shape shape) {
  if (base) require_shape(*base, length(weight), length(weight, 1), "base");
  require_total(total, shape.classes);
  return {weight.data(),         base ? base->data() : nullptr, total.data(),
          threshold.has_value(), threshold.value_or(0),         wanted};
}

int py_score_linear(const Any2d& x, const In2d& weight, const MaybeMatrix& base, const Doubles& total,
                    const std::optional<double>& threshold, int wanted, Out2d out) {
  const Dense view = dense_view(x);
  require_out_rows(out, view.rows);
  const Shape shape = class_major_shape(out, weight, view.cols, "weight");
  const Linear p = linear_parameters(weight, base, total, threshold, wanted, shape);
  return without_gil([&] { return score_linear(view, p, shape, out.data()); });
}

int py_score_linear_sparse(const Any1d& values, const Any1d& indices, const Any1d& pointers, std::int64_t rows,
                           bool by_column, const In2d& weight, const MaybeMatrix& base, const Doubles& total,
                           const std::optional<double>& threshold, int wanted, Out2d out) {
  const std::int64_t cols = length(weight);
  const Sparse view = sparse_view(values, indices, pointers, rows, cols, by_column ? cols : rows);
  require_out_rows(out, rows);
  const Shape shape = feature_major_shape(out, weight, cols, "weight");
  const Linear p = linear_parameters(weight, base, total, threshold, wanted, shape);
  const auto score = by_column ? score_linear_csc : score_linear_csr;
  return without_gil([&] { return score(view, p, shape, out.data()); });
}

int py_score_quadratic(const Any2d& x, const In2d& mean, const In2d& scale, const In2d& base, const Doubles& total,
                       Out2d out) {
  const Dense view = dense_view(x);
  require_out_rows(out, view.rows);
  const Shape shape = class_major_shape(out, mean, view.cols, "mean");
  require_shape(scale, shape.classes, shape.padded, "scale");
  require_shape(base, shape.classes, shape.padded, "base");
  require_total(total, shape.classes);
  const Quadratic p{mean.data(), scale.data(), base.data(), total.data()};
  return without_gil([&] { return score_quadratic(view, p, shape, out.data()); });
}

int py_score_table(const Any2d& x, const Longs& low, const Longs& start, const In2d& table, Out2d out) {
  const Dense view = dense_view(x);
  require_out_rows(out, view.rows);
  const std::int64_t width = length(table);
  const Shape shape = feature_major_shape(out, table, width, "table");
  const TableLayout layout = table_layout(low, start, view.cols, width);
  return without_gil([&] { return score_table(view, layout, table.data(), shape, out.data()); });
}

void py_score_codes(const std::vector<Ints>& columns, const Longs& start, const In2d& table, Out2d out) {
  const std::int64_t rows = length(out), width = length(table) - 1;
  require(width >= 0 && length(table, 1) > 0, "table needs classes, and a last row for codes without an entry");
  const Shape shape = feature_major_shape(out, table, width + 1, "table");
  const auto codes = code_columns(columns, start, rows, width);
  without_gil([&] { score_codes(codes, rows, start.data(), table.data(), shape, out.data()); });
}

void py_score_steps(const std::vector<Any2d>& x, const std::vector<MaybeBits>& valid,
                    const std::vector<std::int64_t>& first, const std::vector<Doubles>& cuts, const In2d& table,
                    Out2d out) {
  const std::int64_t rows = length(out);
  const auto columns = column_views(x, valid, first, rows);
  const BinLayout bins(cuts, x.size());
  const Shape shape = feature_major_shape(out, table, bins.start.back() + 1, "table");
  without_gil(
      [&] { score_steps(columns, rows, bins.cuts.data(), bins.start.data(), table.data(), shape, out.data()); });
}

int py_score_gaussian(const std::vector<Any2d>& x, const std::vector<MaybeBits>& valid,
                      const std::vector<std::int64_t>& first, const In2d& parameters, Out2d out) {
  const std::int64_t rows = length(out);
  const auto columns = column_views(x, valid, first, rows);
  const auto features = static_cast<std::int64_t>(columns.size());
  const Shape shape = feature_major_shape(out, parameters, 3 * features, "parameters");
  return without_gil([&] { return score_gaussian(columns, rows, parameters.data(), shape, out.data()); });
}

void require_prior(std::int64_t classes, const Doubles& log_prior) {
  require(classes > 0 && length(log_prior) == classes, "log_prior needs one entry per class, and at least one");
}

std::int64_t py_centre(Out2d joint, const Doubles& log_prior) {
  require_prior(length(joint, 1), log_prior);
  return without_gil([&] { return centre(joint.data(), length(joint), length(joint, 1), log_prior.data()); });
}

void py_divide_by_sum(Out2d odds) {
  without_gil([&] { divide_by_sum(odds.data(), length(odds), length(odds, 1)); });
}

std::int64_t py_decide(const In2d& joint, const Doubles& log_prior, OutCodes code) {
  require_prior(length(joint, 1), log_prior);
  require(length(code) == length(joint), "code needs one entry per row");
  return without_gil(
      [&] { return decide(joint.data(), length(joint), length(joint, 1), log_prior.data(), code.data()); });
}

void py_normal_cdf(const Doubles& x, Out1d out) {
  require(length(out) == length(x), "out needs one entry per number");
  without_gil([&] { normal_cdf(x.data(), length(x), out.data()); });
}

}  // namespace

void bind_scores(nb::module_& m) {
  using namespace nb::literals;
  m.def("normal_cdf", &py_normal_cdf, "x"_a, "out"_a, "Write the standard normal probability below every number.");
  m.attr("LANES") = kLanes;
  m.attr("PACK") = kPack;
  m.def("score_linear", &py_score_linear, "x"_a, "weight"_a, "base"_a.none(), "total"_a, "threshold"_a.none(),
        "wanted"_a, "out"_a,
        "Add total + x @ weight to out [rows × classes]. Return the findings, of negative cells and cells other than 0 "
        "and "
        "1 those that are wanted.");
  m.def("score_linear_sparse", &py_score_linear_sparse, "values"_a, "indices"_a, "pointers"_a, "rows"_a, "by_column"_a,
        "weight"_a, "base"_a.none(), "total"_a, "threshold"_a.none(), "wanted"_a, "out"_a,
        "Add total + x @ weight to out [rows × classes] for a sparse x. Return the findings, as score_linear does.");
  m.def("score_quadratic", &py_score_quadratic, "x"_a, "mean"_a, "scale"_a, "base"_a, "total"_a, "out"_a,
        "Add total - sum of ((x - mean) * scale)^2 to out [rows × classes]. Return the findings.");
  m.def("score_table", &py_score_table, "x"_a, "low"_a, "start"_a, "table"_a, "out"_a,
        "Add the table's entry of every code to out [rows × classes]. A code outside its range adds nothing. Return "
        "the findings.");
  m.def("score_codes", &py_score_codes, "columns"_a, "start"_a, "table"_a, "out"_a,
        "Add the table's entry of every code of separate columns to out [rows × classes]. Codes count from 0; codes "
        "without an entry add the table's last row.");
  m.def(
      "score_steps", &py_score_steps, "x"_a, "valid"_a, "first"_a, "cuts"_a, "table"_a, "out"_a,
      "Add the table's entry of every number's bin to out [rows × classes]. Missing values add the table's last row.");
  m.def("score_gaussian", &py_score_gaussian, "x"_a, "valid"_a, "first"_a, "parameters"_a, "out"_a,
        "Add base - ((x - mean) * scale)^2 of separate columns to out [rows × classes]. A column has three rows of "
        "parameters: mean, scale, base. Return the findings.");
  m.def("centre", &py_centre, "joint"_a, "log_prior"_a,
        "Subtract the greatest value of every row, in place. Rows with probability 0 under every class become the "
        "prior. Return the number of such rows.");
  m.def("divide_by_sum", &py_divide_by_sum, "odds"_a, "Divide every row by its sum, in place.");
  m.def("decide", &py_decide, "joint"_a, "log_prior"_a, "code"_a,
        "Write the most probable class of every row. Return the number of rows with probability 0 under every class.");
}

}  // namespace deciban
