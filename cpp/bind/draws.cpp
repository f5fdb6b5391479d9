#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <limits>
#include <stdexcept>
#include <tuple>

#include "bind/arrays.hpp"
#include "bind/labels.hpp"
#include "draws/alias.hpp"
#include "draws/compose.hpp"

namespace deciban {
namespace {

template <class T>
using Table = Checked<T, nb::ndim<3>, nb::c_contig>;

bool are_weights(const double* weight, std::size_t size) {
  bool fine = true, positive = false;
  for (std::size_t i = 0; i < size; ++i) {
    fine &= weight[i] >= 0 && weight[i] < std::numeric_limits<double>::infinity();
    positive |= weight[i] > 0;
  }
  return fine && positive;
}

void py_build_alias(const In2d& weight, Table<std::uint64_t> table) {
  const std::size_t classes = weight.shape(0), size = weight.shape(1);
  require(table.shape(0) == classes && table.shape(1) == size && table.shape(2) == 2,
          "a table needs two numbers for every class and value");
  require(size > 0 && size <= INT32_MAX, "weights need at least one value, and codes for all of them");
  without_gil([&] {
    for (std::size_t c = 0; c < classes; ++c) {
      const double* row = weight.data() + c * size;
      if (!are_weights(row, size))
        throw std::invalid_argument("weights to draw by must be finite, at least 0, and not all 0");
      build_alias(row, static_cast<std::int64_t>(size), reinterpret_cast<AliasSlot*>(table.data()) + c * size);
    }
  });
}

void py_draw_alias(const Table<const std::uint64_t>& table, const Hashes& word, const MaybeCodes& classes,
                   OutCodes out) {
  require(length(table, 2) == 2, "a table needs two numbers for every class and value");
  require(length(table) > 0 && length(table, 1) > 0 && length(table, 1) <= INT32_MAX,
          "a table needs a class and a value");
  require(length(word) == length(out), "out needs one entry per random number");
  if (classes) require(length(*classes) == length(out), "class codes need one entry per random number");
  require(classes || length(table) == 1, "tables of several classes need class codes");
  without_gil([&] {
    draw_alias(reinterpret_cast<const AliasSlot*>(table.data()), length(table), length(table, 1), word.data(),
               classes ? classes->data() : nullptr, length(out), out.data());
  });
}

std::tuple<Array1d<std::int64_t>, Array1d<std::uint8_t>> py_compose(const Longs& start, const Memory& text,
                                                                    const Ints& word, const Longs& first,
                                                                    const Longs& count, bool spaced, bool distinct) {
  require(length(start) > 0, "start needs one entry per word and one more");
  const std::int64_t words = length(start) - 1;
  const std::int64_t* s = start.data();
  require(s[0] >= 0 && s[words] <= length(text) && is_ascending(s, words),
          "words must not overlap, and lie within their memory");
  require(length(first) == length(count), "every document needs a first word and a number of them");
  const WordList list{s, text.data(), words};
  const DrawnWords drawn{word.data(), length(word), first.data(), count.data(), length(first)};
  ComposedTexts found = without_gil([&] { return compose(list, drawn, spaced, distinct); });
  return {to_numpy(std::move(found.start)), to_numpy(std::move(found.text))};
}

}  // namespace

void bind_draws(nb::module_& m) {
  using namespace nb::literals;
  m.def("build_alias", &py_build_alias, "weight"_a, "table"_a,
        "Write the alias table [classes × values × 2] of every row of weights [classes × values].");
  m.def("draw_alias", &py_draw_alias, "table"_a, "word"_a, "classes"_a.none(), "out"_a,
        "Draw a value for every random 64-bit number, from the table of its class.");
  m.def("compose", &py_compose, "start"_a, "text"_a, "word"_a, "first"_a, "count"_a, "spaced"_a, "distinct"_a,
        "Return the starts and bytes of documents made of drawn words.");
}

}  // namespace deciban
