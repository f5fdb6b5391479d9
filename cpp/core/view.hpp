// Borrowed memory: what the kernels read. Nothing here owns or copies.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace deciban {

enum class Kind { f64, f32, i64, i32, i16, i8, u64, u32, u16, u8 };

// A matrix of any numeric type and layout; strides count elements.
struct Dense {
  const void* data;
  Kind kind;
  std::int64_t rows, cols, row_stride, col_stride;
};

// One bit per row, beginning with bit `first`, says whether its value is there; null: all are.
struct Valid {
  const unsigned char* bits;
  std::int64_t first;

  bool operator[](std::int64_t row) const {
    const std::int64_t bit = first + row;
    return !bits || (bits[bit >> 3] >> (bit & 7) & 1);
  }
};

// Compressed rows (CSR) or columns (CSC). `pointers` may be a slice of the matrix's own indptr, so its first entry
// need not be zero; `stored` is the length of indices and values, the only memory that may be read.
struct Sparse {
  const void* values;
  Kind kind;
  const void* indices;
  const void* pointers;
  bool wide;  // 64-bit indices and pointers
  std::int64_t rows, cols, stored;
};

// Who a row belongs to: one class code per row (-1: unknown, does not count) with an optional weight, or, for soft
// labels, a rows x classes matrix of weights.
struct Labels {
  const std::int32_t* codes;
  const double* weight;
  const double* soft;
  std::int64_t rows, classes;
};

// What a kernel noticed on its way through the data.
// kRepeated: a sparse row or column stores an entry more than once.
enum Finding : int { kMissing = 1, kInfinite = 2, kNegative = 4, kNotBinary = 8, kRepeated = 16 };

// NaN and infinity times zero are NaN, so one sum tells.
inline bool all_finite(const double* values, std::int64_t n) {
  double probe = 0;
  for (std::int64_t j = 0; j < n; ++j) probe += values[j] * 0.0;
  return probe == 0;
}

// Calls f with a typed null pointer: f(static_cast<const T*>(nullptr)).
template <class F>
decltype(auto) with_type(Kind kind, F&& f) {
  switch (kind) {
    case Kind::f64: return f(static_cast<const double*>(nullptr));
    case Kind::f32: return f(static_cast<const float*>(nullptr));
    case Kind::i64: return f(static_cast<const std::int64_t*>(nullptr));
    case Kind::i32: return f(static_cast<const std::int32_t*>(nullptr));
    case Kind::i16: return f(static_cast<const std::int16_t*>(nullptr));
    case Kind::i8: return f(static_cast<const std::int8_t*>(nullptr));
    case Kind::u64: return f(static_cast<const std::uint64_t*>(nullptr));
    case Kind::u32: return f(static_cast<const std::uint32_t*>(nullptr));
    case Kind::u16: return f(static_cast<const std::uint16_t*>(nullptr));
    case Kind::u8: return f(static_cast<const std::uint8_t*>(nullptr));
  }
  throw std::invalid_argument("unknown number type");
}

template <class F>
decltype(auto) with_index(bool wide, F&& f) {
  if (wide) return f(static_cast<const std::int64_t*>(nullptr));
  return f(static_cast<const std::int32_t*>(nullptr));
}

// Calls f(values, indices, pointers) with their types.
template <class F>
int with_types(const Sparse& x, F&& f) {
  return with_type(x.kind, [&]<class T>(const T*) {
    return with_index(x.wide, [&]<class I>(const I*) {
      return f(static_cast<const T*>(x.values), static_cast<const I*>(x.indices), static_cast<const I*>(x.pointers));
    });
  });
}

// The stored entries of one row (CSR) or column (CSC), checked against the memory that is really there.
struct Range {
  std::int64_t begin, end;
};

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

// Finds entries stored more than once; rows in order, the usual case, need no memory.
class Repeats {
 public:
  // Whether any of these indices, all within `size`, occurs twice.
  template <class I>
  bool in(const I* indices, std::int64_t n, std::int64_t size) {
    int out_of_order = 0;
    for (std::int64_t e = 1; e < n; ++e) out_of_order |= indices[e] <= indices[e - 1];
    if (!out_of_order) return false;
    if (seen_.empty()) seen_.assign(static_cast<std::size_t>(size), 0);
    ++turn_;
    bool twice = false;
    for (std::int64_t e = 0; e < n; ++e) {
      std::int64_t& seen = seen_[static_cast<std::size_t>(indices[e])];
      twice |= seen == turn_;
      seen = turn_;
    }
    return twice;
  }

 private:
  std::vector<std::int64_t> seen_;  // the turn in which an index was last seen
  std::int64_t turn_ = 0;
};

[[noreturn]] inline void bad_index(std::int64_t index, std::int64_t size) {
  throw std::invalid_argument("sparse matrix is malformed: index " + std::to_string(index) +
                              " is outside 0 to " + std::to_string(size - 1) + "; rebuild the matrix");
}

}  // namespace deciban
