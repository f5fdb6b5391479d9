// Eight neighbouring cells of any number type, as doubles; pairs of rows; software prefetch.
#pragma once

#include <cstdint>
#include <cstring>

#include "core/simd.hpp"

namespace deciban {

constexpr int kPack = 8;
typedef double Pack __attribute__((vector_size(64), aligned(8)));

template <class T>
DECIBAN_INLINE void read_pack(const T* p, Pack& out) {
  typedef T Cells __attribute__((vector_size(kPack * sizeof(T))));
  Cells cells;
  std::memcpy(&cells, p, sizeof cells);
  out = __builtin_convertvector(cells, Pack);
}

DECIBAN_INLINE void read_pack(const double* p, Pack& out) { std::memcpy(&out, p, sizeof out); }
DECIBAN_INLINE void write_pack(double* p, const Pack& v) { std::memcpy(p, &v, sizeof v); }

// Prefetches the cache lines of `count` cells. The addresses may lie outside the data: a prefetch does not read.
template <class T>
DECIBAN_INLINE void prefetch_cells(const T* cells, std::int64_t first, std::int64_t count) {
  const auto address = reinterpret_cast<std::uintptr_t>(cells) + static_cast<std::uintptr_t>(first) * sizeof(T);
  for (std::uintptr_t byte = 0; byte < static_cast<std::uintptr_t>(count) * sizeof(T); byte += 64)
    __builtin_prefetch(reinterpret_cast<const void*>(address + byte));
}

// Software prefetch of the next chunk. Rows are visited in class order, which defeats the hardware prefetcher; while
// row i is summed, row i of the next chunk is prefetched.
template <class T>
struct NextChunk {
  const T* base;       // first row of this chunk
  std::int64_t ahead;  // rows from `base` to the row that is prefetched for i = 0
  std::int64_t stride, cols;

  DECIBAN_INLINE void prefetch(std::int64_t i) const { prefetch_cells(base, (ahead + i) * stride, cols); }
};

// Rows i and i + 1, and prefetch of their successors. Two rows per pass halve the traffic of the accumulators. The rows
// are added one after the other, so that sums do not depend on the pairing. A last row without a partner is paired with
// itself at weight zero.
template <class T>
struct RowPair {
  const T *x, *y;
  double x_weight, y_weight;

  DECIBAN_INLINE RowPair(const T* const* rows, const double* weights, std::int64_t i, std::int64_t n, NextChunk<T> next)
      : x(rows[i]), y(rows[i + 1 < n ? i + 1 : i]), x_weight(weights[i]), y_weight(i + 1 < n ? weights[i + 1] : 0.0) {
    next.prefetch(i);
    next.prefetch(i + 1);
  }
};

}  // namespace deciban
