#include "bind/documents.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string_view>

#include "bind/strings.hpp"

namespace deciban {
namespace {

constexpr Py_ssize_t kItemsAhead = 16;  // the items of a list are scattered: they are prefetched this many ahead

// Whether an item is None, NaN, or the NA or NaT of pandas.
bool is_missing(PyObject* item) {
  if (item == Py_None) return true;
  if (PyFloat_Check(item)) return PyFloat_AS_DOUBLE(item) != PyFloat_AS_DOUBLE(item);
  const std::string_view name = Py_TYPE(item)->tp_name;  // includes the module if the type is native
  const std::string_view last = name.substr(name.rfind('.') + 1);
  return last == "NAType" || last == "NaTType";
}

// Returns ascii(item), shortened.
std::string short_text(PyObject* item) {
  const nb::object text = nb::steal(PyObject_ASCII(item));
  const char* bytes = text.is_valid() ? PyUnicode_AsUTF8(text.ptr()) : nullptr;
  if (!bytes) throw nb::python_error();
  const std::string_view all = bytes;
  return all.size() <= 80 ? std::string(all) : std::string(all.substr(0, 80)) + "...";
}

Document document_of(PyObject* item, Py_ssize_t row) {
  if (PyUnicode_Check(item)) {
    if (PyUnicode_READY(item)) throw nb::python_error();
    const int width = PyUnicode_IS_ASCII(item) ? 0 : static_cast<int>(PyUnicode_KIND(item));
    return present_document(PyUnicode_DATA(item), PyUnicode_GET_LENGTH(item), width, false);
  }
  if (PyBytes_Check(item)) return present_document(PyBytes_AS_STRING(item), PyBytes_GET_SIZE(item), 0, true);
  if (is_missing(item)) return {nullptr, 0};
  const std::string message = "row " + std::to_string(row) + " of X is " + short_text(item) + ", not text; ";
  throw nb::value_error((message + "give strings, and None where one is missing.").c_str());
}

// Reads a list in one pass, because every item is a cache miss. A tuple, which nobody can change, keeps the items.
Documents documents_of_list(const nb::list& texts) {
  const Py_ssize_t rows = PyList_GET_SIZE(texts.ptr());
  nb::object owner = nb::steal(PyTuple_New(rows));
  if (!owner.is_valid()) throw nb::python_error();
  // A new tuple may start a garbage collection, which may run any code. From here on no other code runs.
  require(PyList_GET_SIZE(texts.ptr()) == rows, "the list of texts changed while it was read");
  std::vector<Document> out(static_cast<std::size_t>(rows));
  for (Py_ssize_t i = 0; i < rows; ++i) {
    if (i + kItemsAhead < rows) __builtin_prefetch(PyList_GET_ITEM(texts.ptr(), i + kItemsAhead), 1);
    PyObject* item = PyList_GET_ITEM(texts.ptr(), i);
    out[static_cast<std::size_t>(i)] = document_of(item, i);
    PyTuple_SET_ITEM(owner.ptr(), i, Py_NewRef(item));
  }
  return {std::move(out), std::move(owner)};
}

Documents documents_of_strings(const Memory& offsets, bool wide, const Memory& data, const MaybeBits& valid,
                               std::int64_t first, std::int64_t rows) {
  return {list_strings(bytes_view(offsets), wide, bytes_view(data), string_rows(valid, first, rows)),
          nb::make_tuple(offsets, data)};
}

Documents documents_of_views(const Memory& views, const std::vector<Memory>& buffers, const MaybeBits& valid,
                             std::int64_t first, std::int64_t rows) {
  return {list_views(bytes_view(views), bytes_views(buffers), string_rows(valid, first, rows)),
          nb::make_tuple(views, buffers)};
}

Documents joined_documents(const std::vector<Documents>& parts) {
  std::vector<Document> all;
  for (const Documents& part : parts) all.insert(all.end(), part.items().begin(), part.items().end());
  return {std::move(all), nb::cast(parts)};
}

Documents slice(const Documents& documents, std::int64_t begin, std::int64_t end) {
  const auto rows = static_cast<std::int64_t>(documents.items().size());
  begin = std::clamp<std::int64_t>(begin, 0, rows);
  return documents.slice(static_cast<std::size_t>(begin), static_cast<std::size_t>(std::clamp(end, begin, rows)));
}

Documents take(const Documents& documents, const Longs& rows) {
  std::vector<Document> out;
  for (std::int64_t i = 0; i < length(rows); ++i) {
    const std::int64_t row = rows.data()[i];
    require(row >= 0 && row < static_cast<std::int64_t>(documents.items().size()), "there is no such row");
    out.push_back(documents.items()[static_cast<std::size_t>(row)]);
  }
  return {std::move(out), nb::cast(documents)};
}

Array1d<std::uint8_t> missing(const Documents& documents) {
  std::vector<std::uint8_t> out;
  for (const Document& d : documents.items()) out.push_back(!d.data);
  return to_numpy(std::move(out));
}

Array1d<std::int64_t> sizes(const Documents& documents) {
  std::vector<std::int64_t> out;
  for (const Document& d : documents.items()) out.push_back(d.size);
  return to_numpy(std::move(out));
}

nb::list to_list(const Documents& documents) {
  nb::list out;
  for (const Document& d : documents.items()) {
    if (!d.data) {
      out.append(nb::none());
      continue;
    }
    const char* bytes = reinterpret_cast<const char*>(d.data);
    PyObject* text = d.is_bytes ? PyBytes_FromStringAndSize(bytes, d.size)
                     : d.width  ? PyUnicode_FromKindAndData(d.width, d.data, d.size)
                                : PyUnicode_DecodeUTF8(bytes, d.size, "replace");
    if (!text) throw nb::python_error();
    out.append(nb::steal(text));
  }
  return out;
}

}  // namespace

void bind_documents(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<Documents>(m, "Documents", "Texts of some rows, read in place.")
      .def("__len__", [](const Documents& d) { return d.items().size(); })
      .def("slice", &slice, "begin"_a, "end"_a, "Return rows begin to end - 1, without copying.")
      .def("take", &take, "rows"_a, "Return the rows with these numbers.")
      .def("missing", &missing, "Return 1 for every row without a text, else 0.")
      .def("sizes", &sizes, "Return the characters of every string, or the bytes.")
      .def("to_list", &to_list, nb::sig("def to_list(self) -> list[typing.Any]"),
           "Return the texts as strings or bytes, None for a missing one.");
  m.def("documents_of_list", &documents_of_list, nb::sig("def documents_of_list(texts: list[typing.Any]) -> Documents"),
        "Return the documents of a list of strings, bytes in UTF-8, and None for a missing text.");
  m.def("documents_of_strings", &documents_of_strings, "offsets"_a, "wide"_a, "data"_a, "valid"_a.none(), "first"_a,
        "rows"_a, "Return rows of an Arrow column of strings.");
  m.def("documents_of_views", &documents_of_views, "views"_a, "buffers"_a, "valid"_a.none(), "first"_a, "rows"_a,
        "Return rows of an Arrow column of string views.");
  m.def("joined_documents", &joined_documents, "parts"_a, "Return the rows of all parts, one part after the other.");
}

}  // namespace deciban
