// Columns that lie apart, each with a number type and holes of its own, as doubles with NaN in the holes.
#pragma once

#include <type_traits>

#include "core/simd.hpp"
#include "core/validity.hpp"
#include "core/view.hpp"

namespace deciban {

struct Column {
  Dense x;  // rows x 1
  Valid valid;
};

constexpr std::int64_t kNumbers = 1024;  // numbers of a column that are worked on side by side

template <class T>
DECIBAN_CLONES void widen_column(const T* __restrict x, std::int64_t n, double* __restrict v) {
  for (std::int64_t i = 0; i < n; ++i) v[i] = static_cast<double>(x[i]);
}

// The numbers of rows first .. first + n: where they are, or in the buffer.
inline const double* read_numbers(const Column& column, std::int64_t first, std::int64_t n, double* buffer) {
  return with_type(column.x.kind, [&]<class T>(const T*) -> const double* {
    const T* x = static_cast<const T*>(column.x.data) + first * column.x.row_stride;
    if constexpr (std::is_same_v<T, double>)
      if (column.x.row_stride == 1 && !column.valid.bits) return x;
    if (column.x.row_stride == 1)
      widen_column(x, n, buffer);
    else
      for (std::int64_t i = 0; i < n; ++i) buffer[i] = static_cast<double>(x[i * column.x.row_stride]);
    if (column.valid.bits) mark_holes({column.valid.bits, column.valid.first + first}, n, buffer);
    return buffer;
  });
}

}  // namespace deciban
