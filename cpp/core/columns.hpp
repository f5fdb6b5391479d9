// Columns in separate memory, each with its number type and missing values, read as doubles with NaN for missing.
#pragma once

#include <type_traits>

#include "core/simd.hpp"
#include "core/validity.hpp"
#include "core/view.hpp"

namespace deciban {

struct Column {
  Dense x;  // rows x 1
  Bitmap valid;
};

constexpr std::int64_t kBlock = 1024;  // numbers of a column that are read at once

template <class T>
DECIBAN_CLONES void widen_column(const T* __restrict x, std::int64_t n, double* __restrict v) {
  for (std::int64_t i = 0; i < n; ++i) v[i] = static_cast<double>(x[i]);
}

// Returns the numbers of rows [first, first + n): in place if they are doubles, otherwise converted in the buffer.
inline const double* read_numbers(const Column& column, std::int64_t first, std::int64_t n, double* buffer) {
  return with_type(column.x.type, [&]<class T>(const T*) -> const double* {
    const T* x = static_cast<const T*>(column.x.data) + first * column.x.row_stride;
    if constexpr (std::is_same_v<T, double>)
      if (column.x.row_stride == 1 && !column.valid.bits) return x;
    if (column.x.row_stride == 1)
      widen_column(x, n, buffer);
    else
      for (std::int64_t i = 0; i < n; ++i) buffer[i] = static_cast<double>(x[i * column.x.row_stride]);
    if (column.valid.bits) mark_missing({column.valid.bits, column.valid.first + first}, n, buffer);
    return buffer;
  });
}

}  // namespace deciban
