// The rows of a matrix as contiguous memory, one chunk at a time.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "core/pack.hpp"
#include "core/simd.hpp"
#include "core/view.hpp"

namespace deciban {

// Rows per chunk: few enough for the second-level cache, enough to spread the cost of a change of class. The number
// depends on the width alone, so that every layout and number type sums in the same order.
inline std::int64_t chunk_rows(std::int64_t cols) {
  return std::clamp<std::int64_t>(65536 / std::max<std::int64_t>(cols, 1), 64, 2048);
}

// No instruction converts vectors of one- or two-byte integers to doubles, so such rows are widened in a buffer.
template <class T>
using Wide = std::conditional_t<(sizeof(T) < 4), double, T>;

// Converts neighbouring cells to doubles, via 32-bit integers: each of the two steps is one instruction.
template <class T>
DECIBAN_CLONES void widen_cells(const T* __restrict from, std::int64_t n, double* __restrict to) {
  std::int32_t integers[256];
  for (std::int64_t at = 0; at < n; at += 256) {
    const std::int64_t count = n - at < 256 ? n - at : 256;
    for (std::int64_t j = 0; j < count; ++j) integers[j] = from[at + j];
    for (std::int64_t j = 0; j < count; ++j) to[at + j] = integers[j];
  }
}

// Rows of a chunk, in place if the cells of a row are neighbours (C order) and of type Cell. Otherwise (F order,
// strided, narrow) the chunk is copied to a small buffer. Cell is T or Wide<T>.
template <class T, class Cell = T>
class Rows {
 public:
  Rows(const Dense& x, std::int64_t chunk)
      : data_(static_cast<const T*>(x.data)), cols_(x.cols), row_stride_(x.row_stride), col_stride_(x.col_stride) {
    contiguous_ = x.col_stride == 1 || x.cols <= 1;
    if (!contiguous_ || !std::is_same_v<T, Cell>)
      buffer_.resize(static_cast<std::size_t>(std::min(chunk, x.rows) * x.cols));
  }

  void load(std::int64_t first, std::int64_t count) {
    const T* source = data_ + first * row_stride_;
    if constexpr (std::is_same_v<T, Cell>) {
      if (contiguous_) {
        base_ = source;
        stride_ = row_stride_;
        return;
      }
    } else if (contiguous_) {
      for (std::int64_t i = 0; i < count; ++i) widen_cells(source + i * row_stride_, cols_, buffer_.data() + i * cols_);
      return use_buffer();
    }
    for (std::int64_t j = 0; j < cols_; ++j) {
      const T* column = source + j * col_stride_;
      Cell* target = buffer_.data() + j;
      for (std::int64_t i = 0; i < count; ++i) target[i * cols_] = static_cast<Cell>(column[i * row_stride_]);
    }
    use_buffer();
  }

  const Cell* row(std::int64_t i) const { return base_ + i * stride_; }

  // Prefetch of the rows from `ahead` on. Buffered rows are not prefetched.
  NextChunk<Cell> next_chunk(std::int64_t ahead) const { return {base_, ahead, stride_, buffer_.empty() ? cols_ : 0}; }

 private:
  void use_buffer() {
    base_ = buffer_.data();
    stride_ = cols_;
  }

  const T* data_;
  std::int64_t cols_, row_stride_, col_stride_;
  bool contiguous_;
  std::vector<Cell> buffer_;
  const Cell* base_ = nullptr;
  std::int64_t stride_ = 0;
};

// Calls f(rows, first row, number of rows) for every chunk.
template <class T, class Cell, class F>
void for_each_chunk(const Dense& x, F&& f) {
  const std::int64_t chunk = chunk_rows(x.cols);
  Rows<T, Cell> rows(x, chunk);
  for (std::int64_t first = 0; first < x.rows; first += chunk) {
    const std::int64_t count = std::min(chunk, x.rows - first);
    rows.load(first, count);
    f(rows, first, count);
  }
}

}  // namespace deciban
