// Rows of a matrix as contiguous memory, a chunk at a time.
#pragma once

#include <algorithm>
#include <vector>

#include "view.hpp"

namespace deciban {

// Rows per chunk: few enough to stay in the second-level cache, enough to spread the cost of a class change.
// A function of the width alone, so every layout and number type sums in the same order.
inline std::int64_t chunk_rows(std::int64_t cols) {
  return std::clamp<std::int64_t>(65536 / std::max<std::int64_t>(cols, 1), 64, 2048);
}

// In place where the columns of a row are neighbours (C order); otherwise (F order, strided) a chunk is turned into
// that form in a small buffer.
template <class T>
class Rows {
 public:
  Rows(const Dense& x, std::int64_t chunk)
      : data_(static_cast<const T*>(x.data)), cols_(x.cols), row_stride_(x.row_stride), col_stride_(x.col_stride) {
    in_place_ = x.col_stride == 1 || x.cols <= 1;
    if (!in_place_) buffer_.resize(static_cast<std::size_t>(std::min(chunk, x.rows) * x.cols));
  }

  void load(std::int64_t first, std::int64_t count) {
    const T* source = data_ + first * row_stride_;
    if (in_place_) {
      base_ = source;
      stride_ = row_stride_;
      return;
    }
    for (std::int64_t j = 0; j < cols_; ++j) {
      const T* column = source + j * col_stride_;
      T* target = buffer_.data() + j;
      for (std::int64_t i = 0; i < count; ++i) target[i * cols_] = column[i * row_stride_];
    }
    base_ = buffer_.data();
    stride_ = cols_;
  }

  const T* row(std::int64_t i) const { return base_ + i * stride_; }

 private:
  const T* data_;
  std::int64_t cols_, row_stride_, col_stride_;
  bool in_place_;
  std::vector<T> buffer_;
  const T* base_ = nullptr;
  std::int64_t stride_ = 0;
};

}  // namespace deciban
