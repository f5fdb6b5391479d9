#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>

#include "bind/arrays.hpp"
#include "files/json.hpp"
#include "files/lines.hpp"

namespace deciban {
namespace {

using ByteArray = Array1d<std::uint8_t>;

std::pair<std::int64_t, std::int64_t> py_row_ends(const Memory& text, int delimiter, int quote) {
  require(delimiter > 0 && delimiter < 256 && quote > 0 && quote < 256, "delimiter and quote must be one byte");
  const RowEnds ends = without_gil([&] {
    return row_ends(text.data(), length(text), static_cast<unsigned char>(delimiter),
                    static_cast<unsigned char>(quote));
  });
  return {ends.first, ends.last};
}

std::tuple<Array1d<std::int64_t>, ByteArray, ByteArray, ByteArray, std::int64_t> py_labelled_lines(const Memory& text,
                                                                                                   bool each_label) {
  LabelledLines found = without_gil([&] { return labelled_lines(text.data(), length(text), each_label); });
  return {to_numpy(std::move(found.label_start)), to_numpy(std::move(found.labels)),
          to_numpy(std::move(found.has_label)), to_numpy(std::move(found.texts)), found.multi_labelled};
}

std::optional<std::tuple<std::vector<std::pair<ByteArray, ByteArray>>, ByteArray, ByteArray>> py_take_texts(
    const Memory& text, const std::vector<std::string>& names) {
  const std::vector<std::string_view> wanted(names.begin(), names.end());
  std::optional<TakenTexts> found = without_gil([&] { return take_texts(text.data(), length(text), wanted); });
  if (!found) return std::nullopt;
  std::vector<std::pair<ByteArray, ByteArray>> members;
  for (TakenColumn& member : found->members)
    members.emplace_back(to_numpy(std::move(member.views)), to_numpy(std::move(member.valid)));
  return std::tuple(std::move(members), to_numpy(std::move(found->bytes)), to_numpy(std::move(found->rest)));
}

}  // namespace

void bind_files(nb::module_& m) {
  using namespace nb::literals;
  m.def("row_ends", &py_row_ends, "text"_a, "delimiter"_a, "quote"_a,
        "Return the ends of the first and the last whole row of delimited text; 0 if there is no whole row.");
  m.def(
      "labelled_lines", &py_labelled_lines, "text"_a, "each_label"_a,
      "Read lines of fastText: a row with the first label or, with each_label, a row per label. Return the starts and "
      "bytes of the labels, which rows have one, Arrow's views of the texts, and the number of lines with several "
      "labels.");
  m.def("take_texts", &py_take_texts, "text"_a, "names"_a,
        "Take strings out of JSON objects. Return Arrow's views and validity for every name, the bytes of the strings, "
        "and the objects without them; None if only a parser can separate them.");
}

}  // namespace deciban
