#include "statistics/row_keys.hpp"

#include <nanobind/stl/optional.h>

#include "bind/arrays.hpp"
#include "bind/documents.hpp"

namespace deciban {
namespace {

using OutKeys = OutArray<std::uint64_t>;
using OutSizes = OutArray<std::int64_t>;

RowKeys row_keys(OutKeys& key, OutSizes& size, std::int64_t rows) {
  require(length(key) == rows && length(size) == rows, "keys and sizes need one entry per row");
  return {key.data(), size.data()};
}

void py_add_number_keys(const Any2d& x, const MaybeBits& valid, std::int64_t first, const Hashes& seeds, OutKeys key,
                        OutSizes size) {
  const Dense view = dense_view(x);
  require(length(seeds) == view.cols, "seeds need one entry per column");
  const Bitmap bitmap = bitmap_view(valid, first, view.rows);
  const RowKeys rows = row_keys(key, size, view.rows);
  without_gil([&] { add_number_keys(view, bitmap, seeds.data(), rows); });
}

void py_add_sparse_keys(const Any1d& values, const Any1d& indices, const Any1d& pointers, std::int64_t rows,
                        const Hashes& seeds, OutKeys key, OutSizes size) {
  const Sparse view = sparse_view(values, indices, pointers, rows, length(seeds), rows);
  const RowKeys out = row_keys(key, size, rows);
  without_gil([&] { add_sparse_keys(view, seeds.data(), out); });
}

void py_add_text_keys(const Documents& texts, std::uint64_t seed, OutKeys key, OutSizes size) {
  const RowKeys rows = row_keys(key, size, static_cast<std::int64_t>(texts.items().size()));
  without_gil([&] { add_text_keys(texts.items(), seed, rows); });
}

std::uint64_t py_text_hash(const nb::bytes& text) {
  return text_hash(reinterpret_cast<const unsigned char*>(text.c_str()), static_cast<std::int64_t>(text.size()));
}

}  // namespace

void bind_row_keys(nb::module_& m) {
  using namespace nb::literals;
  m.def("add_number_keys", &py_add_number_keys, "x"_a, "valid"_a.none(), "first"_a, "seeds"_a, "key"_a, "size"_a,
        "Add the keys and sizes of cells that are numbers to those of their rows. A bitmap is of the rows.");
  m.def("add_sparse_keys", &py_add_sparse_keys, "values"_a, "indices"_a, "pointers"_a, "rows"_a, "seeds"_a, "key"_a,
        "size"_a, "Add the keys and sizes of the cells of compressed rows, zeros included, to those of their rows.");
  m.def("add_text_keys", &py_add_text_keys, "texts"_a, "seed"_a, "key"_a, "size"_a,
        "Add the keys and sizes of a column of texts to those of their rows.");
  m.def("text_hash", &py_text_hash, "text"_a, "Return the 64-bit hash of bytes, which never changes.");
}

}  // namespace deciban
