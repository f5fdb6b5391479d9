#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "bind/coding.hpp"
#include "core/pack.hpp"
#include "core/simd.hpp"
#include "scores/left_out.hpp"
#include "scores/posterior.hpp"
#include "scores/score.hpp"
#include "scores/score_columns.hpp"

namespace deciban {
namespace {

using Base = std::optional<In2d>;

// Parameters of dense scores: classes x features, the features padded to full packs.
Shape class_major(const Out2d& out, const In2d& parameter, std::int64_t features, const char* name) {
  const Shape shape{static_cast<std::int64_t>(out.shape(1)), static_cast<std::int64_t>(parameter.shape(1))};
  require(shape.padded % kPack == 0 && shape.padded >= features,
          std::string(name) + " must have its features padded to a multiple of " + std::to_string(kPack));
  require_shape(parameter, shape.classes, shape.padded, name);
  return shape;
}

// Parameters of sparse scores and tables: features (or codes) x classes, the classes padded to full vectors.
Shape feature_major(const Out2d& out, const In2d& parameter, std::int64_t features, const char* name) {
  const Shape shape{static_cast<std::int64_t>(out.shape(1)), static_cast<std::int64_t>(parameter.shape(1))};
  require(shape.padded % kLanes == 0 && shape.padded >= shape.classes,
          std::string(name) + " must have its classes padded to a multiple of " + std::to_string(kLanes));
  require_shape(parameter, features, shape.padded, name);
  return shape;
}

Linear linear(const In2d& weight, const Base& base, const In1d<double>& total, const std::optional<double>& threshold,
              bool binary, Shape shape) {
  if (base) require_shape(*base, weight.shape(0), weight.shape(1), "base");
  require(static_cast<std::int64_t>(total.shape(0)) == shape.classes, "total needs one entry per class");
  return {weight.data(), base ? base->data() : nullptr, total.data(), threshold.has_value(), threshold.value_or(0.0),
          binary};
}

void require_rows(const Out2d& out, std::int64_t rows) {
  require(static_cast<std::int64_t>(out.shape(0)) == rows, "out needs one row per row of x");
}

int py_score_linear(const Any2d& x, const In2d& weight, const Base& base, const In1d<double>& total,
                    const std::optional<double>& threshold, bool binary, Out2d out) {
  const Dense view = dense(x);
  require_rows(out, view.rows);
  const Shape shape = class_major(out, weight, view.cols, "weight");
  const Linear p = linear(weight, base, total, threshold, binary, shape);
  nb::gil_scoped_release release;
  return score_linear(view, p, shape, out.data());
}

int py_score_linear_sparse(const Any1d& values, const Any1d& indices, const Any1d& pointers, std::int64_t rows,
                           bool by_column, const In2d& weight, const Base& base, const In1d<double>& total,
                           const std::optional<double>& threshold, bool binary, Out2d out) {
  const auto cols = static_cast<std::int64_t>(weight.shape(0));
  const Sparse view = sparse(values, indices, pointers, rows, cols, by_column ? cols : rows);
  require_rows(out, rows);
  const Shape shape = feature_major(out, weight, cols, "weight");
  const Linear p = linear(weight, base, total, threshold, binary, shape);
  const auto score = by_column ? score_linear_csc : score_linear_csr;
  nb::gil_scoped_release release;
  return score(view, p, shape, out.data());
}

int py_score_quadratic(const Any2d& x, const In2d& mean, const In2d& scale, const In2d& base,
                       const In1d<double>& total, Out2d out) {
  const Dense view = dense(x);
  require_rows(out, view.rows);
  const Shape shape = class_major(out, mean, view.cols, "mean");
  require_shape(scale, shape.classes, shape.padded, "scale");
  require_shape(base, shape.classes, shape.padded, "base");
  require(static_cast<std::int64_t>(total.shape(0)) == shape.classes, "total needs one entry per class");
  nb::gil_scoped_release release;
  return score_quadratic(view, {mean.data(), scale.data(), base.data(), total.data()}, shape, out.data());
}

int py_score_table(const Any2d& x, const Ints& low, const Ints& start, const In2d& table, Out2d out) {
  const Dense view = dense(x);
  require_rows(out, view.rows);
  const auto width = static_cast<std::int64_t>(table.shape(0));
  const Shape shape = feature_major(out, table, width, "table");
  const Coding how = coding(low, start, view.cols, width);
  nb::gil_scoped_release release;
  return score_table(view, how, table.data(), shape, out.data());
}

void py_score_codes(const std::vector<In1d<std::int32_t>>& columns, const Ints& start, const In2d& table, Out2d out) {
  const auto rows = static_cast<std::int64_t>(out.shape(0)), width = static_cast<std::int64_t>(table.shape(0)) - 1;
  require(width >= 0 && table.shape(1) > 0, "table needs classes, and a last row for codes without an entry");
  const Shape shape = feature_major(out, table, width + 1, "table");
  const auto codes = code_columns(columns, start, rows, width);
  nb::gil_scoped_release release;
  score_codes(codes, rows, start.data(), table.data(), shape, out.data());
}

void py_score_steps(const std::vector<Any2d>& x, const std::vector<Bits>& valid, const std::vector<std::int64_t>& first,
                    const std::vector<In1d<double>>& cuts, const In2d& table, Out2d out) {
  const auto rows = static_cast<std::int64_t>(out.shape(0));
  const auto columns = number_columns(x, valid, first, rows);
  const CutPlaces places(cuts, x.size());
  const Shape shape = feature_major(out, table, places.start.back() + 1, "table");
  nb::gil_scoped_release release;
  score_steps(columns, rows, places.cuts.data(), places.start.data(), table.data(), shape, out.data());
}

int py_score_curves(const std::vector<Any2d>& x, const std::vector<Bits>& valid, const std::vector<std::int64_t>& first,
                    const In2d& parameters, Out2d out) {
  const auto rows = static_cast<std::int64_t>(out.shape(0));
  const auto columns = number_columns(x, valid, first, rows);
  const Shape shape = feature_major(out, parameters, 3 * static_cast<std::int64_t>(columns.size()), "parameters");
  nb::gil_scoped_release release;
  return score_curves(columns, rows, parameters.data(), shape, out.data());
}

using Weight1d = In1d<double>;

Members members(const Dense& x, const In1d<std::int32_t>& cls, const Weight1d& weight, std::int64_t classes) {
  require(static_cast<std::int64_t>(cls.shape(0)) == x.rows && cls.shape(0) == weight.shape(0),
          "every row needs a class and a weight");
  bool fine = true;
  for (std::int64_t i = 0; i < x.rows; ++i) fine &= cls.data()[i] >= 0 && cls.data()[i] < classes;
  require(fine, "a row's class is not among the classes");
  return {cls.data(), weight.data()};
}

void py_own_curves(const Any2d& x, const In1d<std::int32_t>& cls, const Weight1d& weight, const In1d<double>& rows,
                   const In2d& mean, const In2d& deviation, const Memory& varies, Out1d out) {
  const Dense view = dense(x);
  const auto classes = static_cast<std::int64_t>(rows.shape(0));
  require_shape(mean, classes, view.cols, "mean");
  require_shape(deviation, classes, view.cols, "deviation");
  require(static_cast<std::int64_t>(varies.shape(0)) == view.cols, "varies needs one entry per feature");
  require(static_cast<std::int64_t>(out.shape(0)) == view.rows, "out needs one entry per row");
  const Members who = members(view, cls, weight, classes);
  nb::gil_scoped_release release;
  own_curves(view, who, {rows.data(), mean.data(), deviation.data(), varies.data(), classes}, out.data());
}

void py_shared_curves(const Any2d& x, const In1d<std::int32_t>& cls, const Weight1d& weight, const In1d<double>& rows,
                      const In2d& mean, const In1d<double>& deviation, double all, const Memory& varies, Out2d out) {
  const Dense view = dense(x);
  const auto classes = static_cast<std::int64_t>(rows.shape(0));
  require_shape(mean, classes, view.cols, "mean");
  require(static_cast<std::int64_t>(deviation.shape(0)) == view.cols, "deviation needs one entry per feature");
  require(static_cast<std::int64_t>(varies.shape(0)) == view.cols, "varies needs one entry per feature");
  require_rows(out, view.rows);
  require(static_cast<std::int64_t>(out.shape(1)) == classes, "out needs one column per class");
  const Members who = members(view, cls, weight, classes);
  nb::gil_scoped_release release;
  shared_curves(view, who, {rows.data(), mean.data(), deviation.data(), all, varies.data(), classes}, out.data());
}

void py_others_counts(const Any2d& x, const In1d<std::int32_t>& cls, const Weight1d& weight, const In2d& count,
                      const In1d<double>& total, Out2d out) {
  const Dense view = dense(x);
  const auto classes = static_cast<std::int64_t>(total.shape(0));
  require_shape(count, classes, view.cols, "count");
  require_rows(out, view.rows);
  require(static_cast<std::int64_t>(out.shape(1)) == classes, "out needs one column per class");
  const Members who = members(view, cls, weight, classes);
  nb::gil_scoped_release release;
  others_counts(view, who, count.data(), total.data(), classes, out.data());
}

void py_own_counts(const Any2d& x, const In1d<std::int32_t>& cls, const Weight1d& weight, const In2d& count, Out1d logs,
                   Out1d total) {
  const Dense view = dense(x);
  require_shape(count, static_cast<std::int64_t>(count.shape(0)), view.cols, "count");
  const auto rows = static_cast<std::size_t>(view.rows);
  require(logs.shape(0) == rows && total.shape(0) == rows, "logs and total need one entry per row");
  const Members who = members(view, cls, weight, static_cast<std::int64_t>(count.shape(0)));
  nb::gil_scoped_release release;
  own_counts(view, who, count.data(), static_cast<std::int64_t>(count.shape(0)), logs.data(), total.data());
}

void require_classes(std::size_t classes, const In1d<double>& log_prior) {
  require(classes > 0 && log_prior.shape(0) == classes, "log_prior needs one entry per class, and at least one");
}

std::int64_t py_centre(Out2d joint, const In1d<double>& log_prior) {
  require_classes(joint.shape(1), log_prior);
  nb::gil_scoped_release release;
  return centre(joint.data(), static_cast<std::int64_t>(joint.shape(0)), static_cast<std::int64_t>(joint.shape(1)),
                log_prior.data());
}

void py_divide_by_sum(Out2d odds) {
  nb::gil_scoped_release release;
  divide_by_sum(odds.data(), static_cast<std::int64_t>(odds.shape(0)), static_cast<std::int64_t>(odds.shape(1)));
}

std::int64_t py_decide(const In2d& joint, const In1d<double>& log_prior,
                       nb::ndarray<std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> code) {
  require_classes(joint.shape(1), log_prior);
  require(code.shape(0) == joint.shape(0), "code needs one entry per row");
  nb::gil_scoped_release release;
  return decide(joint.data(), static_cast<std::int64_t>(joint.shape(0)), static_cast<std::int64_t>(joint.shape(1)),
                log_prior.data(), code.data());
}

}  // namespace

void bind_scores(nb::module_& m) {
  using namespace nb::literals;
  m.attr("LANES") = kLanes;
  m.attr("PACK") = kPack;
  m.def("score_linear", &py_score_linear, "x"_a, "weight"_a, "base"_a.none(), "total"_a, "threshold"_a.none(), "binary"_a, "out"_a,
        "Add total + x @ weight to out; returns findings.");
  m.def("score_linear_sparse", &py_score_linear_sparse, "values"_a, "indices"_a, "pointers"_a, "rows"_a, "by_column"_a,
        "weight"_a, "base"_a.none(), "total"_a, "threshold"_a.none(), "binary"_a, "out"_a,
        "Add total + x @ weight to out for a sparse x; returns findings.");
  m.def("score_quadratic", &py_score_quadratic, "x"_a, "mean"_a, "scale"_a, "base"_a, "total"_a, "out"_a,
        "Add total + -((x - mean) * scale)^2 to out; returns findings.");
  m.def("score_table", &py_score_table, "x"_a, "low"_a, "start"_a, "table"_a, "out"_a,
        "Add the table's entry of every code to out; codes outside their range add nothing.");
  m.def("score_codes", &py_score_codes, "columns"_a, "start"_a, "table"_a, "out"_a,
        "The same for codes in columns of their own, counting from 0; the table's last row is for codes without entry.");
  m.def("score_steps", &py_score_steps, "x"_a, "valid"_a, "first"_a, "cuts"_a, "table"_a, "out"_a,
        "The same for columns of numbers, whose bins lie between cuts; the table's last row is for what is missing.");
  m.def("score_curves", &py_score_curves, "x"_a, "valid"_a, "first"_a, "parameters"_a, "out"_a,
        "Add base - ((x - mean) * scale)^2 of columns to out; three rows of parameters per column.");
  m.def("own_curves", &py_own_curves, "x"_a, "cls"_a, "weight"_a, "rows"_a, "mean"_a, "deviation"_a, "varies"_a, "out"_a,
        "Write the log density of every row under the normal distribution of its class without it; NaN: look closer.");
  m.def("shared_curves", &py_shared_curves, "x"_a, "cls"_a, "weight"_a, "rows"_a, "mean"_a, "deviation"_a, "all"_a,
        "varies"_a, "out"_a, "The same under all classes, which share one variance; added.");
  m.def("others_counts", &py_others_counts, "x"_a, "cls"_a, "weight"_a, "count"_a, "total"_a, "out"_a,
        "Take x @ log shares from out; of classes other than a row's own it is among the counts, and left out.");
  m.def("own_counts", &py_own_counts, "x"_a, "cls"_a, "weight"_a, "count"_a, "logs"_a, "total"_a,
        "Write the sum of x * log(count - weight * x) and of x of every row, counts being those of its class.");
  m.def("centre", &py_centre, "joint"_a, "log_prior"_a,
        "Take the greatest value of every row away; returns how many rows were impossible and became the prior.");
  m.def("divide_by_sum", &py_divide_by_sum, "odds"_a, "Divide every row by its sum, in place.");
  m.def("decide", &py_decide, "joint"_a, "log_prior"_a, "code"_a,
        "Write the most probable class of every row; returns how many were impossible under every class.");
}

}  // namespace deciban
