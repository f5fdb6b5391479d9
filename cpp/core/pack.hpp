// Eight neighbouring cells of any number type, as doubles.
#pragma once

#include <cstdint>
#include <cstring>

namespace deciban {

constexpr int kPack = 8;
typedef double Pack __attribute__((vector_size(64), aligned(8)));
#define DECIBAN_INLINE inline __attribute__((always_inline))

template <class T>
DECIBAN_INLINE void read_pack(const T* p, Pack& out) {
  typedef T Cells __attribute__((vector_size(kPack * sizeof(T))));
  Cells cells;
  std::memcpy(&cells, p, sizeof cells);
  out = __builtin_convertvector(cells, Pack);
}

DECIBAN_INLINE void read_pack(const double* p, Pack& out) { std::memcpy(&out, p, sizeof out); }
DECIBAN_INLINE void write_pack(double* p, const Pack& v) { std::memcpy(p, &v, sizeof v); }

// Asks for memory that will be read in a while. The address is never dereferenced, so it may lie outside the data.
template <class T>
DECIBAN_INLINE void prefetch_cells(const T* cells, std::int64_t first, std::int64_t count) {
  const auto from = reinterpret_cast<std::uintptr_t>(cells) + static_cast<std::uintptr_t>(first) * sizeof(T);
  for (std::uintptr_t byte = 0; byte < static_cast<std::uintptr_t>(count) * sizeof(T); byte += 64)
    __builtin_prefetch(reinterpret_cast<const void*>(from + byte));
}

// The rows that are read next, in the order of their memory: a chunk is taken in class order, which no hardware
// prefetcher follows, so the chunk behind it is asked for, row by row, while it is summed.
template <class T>
struct Coming {
  const T* here;
  std::int64_t rows, stride, cols;  // they begin so many rows from here

  DECIBAN_INLINE void prefetch(std::int64_t i) const { prefetch_cells(here, (rows + i) * stride, cols); }
};

// Two rows at a time halve the traffic of the accumulators. Each adds in turn, so sums are those of one row after the
// other; a last row without a partner gets itself with weight zero. The same rows of the next chunk are prefetched.
template <class T>
struct RowPair {
  const T *x, *y;
  double w, v;

  DECIBAN_INLINE RowPair(const T* const* rows, const double* weights, std::int64_t i, std::int64_t n, Coming<T> coming)
      : x(rows[i]), y(rows[i + 1 < n ? i + 1 : i]), w(weights[i]), v(i + 1 < n ? weights[i + 1] : 0.0) {
    coming.prefetch(i);
    coming.prefetch(i + 1);
  }
};

}  // namespace deciban
