#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "bind/coding.hpp"
#include "scores/contrast.hpp"

namespace deciban {
namespace {

using Class = In1d<std::int32_t>;
using OutColumns = nb::ndarray<double, nb::ndim<2>, nb::device::cpu>;

Pair pair_of(const Class& of, const Class& against, std::int64_t classes) {
  const auto rows = static_cast<std::int64_t>(of.shape(0));
  require(static_cast<std::int64_t>(against.shape(0)) == rows, "every row needs two classes");
  bool fine = true;
  for (const Class* codes : {&of, &against})
    for (std::int64_t i = 0; i < rows; ++i) fine &= codes->data()[i] >= 0 && codes->data()[i] < classes;
  require(fine, "a row's class is not among the classes");
  return {of.data(), against.data(), rows};
}

// Parameters are given with as many columns as a kernel may look at: classes beyond are padding.
Shape shape_of(const In2d& parameter, std::int64_t rows, const char* name) {
  const auto padded = static_cast<std::int64_t>(parameter.shape(1));
  require_shape(parameter, rows, padded, name);
  return {padded, padded};
}

Written written(OutColumns& out, std::size_t columns, std::int64_t rows) {
  require_shape(out, rows, static_cast<std::int64_t>(columns), "out");
  require_aligned(out);
  require(rows < 2 || out.stride(0) == 1, "out must lie column after column");
  return {out.data(), columns < 2 ? rows : out.stride(1)};
}

void py_contrast_linear(const std::vector<Any2d>& x, const std::vector<Bits>& valid,
                        const std::vector<std::int64_t>& first, const In2d& weight, const std::optional<In2d>& base,
                        const std::optional<double>& threshold, const Class& of, const Class& against, OutColumns out) {
  const Shape shape = shape_of(weight, static_cast<std::int64_t>(x.size()), "weight");
  if (base) require_shape(*base, weight.shape(0), weight.shape(1), "base");
  const Pair who = pair_of(of, against, shape.classes);
  const auto columns = number_columns(x, valid, first, who.rows);
  const Written to = written(out, x.size(), who.rows);
  nb::gil_scoped_release release;
  contrast_linear(columns, weight.data(), base ? base->data() : nullptr, threshold ? &*threshold : nullptr, shape, who, to);
}

void py_contrast_curves(const std::vector<Any2d>& x, const std::vector<Bits>& valid,
                        const std::vector<std::int64_t>& first, const In2d& parameters, const Class& of,
                        const Class& against, OutColumns out) {
  const Shape shape = shape_of(parameters, 3 * static_cast<std::int64_t>(x.size()), "parameters");
  const Pair who = pair_of(of, against, shape.classes);
  const auto columns = number_columns(x, valid, first, who.rows);
  const Written to = written(out, x.size(), who.rows);
  nb::gil_scoped_release release;
  contrast_curves(columns, parameters.data(), shape, who, to);
}

void py_contrast_codes(const std::vector<Any2d>& x, const Ints& low, const Ints& start, const In2d& table,
                       const Class& of, const Class& against, OutColumns out) {
  const auto features = static_cast<std::int64_t>(x.size());
  const auto width = static_cast<std::int64_t>(table.shape(0));
  const Coding how = coding(low, start, features, width);
  for (std::int64_t j = 0; j < features; ++j)
    require(start.data()[j + 1] - start.data()[j] < INT32_MAX, "a column has too many codes");
  const Shape shape = shape_of(table, width, "table");
  const Pair who = pair_of(of, against, shape.classes);
  const auto columns = number_columns(x, std::vector<Bits>(x.size()), std::vector<std::int64_t>(x.size()), who.rows);
  const Written to = written(out, x.size(), who.rows);
  nb::gil_scoped_release release;
  contrast_codes(columns, how.low, how.start, table.data(), shape, who, to);
}

void py_contrast_steps(const std::vector<Any2d>& x, const std::vector<Bits>& valid,
                       const std::vector<std::int64_t>& first, const std::vector<In1d<double>>& cuts,
                       const In2d& table, const Class& of, const Class& against, OutColumns out) {
  const CutPlaces places(cuts, x.size());
  const auto width = static_cast<std::int64_t>(table.shape(0));
  require(places.start.back() <= width, "the table needs an entry for every bin");
  const Shape shape = shape_of(table, width, "table");
  const Pair who = pair_of(of, against, shape.classes);
  const auto columns = number_columns(x, valid, first, who.rows);
  const Written to = written(out, x.size(), who.rows);
  nb::gil_scoped_release release;
  contrast_steps(columns, places.cuts.data(), places.start.data(), table.data(), shape, who, to);
}

using OutRows = nb::ndarray<double, nb::ndim<2>, nb::device::cpu>;

Dense rows_side_by_side(const Any2d& x, const Pair& who) {
  const Dense view = dense(x);
  require(view.rows == who.rows, "every row needs two classes");
  require(view.cols < 2 || view.col_stride == 1, "x must lie row after row");
  return view;
}

Rows written_rows(OutRows& out, const Dense& x) {
  require_shape(out, x.rows, x.cols, "out");
  require_aligned(out);
  require(x.cols < 2 || out.stride(1) == 1, "out must lie row after row");
  return {out.data(), x.rows < 2 ? x.cols : out.stride(0)};
}

// Parameters of rows: classes x padded features.
std::int64_t padded_features(const In2d& parameter, const In2d& like, std::int64_t features, const char* name) {
  require_shape(parameter, like.shape(0), like.shape(1), name);
  require(static_cast<std::int64_t>(parameter.shape(1)) >= features, std::string(name) + " needs every feature");
  return static_cast<std::int64_t>(parameter.shape(1));
}

void py_contrast_linear_rows(const Any2d& x, const In2d& weight, const std::optional<In2d>& base,
                             const std::optional<double>& threshold, const Class& of, const Class& against,
                             OutRows out) {
  const Pair who = pair_of(of, against, static_cast<std::int64_t>(weight.shape(0)));
  const Dense view = rows_side_by_side(x, who);
  const std::int64_t padded = padded_features(weight, weight, view.cols, "weight");
  if (base) padded_features(*base, weight, view.cols, "base");
  const Rows to = written_rows(out, view);
  nb::gil_scoped_release release;
  contrast_linear_rows(view, weight.data(), base ? base->data() : nullptr, threshold ? &*threshold : nullptr, padded, who, to);
}

void py_contrast_curve_rows(const Any2d& x, const In2d& mean, const In2d& scale, const In2d& base, const Class& of,
                            const Class& against, OutRows out) {
  const Pair who = pair_of(of, against, static_cast<std::int64_t>(mean.shape(0)));
  const Dense view = rows_side_by_side(x, who);
  const std::int64_t padded = padded_features(mean, mean, view.cols, "mean");
  padded_features(scale, mean, view.cols, "scale");
  padded_features(base, mean, view.cols, "base");
  const Rows to = written_rows(out, view);
  nb::gil_scoped_release release;
  contrast_curve_rows(view, mean.data(), scale.data(), base.data(), padded, who, to);
}

void py_contrast_code_rows(const Any2d& x, const Ints& low, const Ints& start, const In2d& table, const Class& of,
                           const Class& against, OutRows out) {
  const Pair who = pair_of(of, against, static_cast<std::int64_t>(table.shape(1)));
  const Dense view = rows_side_by_side(x, who);
  const Coding how = coding(low, start, view.cols, static_cast<std::int64_t>(table.shape(0)));
  const Rows to = written_rows(out, view);
  nb::gil_scoped_release release;
  contrast_code_rows(view, how.low, how.start, table.data(), static_cast<std::int64_t>(table.shape(1)), who, to);
}

void py_contrast_scores(const In2d& scores, const Class& of, const Class& against, Out1d out) {
  const Pair who = pair_of(of, against, static_cast<std::int64_t>(scores.shape(1)));
  require(static_cast<std::int64_t>(scores.shape(0)) == who.rows, "every row needs scores");
  require(static_cast<std::int64_t>(out.shape(0)) == who.rows, "out needs one entry per row");
  nb::gil_scoped_release release;
  contrast_scores(scores.data(), static_cast<std::int64_t>(scores.shape(1)), who, out.data());
}

void py_two_best(const In2d& posterior, OutCodes of, OutCodes against) {
  require(posterior.shape(1) > 0, "there must be a class");
  require(of.shape(0) == posterior.shape(0) && against.shape(0) == posterior.shape(0), "every row needs two classes");
  nb::gil_scoped_release release;
  two_best(posterior.data(), static_cast<std::int64_t>(posterior.shape(0)),
           static_cast<std::int64_t>(posterior.shape(1)), of.data(), against.data());
}

}  // namespace

void bind_contrasts(nb::module_& m) {
  using namespace nb::literals;
  m.def("contrast_linear", &py_contrast_linear, "x"_a, "valid"_a, "first"_a, "weight"_a, "base"_a.none(),
        "threshold"_a.none(), "of"_a, "against"_a, "out"_a,
        "Write base + x * weight of one class less that of another, for every row and column.");
  m.def("contrast_curves", &py_contrast_curves, "x"_a, "valid"_a, "first"_a, "parameters"_a, "of"_a, "against"_a,
        "out"_a, "The same of base - ((x - mean) * scale)^2.");
  m.def("contrast_codes", &py_contrast_codes, "x"_a, "low"_a, "start"_a, "table"_a, "of"_a, "against"_a, "out"_a,
        "The same of the table's entry of every code.");
  m.def("contrast_steps", &py_contrast_steps, "x"_a, "valid"_a, "first"_a, "cuts"_a, "table"_a, "of"_a, "against"_a,
        "out"_a, "The same of the entry of the bin between cuts.");
  m.def("contrast_linear_rows", &py_contrast_linear_rows, "x"_a, "weight"_a, "base"_a.none(), "threshold"_a.none(),
        "of"_a, "against"_a, "out"_a, "contrast_linear for rows that lie side by side; parameters must be finite.");
  m.def("contrast_curve_rows", &py_contrast_curve_rows, "x"_a, "mean"_a, "scale"_a, "base"_a, "of"_a, "against"_a,
        "out"_a, "contrast_curves for rows that lie side by side.");
  m.def("contrast_code_rows", &py_contrast_code_rows, "x"_a, "low"_a, "start"_a, "table"_a, "of"_a, "against"_a,
        "out"_a, "contrast_codes for rows that lie side by side.");
  m.def("two_best", &py_two_best, "posterior"_a, "of"_a, "against"_a,
        "Write the most probable class of every row, and the next.");
  m.def("contrast_scores", &py_contrast_scores, "scores"_a, "of"_a, "against"_a, "out"_a,
        "Write the score of one class less that of another for every row; nothing where both are impossible.");
}

}  // namespace deciban
