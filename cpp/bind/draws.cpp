#include <nanobind/stl/optional.h>

#include <limits>
#include <stdexcept>

#include "bind/arrays.hpp"
#include "draws/alias.hpp"
#include "draws/compose.hpp"

namespace deciban {
namespace {

using Longs = In1d<std::int64_t>;
using Words = In1d<std::uint64_t>;
template <class T>
using Table = nb::ndarray<T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

void py_build_alias(const In2d& weight, Table<std::uint64_t> table) {
  const std::size_t classes = weight.shape(0), size = weight.shape(1);
  require(table.shape(0) == classes && table.shape(1) == size && table.shape(2) == 2,
          "a table needs two numbers for every class and value");
  require(size > 0 && size <= INT32_MAX, "weights need at least one value, and codes for all of them");
  require_aligned(table);
  nb::gil_scoped_release release;
  for (std::size_t c = 0; c < classes; ++c) {
    const double* row = weight.data() + c * size;
    bool fine = true, some = false;
    for (std::size_t i = 0; i < size; ++i) {
      fine &= row[i] >= 0 && row[i] < std::numeric_limits<double>::infinity();
      some |= row[i] > 0;
    }
    if (!fine || !some) throw std::invalid_argument("weights to draw by must be finite, at least 0, and not all 0");
    build_alias(row, static_cast<std::int64_t>(size), reinterpret_cast<Slot*>(table.data()) + c * size);
  }
}

void py_draw_alias(const Table<const std::uint64_t>& table, const Words& word, const Codes& cls, OutCodes out) {
  require(table.shape(2) == 2, "a table needs two numbers for every class and value");
  require(table.shape(0) > 0 && table.shape(1) > 0 && table.shape(1) <= INT32_MAX, "a table needs a class and a value");
  require(word.shape(0) == out.shape(0), "out needs one entry per random number");
  if (cls) require(cls->shape(0) == out.shape(0), "class codes need one entry per random number");
  require(cls || table.shape(0) == 1, "tables of several classes need class codes");
  require_aligned(table);
  nb::gil_scoped_release release;
  draw_alias(reinterpret_cast<const Slot*>(table.data()), static_cast<std::int64_t>(table.shape(0)),
             static_cast<std::int64_t>(table.shape(1)), word.data(), cls ? cls->data() : nullptr,
             static_cast<std::int64_t>(out.shape(0)), out.data());
}

nb::tuple py_compose(const Longs& start, const Memory& text, const In1d<std::int32_t>& word, const Longs& first,
                     const Longs& count, bool spaced, bool distinct) {
  require(start.shape(0) > 0, "start needs one entry per word and one more");
  const auto words = static_cast<std::int64_t>(start.shape(0)) - 1;
  const std::int64_t* s = start.data();
  bool fine = s[0] >= 0 && s[words] <= static_cast<std::int64_t>(text.shape(0));
  for (std::int64_t i = 0; i < words; ++i) fine &= s[i] <= s[i + 1];
  require(fine, "words must not overlap, and lie within their memory");
  require(first.shape(0) == count.shape(0), "every document needs a first word and a number of them");
  Composed found;
  {
    nb::gil_scoped_release release;
    found = compose({s, text.data(), words},
                    {word.data(), static_cast<std::int64_t>(word.shape(0)), first.data(), count.data(),
                     static_cast<std::int64_t>(first.shape(0))},
                    spaced, distinct);
  }
  return nb::make_tuple(owned(std::move(found.start)), owned(std::move(found.text)));
}

}  // namespace

void bind_draws(nb::module_& m) {
  using namespace nb::literals;
  m.def("build_alias", &py_build_alias, "weight"_a, "table"_a,
        "Write the alias table of every row of weights (classes x values) into table (classes x values x 2).");
  m.def("draw_alias", &py_draw_alias, "table"_a, "word"_a, "classes"_a.none(), "out"_a,
        "Draw a value for every random 64-bit number, by the table of its class.");
  m.def("compose", &py_compose, "start"_a, "text"_a, "word"_a, "first"_a, "count"_a, "spaced"_a, "distinct"_a,
        "Documents of drawn words: where each begins, and their bytes.");
}

}  // namespace deciban
