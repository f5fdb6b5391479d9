// The border: every array from Python is checked here, once, before a kernel sees it.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/buffer.hpp"
#include "core/columns.hpp"
#include "core/view.hpp"

namespace deciban {

namespace nb = nanobind;

using Any2d = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
using Any1d = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;
template <class T>
using In1d = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using In2d = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Out1d = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Out2d = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using OutCodes = nb::ndarray<std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using Memory = In1d<std::uint8_t>;
using Bits = std::optional<Memory>;

// A vector or a buffer as a NumPy array of the given shape that owns it.
template <std::size_t N, class Values>
nb::object owned(Values&& values, std::array<std::size_t, N> shape) {
  using T = std::remove_reference_t<decltype(*values.data())>;
  auto* kept = new Values(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Values*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<N>>(kept->data(), N, shape.data(), owner));
}

template <class Values>
nb::object owned(Values&& values) {
  const std::size_t size = values.size();
  return owned<1>(std::move(values), {size});
}

inline void require(bool fine, const std::string& message) {
  if (!fine) throw nb::value_error(message.c_str());
}

template <class Array>
Kind kind_of(const Array& a) {
  using Code = nb::dlpack::dtype_code;
  const auto t = a.dtype();
  const auto code = static_cast<Code>(t.code);
  if (code == Code::Float && t.bits == 64) return Kind::f64;
  if (code == Code::Float && t.bits == 32) return Kind::f32;
  if (code == Code::Int && t.bits == 64) return Kind::i64;
  if (code == Code::Int && t.bits == 32) return Kind::i32;
  if (code == Code::Int && t.bits == 16) return Kind::i16;
  if (code == Code::Int && t.bits == 8) return Kind::i8;
  if (code == Code::UInt && t.bits == 64) return Kind::u64;
  if (code == Code::UInt && t.bits == 32) return Kind::u32;
  if (code == Code::UInt && t.bits == 16) return Kind::u16;
  if ((code == Code::UInt || code == Code::Bool) && t.bits == 8) return Kind::u8;
  throw nb::value_error("array has a number type the kernels do not read; convert it to float64");
}

template <class Array>
void require_aligned(const Array& a) {
  const std::size_t size = a.dtype().bits / 8;
  require(size == 0 || reinterpret_cast<std::uintptr_t>(a.data()) % size == 0, "array is not aligned; copy it");
}

inline Dense dense(const Any2d& x) {
  require_aligned(x);
  return {x.data(), kind_of(x), static_cast<std::int64_t>(x.shape(0)), static_cast<std::int64_t>(x.shape(1)),
          x.stride(0), x.stride(1)};
}

inline Valid valid_of(const Bits& bits, std::int64_t first, std::int64_t rows) {
  if (!bits) return {nullptr, 0};
  const auto there = static_cast<std::int64_t>(bits->shape(0));
  require(first >= 0 && there <= INT64_MAX / 8 && first <= there * 8 && rows <= there * 8 - first,
          "valid needs one bit per row");
  return {bits->data(), first};
}

inline Column column(const Any2d& x, const Bits& valid, std::int64_t first, std::int64_t rows) {
  const Dense view = dense(x);
  require(view.rows == rows && view.cols == 1, "a column needs one number per row");
  return {view, valid_of(valid, first, rows)};
}

// Columns that lie apart, each with the bits that say what is there.
inline std::vector<Column> number_columns(const std::vector<Any2d>& x, const std::vector<Bits>& valid,
                                          const std::vector<std::int64_t>& first, std::int64_t rows) {
  require(valid.size() == x.size() && first.size() == x.size(), "every column needs valid and first");
  std::vector<Column> columns;
  for (std::size_t j = 0; j < x.size(); ++j) columns.push_back(column(x[j], valid[j], first[j], rows));
  return columns;
}

// The cuts of every column, and where its bins begin in a table of all bins.
struct CutPlaces {
  std::vector<const double*> cuts;
  std::vector<std::int64_t> start{0};

  CutPlaces(const std::vector<In1d<double>>& given, std::size_t columns) {
    require(given.size() == columns, "every column needs its cuts");
    for (const auto& c : given) {
      require(c.shape(0) < INT32_MAX / 8, "there are too many cuts");
      cuts.push_back(c.data());
      start.push_back(start.back() + static_cast<std::int64_t>(c.shape(0)) + 1);
    }
  }
};

// `major` is how many rows (CSR) or columns (CSC) the pointers describe.
inline Sparse sparse(const Any1d& values, const Any1d& indices, const Any1d& pointers, std::int64_t rows,
                     std::int64_t cols, std::int64_t major) {
  require(rows >= 0 && cols >= 0, "sparse matrix is malformed: negative shape");
  require(static_cast<std::int64_t>(pointers.shape(0)) - 1 == major,
          "sparse matrix is malformed: indptr has " + std::to_string(pointers.shape(0)) + " entries for " +
              std::to_string(major) + " rows or columns");
  require(values.shape(0) == indices.shape(0), "sparse matrix is malformed: " + std::to_string(values.shape(0)) +
                                                   " values for " + std::to_string(indices.shape(0)) + " indices");
  for (const Any1d* a : {&values, &indices, &pointers}) {
    require_aligned(*a);
    require(a->shape(0) < 2 || a->stride(0) == 1, "sparse matrix is malformed: its arrays must be contiguous");
  }
  const Kind index = kind_of(indices);
  require(index == kind_of(pointers) && (index == Kind::i32 || index == Kind::i64),
          "sparse matrix is malformed: indices and indptr must both be int32 or both int64");
  return {values.data(), kind_of(values), indices.data(), pointers.data(), index == Kind::i64, rows, cols,
          static_cast<std::int64_t>(values.shape(0))};
}

using Codes = std::optional<In1d<std::int32_t>>;
using Weights = std::optional<In1d<double>>;
using Soft = std::optional<In2d>;

inline Labels labels(const Codes& codes, const Weights& weight, const Soft& soft, std::int64_t classes,
                     std::int64_t rows) {
  require(codes.has_value() != soft.has_value(), "give either class codes or soft labels");
  require(classes >= 0, "the number of classes must not be negative");
  Labels out{nullptr, nullptr, nullptr, rows, classes};
  const auto fits = [&](std::size_t n, const char* what) {
    require(static_cast<std::int64_t>(n) == rows,
            std::string(what) + " has " + std::to_string(n) + " entries for " + std::to_string(rows) + " rows");
  };
  if (soft) {
    fits(soft->shape(0), "soft labels");
    require(static_cast<std::int64_t>(soft->shape(1)) == classes, "soft labels need one column per class");
    require(!weight, "soft labels are weights themselves; multiply them by the row weights");
    out.soft = soft->data();
    return out;
  }
  fits(codes->shape(0), "class codes");
  out.codes = codes->data();
  if (weight) {
    fits(weight->shape(0), "weight");
    out.weight = weight->data();
  }
  return out;
}

template <class Array>
void require_shape(const Array& a, std::int64_t rows, std::int64_t cols, const char* name) {
  require(static_cast<std::int64_t>(a.shape(0)) == rows && static_cast<std::int64_t>(a.shape(1)) == cols,
          std::string(name) + " has shape (" + std::to_string(a.shape(0)) + ", " + std::to_string(a.shape(1)) +
              "), expected (" + std::to_string(rows) + ", " + std::to_string(cols) + ")");
}

}  // namespace deciban
