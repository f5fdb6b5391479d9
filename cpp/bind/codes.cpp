#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "bind/layout.hpp"
#include "bind/strings.hpp"
#include "core/label_codes.hpp"
#include "core/strings.hpp"
#include "scores/bins.hpp"

namespace deciban {
namespace {

using FirstRows = Array1d<std::int64_t>;

FirstRows py_encode(const Checked<const std::uint8_t, nb::ndim<2>, nb::c_contig>& items, OutCodes code) {
  require(length(items) == length(code), "code needs one entry per item");
  return to_numpy(
      without_gil([&] { return encode_items(items.data(), length(items), length(items, 1), code.data()); }));
}

FirstRows py_encode_strings(const Memory& offsets, bool wide, const Memory& data, const MaybeBits& valid,
                            std::int64_t first, OutCodes code) {
  const StringRows rows = string_rows(valid, first, length(code));
  return to_numpy(
      without_gil([&] { return encode_strings(bytes_view(offsets), wide, bytes_view(data), rows, code.data()); }));
}

FirstRows py_encode_views(const Memory& views, const std::vector<Memory>& buffers, const MaybeBits& valid,
                          std::int64_t first, OutCodes code) {
  const StringRows rows = string_rows(valid, first, length(code));
  const std::vector<Bytes> memory = bytes_views(buffers);
  return to_numpy(without_gil([&] { return encode_views(bytes_view(views), memory, rows, code.data()); }));
}

void py_bit_codes(const Memory& bits, std::int64_t first, OutCodes code) {
  const Bitmap bitmap = bitmap_view(bits, first, length(code));
  without_gil([&] { encode_bits(bitmap, length(code), code.data()); });
}

void py_mark_missing(const Memory& valid, std::int64_t first, OutCodes code) {
  const Bitmap bitmap = bitmap_view(valid, first, length(code));
  without_gil([&] { mark_missing_codes(bitmap, length(code), code.data()); });
}

void py_renumber(OutCodes code, const Ints& place) {
  without_gil([&] { recode_inplace(code.data(), length(code), place.data(), length(place)); });
}

std::int64_t py_merge_sorted(const Hashes& a, const Hashes& b, OutArray<std::int64_t> place_a,
                             OutArray<std::int64_t> place_b) {
  require(length(a) == length(place_a) && length(b) == length(place_b), "a place is needed for every key");
  return without_gil(
      [&] { return merge_sorted(a.data(), length(a), b.data(), length(b), place_a.data(), place_b.data()); });
}

void py_bin_codes(const Any2d& x, const MaybeBits& valid, std::int64_t first, const Doubles& cuts, OutCodes code) {
  const Column numbers = column_view(x, valid, first, length(code));
  require_few_cuts(cuts);
  without_gil([&] { bin_codes(numbers, cuts.data(), length(cuts), code.data()); });
}

}  // namespace

void bind_codes(nb::module_& m) {
  using namespace nb::literals;
  m.def("encode", &py_encode, "items"_a, "code"_a,
        "Number the distinct items by first appearance. Return the index of every first appearance.");
  m.def("encode_strings", &py_encode_strings, "offsets"_a, "wide"_a, "data"_a, "valid"_a.none(), "first"_a, "code"_a,
        "Number the strings of an Arrow column by first appearance, -1 for missing. Return the index of every first "
        "appearance.");
  m.def("encode_views", &py_encode_views, "views"_a, "buffers"_a, "valid"_a.none(), "first"_a, "code"_a,
        "Number the strings of an Arrow column of string views by first appearance, -1 for missing. Return the index "
        "of every first appearance.");
  m.def("bit_codes", &py_bit_codes, "bits"_a, "first"_a, "code"_a,
        "Write the bits of a bitmap from bit `first` on as codes 0 and 1.");
  m.def("mark_missing", &py_mark_missing, "valid"_a, "first"_a, "code"_a,
        "Write -1 for every code whose bit in the bitmap, from bit `first` on, is 0.");
  m.def("renumber", &py_renumber, "code"_a, "place"_a, "Replace every code by place[code], in place; -1 stays.");
  m.def("merge_sorted", &py_merge_sorted, "a"_a, "b"_a, "place_a"_a, "place_b"_a,
        "Write the positions of two sorted lists of distinct keys in their union. Return the size of the union.");
  m.def("bin_codes", &py_bin_codes, "x"_a, "valid"_a.none(), "first"_a, "cuts"_a, "code"_a,
        "Write how many cuts are less than or equal to every number of a column, -1 for missing.");
}

}  // namespace deciban
