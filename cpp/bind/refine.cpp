#include <algorithm>

#include "bind/arrays.hpp"
#include "bind/labels.hpp"
#include "refine/correction.hpp"
#include "refine/logistic.hpp"
#include "refine/pairs.hpp"

namespace deciban {
namespace {

using In3d = Checked<const double, nb::ndim<3>, nb::c_contig>;
using Cells2d = Checked<const std::int32_t, nb::ndim<2>, nb::c_contig>;

// Combinations of cells of a pair, at most: more would not fit into memory.
constexpr std::int64_t kMostCells = 1 << 20;

using Out3d = Checked<double, nb::ndim<3>, nb::c_contig>;

void py_relative_terms(const In3d& scores, const Ints& cls, std::int64_t first, Out3d out) {
  const ClassScores s{scores.data(), cls.data(), length(scores), length(scores, 1), length(scores, 2)};
  require(length(cls) == s.rows, "every row needs a class");
  require_classes(cls, s.classes);
  require(length(out) == s.rows && length(out, 1) == std::max<std::int64_t>(s.classes - 1, 0),
          "out needs a line for every row and every class but its own");
  require(first >= 0 && first <= length(out, 2) && s.terms <= length(out, 2) - first, "out has too few entries");
  without_gil([&] { relative_terms(s, length(out, 2), first, out.data()); });
}

TermScores term_scores(const In3d& terms, const In2d& offset, const Doubles& weight, const Doubles& x) {
  const std::int64_t rows = length(terms), others = length(terms, 1), count = length(terms, 2);
  require_shape(offset, rows, others, "offset");
  require(length(weight) == rows, "weight needs one entry per row");
  require(length(x) == count, "x needs one coefficient per term");
  return {terms.data(), offset.data(), weight.data(), rows, others, count};
}

void py_logistic_losses(const In3d& terms, const In2d& offset, const Doubles& weight, const Doubles& x, Out1d losses) {
  const TermScores t = term_scores(terms, offset, weight, x);
  require(length(losses) == t.rows, "losses needs one entry per row");
  without_gil([&] { logistic_losses(t, x.data(), losses.data()); });
}

void py_add_logistic_derivatives(const In3d& terms, const In2d& offset, const Doubles& weight, const Doubles& x,
                                 Out1d losses, Out1d gradient, Out2d curvature) {
  const TermScores t = term_scores(terms, offset, weight, x);
  require(length(losses) == t.rows, "losses needs one entry per row");
  require(length(gradient) == t.count, "gradient needs one entry per term");
  require_shape(curvature, t.count, t.count, "curvature");
  without_gil([&] { add_logistic_derivatives(t, x.data(), losses.data(), gradient.data(), curvature.data()); });
}

// Checks that every cell is one of its column's, and every pair one of two columns.
PairCells pair_cells(const Cells2d& cell, const Longs& cells, const Ints& first, const Ints& second) {
  const std::int64_t columns = length(cell), rows = length(cell, 1), pairs = length(first);
  require(length(cells) == columns, "cells needs one entry per column");
  require(length(second) == pairs, "every pair needs two columns");
  bool fine = true;
  for (std::int64_t j = 0; j < columns; ++j) {
    const std::int64_t most = cells.data()[j];
    require(most >= 0 && most <= kMostCells, "a column has too many cells");
    for (std::int64_t i = 0; i < rows; ++i) {
      const std::int32_t code = cell.data()[j * rows + i];
      fine &= code >= -1 && code < most;
    }
  }
  require(fine, "a cell is not among the cells of its column");
  for (std::int64_t k = 0; k < pairs; ++k) {
    const std::int32_t a = first.data()[k], b = second.data()[k];
    require(a >= 0 && a < columns && b >= 0 && b < columns, "a pair names a column that is not there");
    require(cells.data()[a] * cells.data()[b] <= kMostCells, "a pair has too many combinations of cells");
  }
  return {cell.data(), cells.data(), first.data(), second.data(), rows, pairs};
}

void py_pair_gains(const Cells2d& cell, const Longs& cells, const Ints& first, const Ints& second, const Ints& cls,
                   const Doubles& weight, const In2d& posterior, const Doubles& one_row, const Doubles& strengths,
                   Out1d gain, Out1d strength) {
  const PairCells x = pair_cells(cell, cells, first, second);
  const std::int64_t classes = length(one_row);
  require(length(cls) == x.rows && length(weight) == x.rows, "every row needs a class and a weight");
  require_classes(cls, classes);
  require_shape(posterior, x.rows, classes, "posterior");
  require(length(strengths) > 0, "give at least one strength");
  require(length(gain) == x.pairs && length(strength) == x.pairs, "every pair needs a gain and a strength");
  const PairRows rows{cls.data(), weight.data(), posterior.data(), one_row.data(), classes};
  const Strengths tried{strengths.data(), length(strengths)};
  without_gil([&] { pair_gains(x, rows, tried, gain.data(), strength.data()); });
}

void py_score_pairs(const Cells2d& cell, const Longs& cells, const Ints& first, const Ints& second, const Longs& start,
                    const In2d& entries, Out2d out) {
  const PairCells x = pair_cells(cell, cells, first, second);
  require(length(start) == x.pairs + 1 && start.data()[0] == 0, "start needs one more entry than there are pairs");
  for (std::int64_t k = 0; k < x.pairs; ++k)
    require(start.data()[k + 1] - start.data()[k] == x.cells[x.first[k]] * x.cells[x.second[k]],
            "a pair needs an entry for every combination of cells");
  require(length(entries) == start.data()[x.pairs], "entries do not end where the last pair ends");
  require(length(out) == x.rows && length(out, 1) <= length(entries, 1), "out does not fit the rows and classes");
  without_gil([&] { score_pairs(x, start.data(), entries.data(), length(entries, 1), length(out, 1), out.data()); });
}

// Values, weights and rates beyond this could overflow when they are multiplied and squared.
constexpr double kLargest = 1e60;

// Whether all numbers of an array are from `least` up to, but without, `end`.
template <class T>
bool all_within(const In1d<T>& a, T least, T end) {
  const T* numbers = a.data();
  bool fine = true;
  for (std::int64_t i = 0; i < length(a); ++i) fine &= numbers[i] >= least && numbers[i] < end;
  return fine;
}

// Checks that every entry is within the memory, and its term among the terms.
TermRows term_rows(const Longs& start, const Ints& term, const Doubles& value, std::int64_t terms) {
  const std::int64_t rows = length(start) - 1;
  require(rows >= 0 && start.data()[0] == 0 && is_ascending(start.data(), rows),
          "start must hold the offset of every row and the end of the last, from 0 on and ascending");
  require(start.data()[rows] == length(term) && length(value) == length(term),
          "every entry needs a term and a value, up to the end of the last row");
  require(terms <= INT32_MAX, "there are more terms than 2147483647");
  require(all_within<std::int32_t>(term, 0, static_cast<std::int32_t>(terms)),
          "a row has a term that is not among the terms");
  require(all_within<double>(value, -kLargest, kLargest), "value must hold finite numbers of less than 1e60");
  return {start.data(), term.data(), value.data(), rows};
}

TaughtRows taught_rows(const Ints& cls, const Doubles& weight, const In2d& base, const Longs& order, std::int64_t rows,
                       std::int64_t classes) {
  require(length(cls) == rows && length(weight) == rows, "every row needs a class and a weight");
  require(classes <= INT32_MAX, "there are more classes than 2147483647");
  require(all_within<std::int32_t>(cls, -1, static_cast<std::int32_t>(classes)),
          "a row's class is not among the classes");
  require(all_within<double>(weight, 0.0, kLargest), "weight must hold numbers from 0 to less than 1e60");
  require_shape(base, rows, classes, "base");
  require(all_within<std::int64_t>(order, 0, rows), "order names a row that is not there");
  return {cls.data(), weight.data(), base.data(), order.data(), length(order)};
}

void py_learn_correction(const Longs& start, const Ints& term, const Doubles& value, const Ints& cls,
                         const Doubles& weight, const In2d& base, const Longs& order, double eta, double l2,
                         Out3d state, Out2d offsets) {
  const std::int64_t classes = length(state, 2);
  require(length(state, 1) == 2, "state needs two lines per term");
  require_shape(offsets, 2, classes, "offsets");
  require(eta >= 1 / kLargest && eta <= kLargest, "eta must be greater than 0 and finite");
  require(l2 >= 0 && l2 <= kLargest, "l2 must be at least 0 and finite");
  const TermRows x = term_rows(start, term, value, length(state));
  const TaughtRows rows = taught_rows(cls, weight, base, order, x.rows, classes);
  const CorrectionState s{state.data(), offsets.data(), classes, eta, l2};
  without_gil([&] { learn_correction(x, rows, s); });
}

void py_add_correction(const Longs& start, const Ints& term, const Doubles& value, const In2d& delta, Out2d out) {
  const TermRows x = term_rows(start, term, value, length(delta));
  require_shape(out, x.rows, length(delta, 1), "out");
  without_gil([&] { add_correction(x, delta.data(), length(delta, 1), out.data()); });
}

}  // namespace

void bind_refine(nb::module_& m) {
  using namespace nb::literals;
  m.def("relative_terms", &py_relative_terms, "scores"_a, "cls"_a, "first"_a, "out"_a,
        "Write scores [terms × rows × classes] of the classes that a row does not have, less that of its own class, "
        "to out [rows × other classes × entries] from the entry first on.");
  m.def("logistic_losses", &py_logistic_losses, "terms"_a, "offset"_a, "weight"_a, "x"_a, "losses"_a,
        "Write the loss of every row, log(1 + sum of exp(offset + terms · x)) over the classes that it does not have.");
  m.def("add_logistic_derivatives", &py_add_logistic_derivatives, "terms"_a, "offset"_a, "weight"_a, "x"_a, "losses"_a,
        "gradient"_a, "curvature"_a,
        "Write the loss of every row, and add the gradient and the lower triangle of the curvature of the weighted sum "
        "of all losses.");
  m.def("pair_gains", &py_pair_gains, "cell"_a, "cells"_a, "first"_a, "second"_a, "cls"_a, "weight"_a, "posterior"_a,
        "one_row"_a, "strengths"_a, "gain"_a, "strength"_a,
        "Write the gain of log-likelihood that a weight on every pair of columns promises, and its best strength.");
  m.def("score_pairs", &py_score_pairs, "cell"_a, "cells"_a, "first"_a, "second"_a, "start"_a, "entries"_a, "out"_a,
        "Add the entries of every row's pairs of cells to out [rows × classes].");
  m.def("learn_correction", &py_learn_correction, "start"_a, "term"_a, "value"_a, "cls"_a, "weight"_a, "base"_a,
        "order"_a, "eta"_a, "l2"_a, "state"_a, "offsets"_a,
        "Read compressed rows in a given order by FTRL-proximal, and update state [terms × 2 × classes] and offsets "
        "[2 × classes] after each. A row is skipped if its class is -1 or impossible, its weight 0, or a score of base "
        "[rows × classes] NaN or positive infinity; a class with the score -inf is impossible and learns nothing.");
  m.def("add_correction", &py_add_correction, "start"_a, "term"_a, "value"_a, "delta"_a, "out"_a,
        "Add the sum of value · delta [terms × classes] of every row's terms to out [rows × classes].");
}

}  // namespace deciban
