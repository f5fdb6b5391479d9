#include "scores/left_out.hpp"

#include "bind/arrays.hpp"
#include "bind/labels.hpp"

namespace deciban {
namespace {

RowClasses row_classes(const Dense& x, const Ints& cls, const Doubles& weight, std::int64_t classes) {
  require(length(cls) == x.rows && length(weight) == x.rows, "every row needs a class and a weight");
  require_classes(cls, classes);
  return {cls.data(), weight.data()};
}

void require_per_row(const Out1d& a, const Dense& x, const char* name) {
  require(length(a) == x.rows, std::string(name) + " needs one entry per row");
}

template <class Array>
void require_per_feature(const Array& a, const Dense& x, const char* name) {
  require(length(a) == x.cols, std::string(name) + " needs one entry per feature");
}

void py_own_gaussian(const Any2d& x, const Ints& cls, const Doubles& weight, const Doubles& rows, const In2d& mean,
                     const In2d& deviation, const Memory& varies, Out1d out) {
  const Dense view = dense_view(x);
  const std::int64_t classes = length(rows);
  require_shape(mean, classes, view.cols, "mean");
  require_shape(deviation, classes, view.cols, "deviation");
  require_per_feature(varies, view, "varies");
  require_per_row(out, view, "out");
  const RowClasses labels = row_classes(view, cls, weight, classes);
  const ClassMoments p{rows.data(), mean.data(), deviation.data(), varies.data(), classes};
  without_gil([&] { own_gaussian(view, labels, p, out.data()); });
}

void py_shared_gaussian(const Any2d& x, const Ints& cls, const Doubles& weight, const Doubles& rows, const In2d& mean,
                        const Doubles& deviation, double total, const Memory& varies, Out2d out) {
  const Dense view = dense_view(x);
  const std::int64_t classes = length(rows);
  require_shape(mean, classes, view.cols, "mean");
  require_per_feature(deviation, view, "deviation");
  require_per_feature(varies, view, "varies");
  require_shape(out, view.rows, classes, "out");
  const RowClasses labels = row_classes(view, cls, weight, classes);
  const SharedMoments p{rows.data(), mean.data(), deviation.data(), total, varies.data(), classes};
  without_gil([&] { shared_gaussian(view, labels, p, out.data()); });
}

void py_others_counts(const Any2d& x, const Ints& cls, const Doubles& weight, const In2d& count, const Doubles& total,
                      Out2d out) {
  const Dense view = dense_view(x);
  const std::int64_t classes = length(total);
  require_shape(count, classes, view.cols, "count");
  require_shape(out, view.rows, classes, "out");
  const RowClasses labels = row_classes(view, cls, weight, classes);
  without_gil([&] { others_counts(view, labels, count.data(), total.data(), classes, out.data()); });
}

void py_own_counts(const Any2d& x, const Ints& cls, const Doubles& weight, const In2d& count, Out1d logs, Out1d total) {
  const Dense view = dense_view(x);
  const std::int64_t classes = length(count);
  require_shape(count, classes, view.cols, "count");
  require_per_row(logs, view, "logs");
  require_per_row(total, view, "total");
  const RowClasses labels = row_classes(view, cls, weight, classes);
  without_gil([&] { own_counts(view, labels, count.data(), classes, logs.data(), total.data()); });
}

}  // namespace

void bind_left_out(nb::module_& m) {
  using namespace nb::literals;
  m.def("own_gaussian", &py_own_gaussian, "x"_a, "cls"_a, "weight"_a, "rows"_a, "mean"_a, "deviation"_a, "varies"_a,
        "out"_a,
        "Write the log density of every row under the normal distributions of its class without the row. NaN marks a "
        "row that has a missing cell or leaves no variance.");
  m.def("shared_gaussian", &py_shared_gaussian, "x"_a, "cls"_a, "weight"_a, "rows"_a, "mean"_a, "deviation"_a,
        "total"_a, "varies"_a, "out"_a,
        "Add the log density of every row, without the row, under classes that share one variance per feature to out "
        "[rows × classes].");
  m.def("others_counts", &py_others_counts, "x"_a, "cls"_a, "weight"_a, "count"_a, "total"_a, "out"_a,
        "Subtract the multinomial log-likelihood of every row under the complement of every class, without the row, "
        "from out [rows × classes].");
  m.def("own_counts", &py_own_counts, "x"_a, "cls"_a, "weight"_a, "count"_a, "logs"_a, "total"_a,
        "Write the sums of x * log(count - weight * x) and of x of every row, with the counts of its class.");
}

}  // namespace deciban
