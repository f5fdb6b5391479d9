// NumPy arrays: every array from Python is checked here, once, before a kernel reads it.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/columns.hpp"
#include "core/view.hpp"

namespace deciban {

namespace nb = nanobind;

inline void require(bool condition, const std::string& message) {
  if (!condition) throw nb::value_error(message.c_str());
}

// An array from Python, in its own memory: one of another number type or layout is refused, because what a kernel
// writes into a converted copy would be lost. Its memory is reached only after a check of its alignment.
template <class... Traits>
struct Checked : nb::ndarray<Traits..., nb::device::cpu> {
  using Base = nb::ndarray<Traits..., nb::device::cpu>;
  Checked() = default;
  explicit Checked(Base&& array) : Base(std::move(array)) {}

  auto* data() const {
    const std::size_t size = this->dtype().bits / 8;
    const auto address = reinterpret_cast<std::uintptr_t>(Base::data());
    require(size == 0 || address % size == 0, "array is not aligned; copy it");
    return Base::data();
  }
};

// Arrays of any number type and layout.
using Any1d = Checked<nb::ro, nb::ndim<1>>;
using Any2d = Checked<nb::ro, nb::ndim<2>>;
template <class T>
using In1d = Checked<const T, nb::ndim<1>, nb::c_contig>;
using In2d = Checked<const double, nb::ndim<2>, nb::c_contig>;
template <class T>
using OutArray = Checked<T, nb::ndim<1>, nb::c_contig>;
using Out1d = OutArray<double>;
using Out2d = Checked<double, nb::ndim<2>, nb::c_contig>;
using OutCodes = OutArray<std::int32_t>;

using Doubles = In1d<double>;
using Ints = In1d<std::int32_t>;
using Longs = In1d<std::int64_t>;
using Hashes = In1d<std::uint64_t>;
using Memory = In1d<std::uint8_t>;
using MaybeDoubles = std::optional<Doubles>;
using MaybeMatrix = std::optional<In2d>;
using MaybeBits = std::optional<Memory>;

// Arrays that a kernel returns.
template <class T>
using Array1d = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
template <class T>
using Array2d = nb::ndarray<nb::numpy, T, nb::ndim<2>>;

// Returns a vector or a buffer as a NumPy array that owns it.
template <std::size_t Dimensions, class Values>
auto to_numpy(Values&& values, std::array<std::size_t, Dimensions> shape) {
  using T = std::remove_reference_t<decltype(*values.data())>;
  auto* owned = new Values(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<Values*>(p); });
  return nb::ndarray<nb::numpy, T, nb::ndim<Dimensions>>(owned->data(), Dimensions, shape.data(), owner);
}

template <class Values>
auto to_numpy(Values&& values) {
  const std::size_t size = values.size();
  return to_numpy<1>(std::move(values), {size});
}

// Calls f while other Python threads may run.
template <class F>
auto without_gil(F&& f) {
  nb::gil_scoped_release release;
  return f();
}

template <class Array>
std::int64_t length(const Array& a, std::size_t axis = 0) {
  return static_cast<std::int64_t>(a.shape(axis));
}

template <class Array>
void require_shape(const Array& a, std::int64_t rows, std::int64_t cols, const char* name) {
  require(length(a) == rows && length(a, 1) == cols, std::string(name) + " has shape (" + std::to_string(length(a)) +
                                                         ", " + std::to_string(length(a, 1)) + "), expected (" +
                                                         std::to_string(rows) + ", " + std::to_string(cols) + ")");
}

// Whether n + 1 positions do not decrease.
inline bool is_ascending(const std::int64_t* start, std::int64_t n) {
  bool fine = true;
  for (std::int64_t i = 0; i < n; ++i) fine &= start[i] <= start[i + 1];
  return fine;
}

template <class Array>
NumberType number_type(const Array& a) {
  using Code = nb::dlpack::dtype_code;
  const auto t = a.dtype();
  const auto code = static_cast<Code>(t.code);
  if (code == Code::Float && t.bits == 64) return NumberType::f64;
  if (code == Code::Float && t.bits == 32) return NumberType::f32;
  if (code == Code::Int && t.bits == 64) return NumberType::i64;
  if (code == Code::Int && t.bits == 32) return NumberType::i32;
  if (code == Code::Int && t.bits == 16) return NumberType::i16;
  if (code == Code::Int && t.bits == 8) return NumberType::i8;
  if (code == Code::UInt && t.bits == 64) return NumberType::u64;
  if (code == Code::UInt && t.bits == 32) return NumberType::u32;
  if (code == Code::UInt && t.bits == 16) return NumberType::u16;
  if ((code == Code::UInt || code == Code::Bool) && t.bits == 8) return NumberType::u8;
  throw nb::value_error("array has a number type the kernels do not read; convert it to float64");
}

