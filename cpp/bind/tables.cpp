#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "bind/coding.hpp"
#include "core/label_codes.hpp"
#include "bind/strings.hpp"
#include "files/json.hpp"
#include "files/lines.hpp"
#include "scores/bins.hpp"
#include "statistics/histogram.hpp"

namespace deciban {
namespace {

nb::object py_encode_strings(const Memory& offsets, bool wide, const Memory& data, const Bits& valid,
                             std::int64_t first, OutCodes code) {
  const auto rows = static_cast<std::int64_t>(code.shape(0));
  std::vector<std::int64_t> found;
  {
    nb::gil_scoped_release release;
    found = encode_strings(bytes_of(offsets), wide, bytes_of(data), rows_of(valid, first, rows), code.data());
  }
  return owned(std::move(found));
}

nb::object py_encode_views(const Memory& views, const std::vector<Memory>& buffers, const Bits& valid,
                           std::int64_t first, OutCodes code) {
  const auto rows = static_cast<std::int64_t>(code.shape(0));
  const std::vector<Bytes> memory = bytes_of(buffers);
  std::vector<std::int64_t> found;
  {
    nb::gil_scoped_release release;
    found = encode_views(bytes_of(views), memory, rows_of(valid, first, rows), code.data());
  }
  return owned(std::move(found));
}

nb::tuple py_row_ends(const Memory& text, int delimiter, int quote) {
  require(delimiter > 0 && delimiter < 256 && quote > 0 && quote < 256, "delimiter and quote must be one byte");
  RowEnds ends;
  {
    nb::gil_scoped_release release;
    ends = row_ends(text.data(), static_cast<std::int64_t>(text.shape(0)), static_cast<unsigned char>(delimiter),
                    static_cast<unsigned char>(quote));
  }
  return nb::make_tuple(ends.first, ends.last);
}

nb::tuple py_count_buckets(const Any2d& x, const Bits& valid, std::int64_t first, const Codes& codes, const Weights& w, const Soft& soft,
                           std::int64_t classes, int drop, std::int64_t most) {
  const Dense view = dense(x);
  require(view.cols == 1, "a histogram counts one column at a time");
  const Labels who = labels(codes, w, soft, classes, view.rows);
  const Valid here = valid_of(valid, first, view.rows);
  Buckets found;
  {
    nb::gil_scoped_release release;
    found = count_buckets(view, here, who, drop, most);
  }
  const std::size_t buckets = found.keys.size();
  return nb::make_tuple(found.drop, owned(std::move(found.keys)),
                        owned<2>(std::move(found.weight), {buckets, static_cast<std::size_t>(classes)}));
}

nb::tuple py_labelled_lines(const Memory& text) {
  LabelledLines found;
  {
    nb::gil_scoped_release release;
    found = labelled_lines(text.data(), static_cast<std::int64_t>(text.shape(0)));
  }
  return nb::make_tuple(owned(std::move(found.label_start)), owned(std::move(found.labels)),
                        owned(std::move(found.has_label)), owned(std::move(found.texts)), found.several);
}

nb::object py_take_texts(const Memory& text, const std::vector<std::string>& names) {
  const std::vector<std::string_view> wanted(names.begin(), names.end());
  std::optional<TakenOut> found;
  {
    nb::gil_scoped_release release;
    found = take_texts(text.data(), static_cast<std::int64_t>(text.shape(0)), wanted);
  }
  if (!found) return nb::none();
  nb::list members;
  for (TakenTexts& member : found->members)
    members.append(nb::make_tuple(owned(std::move(member.views)), owned(std::move(member.valid))));
  return nb::make_tuple(members, owned(std::move(found->bytes)), owned(std::move(found->rest)));
}

void py_count_codes(const std::vector<In1d<std::int32_t>>& columns, const Codes& codes, const Weights& w,
                    const Soft& soft, const Ints& start, Out2d count) {
  const std::size_t given = soft ? soft->shape(0) : codes ? codes->shape(0) : 0;
  const auto rows = static_cast<std::int64_t>(given);
  const Labels who = labels(codes, w, soft, static_cast<std::int64_t>(count.shape(0)), rows);
  const auto cells = code_columns(columns, start, rows, static_cast<std::int64_t>(count.shape(1)));
  nb::gil_scoped_release release;
  count_codes(cells, who, start.data(), count.data());
}

std::int64_t py_merge_sorted(const In1d<std::uint64_t>& a, const In1d<std::uint64_t>& b,
                             nb::ndarray<std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> place_a,
                             nb::ndarray<std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> place_b) {
  require(a.shape(0) == place_a.shape(0) && b.shape(0) == place_b.shape(0), "a place is needed for every key");
  nb::gil_scoped_release release;
  return merge_sorted(a.data(), static_cast<std::int64_t>(a.shape(0)), b.data(),
                      static_cast<std::int64_t>(b.shape(0)), place_a.data(), place_b.data());
}

void py_bin_codes(const Any2d& x, const Bits& valid, std::int64_t first, const In1d<double>& cuts, OutCodes code) {
  const Column numbers = column(x, valid, first, static_cast<std::int64_t>(code.shape(0)));
  require(cuts.shape(0) < INT32_MAX / 8, "there are too many cuts");
  nb::gil_scoped_release release;
  bin_codes(numbers, cuts.data(), static_cast<std::int64_t>(cuts.shape(0)), code.data());
}

}  // namespace

void bind_tables(nb::module_& m) {
  using namespace nb::literals;
  m.def("encode_strings", &py_encode_strings, "offsets"_a, "wide"_a, "data"_a, "valid"_a.none(), "first"_a, "code"_a,
        "Number the strings of an Arrow column by first appearance, -1 where one is missing; returns where each was.");
  m.def("encode_views", &py_encode_views, "views"_a, "buffers"_a, "valid"_a.none(), "first"_a, "code"_a,
        "The same for a column of string views.");
  m.def("count_buckets", &py_count_buckets, "x"_a, "valid"_a.none(), "first"_a, "codes"_a.none(), "row_weight"_a.none(), "soft"_a.none(),
        "classes"_a, "drop"_a, "most"_a,
        "Count a column in float-prefix buckets; returns the bits dropped, the sorted keys, and weights by key and class.");
  m.def("row_ends", &py_row_ends, "text"_a, "delimiter"_a, "quote"_a,
        "Where the first and the last whole row of delimited text end; 0: there is none.");
  m.def("labelled_lines", &py_labelled_lines, "text"_a,
        "Lines of fastText: starts and bytes of labels, which lines have one, views of texts, and lines with more.");
  m.def("take_texts", &py_take_texts, "text"_a, "names"_a,
        "Strings of JSON objects: views and validity for every name, their bytes, and the objects without them; or None.");
  m.def("count_codes", &py_count_codes, "columns"_a, "codes"_a.none(), "row_weight"_a.none(), "soft"_a.none(),
        "start"_a, "count"_a, "Add columns of category codes, counting from 0, to count (classes x codes).");
  m.def("merge_sorted", &py_merge_sorted, "a"_a, "b"_a, "place_a"_a, "place_b"_a,
        "Write the places of two sorted runs of distinct keys in their union; returns its size.");
  m.def("bin_codes", &py_bin_codes, "x"_a, "valid"_a.none(), "first"_a, "cuts"_a, "code"_a,
        "Write how many of the cuts every number of a column reaches, -1 for NaN.");
}

}  // namespace deciban
