// Borrowed memory: the views that kernels read. Nothing here owns or copies.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace deciban {

enum class NumberType { f64, f32, i64, i32, i16, i8, u64, u32, u16, u8 };

// A matrix of any number type and layout. Strides count elements.
struct Dense {
  const void* data;
  NumberType type;
  std::int64_t rows, cols, row_stride, col_stride;
};

// Arrow's validity bitmap: bit first + i is 1 if row i has a value. No bits: every row has one.
struct Bitmap {
  const unsigned char* bits;
  std::int64_t first;

  bool operator[](std::int64_t row) const {
    const std::int64_t bit = first + row;
    return !bits || (bits[bit >> 3] >> (bit & 7) & 1);
  }
};

// Compressed rows (CSR) or columns (CSC). `pointers` may be a slice of the matrix's indptr, so that its first entry may
// be greater than 0. `stored` is the length of indices and values, the only memory that may be read.
struct Sparse {
  const void* values;
  NumberType type;
  const void* indices;
  const void* pointers;
  bool wide;  // indices and pointers are of 64 bits
  std::int64_t rows, cols, stored;
};

// The classes of the rows: one code per row (-1: no class, the row is skipped) with an optional weight, or, for soft
// labels, a rows x classes matrix of weights.
struct Labels {
  const std::int32_t* codes;
  const double* weight;
  const double* soft;
  std::int64_t rows, classes;
};

// Facts about the data that a kernel reports, as bits. kRepeated: a sparse row or column stores an entry twice.
enum Finding : int { kMissing = 1, kInfinite = 2, kNegative = 4, kNotBinary = 8, kRepeated = 16, kOutOfRange = 32 };

// NaN and infinity times zero are NaN, so one sum is enough.
inline bool all_finite(const double* values, std::int64_t n) {
  double probe = 0;
  for (std::int64_t j = 0; j < n; ++j) probe += values[j] * 0.0;
  return probe == 0;
}

// Calls f with a typed null pointer: f(static_cast<const T*>(nullptr)).
template <class F>
decltype(auto) with_type(NumberType type, F&& f) {
  switch (type) {
    case NumberType::f64: return f(static_cast<const double*>(nullptr));
    case NumberType::f32: return f(static_cast<const float*>(nullptr));
    case NumberType::i64: return f(static_cast<const std::int64_t*>(nullptr));
    case NumberType::i32: return f(static_cast<const std::int32_t*>(nullptr));
    case NumberType::i16: return f(static_cast<const std::int16_t*>(nullptr));
    case NumberType::i8: return f(static_cast<const std::int8_t*>(nullptr));
    case NumberType::u64: return f(static_cast<const std::uint64_t*>(nullptr));
    case NumberType::u32: return f(static_cast<const std::uint32_t*>(nullptr));
    case NumberType::u16: return f(static_cast<const std::uint16_t*>(nullptr));
    case NumberType::u8: return f(static_cast<const std::uint8_t*>(nullptr));
  }
  throw std::invalid_argument("unknown number type");
}

template <class F>
decltype(auto) with_index(bool wide, F&& f) {
  if (wide) return f(static_cast<const std::int64_t*>(nullptr));
  return f(static_cast<const std::int32_t*>(nullptr));
}

// Calls f(values, indices, pointers) with typed pointers.
template <class F>
int with_types(const Sparse& x, F&& f) {
  return with_type(x.type, [&]<class T>(const T*) {
    return with_index(x.wide, [&]<class I>(const I*) {
      return f(static_cast<const T*>(x.values), static_cast<const I*>(x.indices), static_cast<const I*>(x.pointers));
    });
  });
}

// The stored entries of one row (CSR) or column (CSC).
struct Range {
  std::int64_t begin, end;
};

// Returns the entries of row or column i, checked against the length of the memory.
template <class Index>
Range checked_range(const Index* pointers, std::int64_t i, std::int64_t stored) {
  const std::int64_t begin = pointers[i], end = pointers[i + 1];
  if (begin < 0 || end < begin || end > stored)
    throw std::invalid_argument("sparse matrix is malformed: indptr[" + std::to_string(i) + ":" +
                                std::to_string(i + 2) + "] is " + std::to_string(begin) + ", " + std::to_string(end) +
                                " but must not decrease and must stay within 0 and " + std::to_string(stored) +
                                "; rebuild the matrix");
  return {begin, end};
}

// Finds entries that are stored twice. Indices in ascending order, the usual case, need no memory.
class RepeatFinder {
 public:
  // Whether any of these indices, all within `size`, occurs twice.
  template <class I>
  bool has_repeat(const I* indices, std::int64_t n, std::int64_t size) {
    int out_of_order = 0;
    for (std::int64_t e = 1; e < n; ++e) out_of_order |= indices[e] <= indices[e - 1];
    if (!out_of_order) return false;
    if (last_call_.empty()) last_call_.assign(static_cast<std::size_t>(size), 0);
    ++call_;
    bool repeat = false;
    for (std::int64_t e = 0; e < n; ++e) {
      std::int64_t& last_call = last_call_[static_cast<std::size_t>(indices[e])];
      repeat |= last_call == call_;
      last_call = call_;
    }
    return repeat;
  }

 private:
  std::vector<std::int64_t> last_call_;  // by index: the last call in which it occurred
  std::int64_t call_ = 0;
};

[[noreturn]] inline void throw_bad_index(std::int64_t index, std::int64_t size) {
  throw std::invalid_argument("sparse matrix is malformed: index " + std::to_string(index) + " is outside 0 to " +
                              std::to_string(size - 1) + "; rebuild the matrix");
}

}  // namespace deciban