inline Dense dense_view(const Any2d& x) {
  return {x.data(), number_type(x), length(x), length(x, 1), x.stride(0), x.stride(1)};
}

inline Bitmap bitmap_view(const MaybeBits& bits, std::int64_t first, std::int64_t rows) {
  if (!bits) return {nullptr, 0};
  const std::int64_t bytes = length(*bits);
  require(first >= 0 && bytes <= INT64_MAX / 8 && first <= bytes * 8 && rows <= bytes * 8 - first,
          "valid needs one bit per row");
  return {bits->data(), first};
}

inline Column column_view(const Any2d& x, const MaybeBits& valid, std::int64_t first, std::int64_t rows) {
  const Dense view = dense_view(x);
  require(view.rows == rows && view.cols == 1, "a column needs one number per row");
  return {view, bitmap_view(valid, first, rows)};
}

// Columns in separate memory, each with its bitmap and the bitmap's first bit.
inline std::vector<Column> column_views(const std::vector<Any2d>& x, const std::vector<MaybeBits>& valid,
                                        const std::vector<std::int64_t>& first, std::int64_t rows) {
  require(valid.size() == x.size() && first.size() == x.size(), "every column needs valid and first");
  std::vector<Column> columns;
  for (std::size_t j = 0; j < x.size(); ++j) columns.push_back(column_view(x[j], valid[j], first[j], rows));
  return columns;
}

// `major` is the number of rows (CSR) or columns (CSC) that the pointers describe.
inline Sparse sparse_view(const Any1d& values, const Any1d& indices, const Any1d& pointers, std::int64_t rows,
                          std::int64_t cols, std::int64_t major) {
  require(rows >= 0 && cols >= 0, "sparse matrix is malformed: negative shape");
  require(length(pointers) - 1 == major, "sparse matrix is malformed: indptr has " + std::to_string(length(pointers)) +
                                             " entries for " + std::to_string(major) + " rows or columns");
  require(length(values) == length(indices), "sparse matrix is malformed: " + std::to_string(length(values)) +
                                                 " values for " + std::to_string(length(indices)) + " indices");
  for (const Any1d* a : {&values, &indices, &pointers})
    require(length(*a) < 2 || a->stride(0) == 1, "sparse matrix is malformed: its arrays must be contiguous");
  const NumberType index = number_type(indices);
  require(index == number_type(pointers) && (index == NumberType::i32 || index == NumberType::i64),
          "sparse matrix is malformed: indices and indptr must both be int32 or both int64");
  return {values.data(), number_type(values), indices.data(), pointers.data(), index == NumberType::i64, rows,
          cols,          length(values)};
}

}  // namespace deciban

namespace nanobind::detail {

// Arrays of any number type are written NDArray[Any] in the stub: nanobind writes NDArray without a parameter, which
// strict mypy refuses.
template <class Array>
constexpr auto stub_name() {
  if constexpr (std::is_void_v<typename Array::Scalar>)
    return const_name("numpy.typing.NDArray[typing.Any]");
  else
    return make_caster<typename Array::Base>::Name;
}

template <class... Traits>
struct type_caster<deciban::Checked<Traits...>> {
  using Array = deciban::Checked<Traits...>;
  using Caster = make_caster<typename Array::Base>;
  NB_TYPE_CASTER(Array, stub_name<Array>())

  template <class Flags>
  bool from_python(handle source, Flags flags, cleanup_list* cleanup) noexcept {
    Caster caster;
    if (!caster.from_python(source, flags & ~Flags{cast_flags::convert}, cleanup)) return false;
    value = Array(std::move(caster.value));
    return true;
  }

  static handle from_cpp(const Array& array, rv_policy policy, cleanup_list* cleanup) noexcept {
    return Caster::from_cpp(array, policy, cleanup);
  }
};

}  // namespace nanobind::detail
