#include "bins.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "simd.hpp"

namespace deciban {
namespace {

constexpr std::int64_t kNumbers = 1024;  // searched side by side

// One level of a binary search for many numbers side by side; no branch depends on a number.
DECIBAN_CLONES void step(const double* __restrict v, std::int64_t n, const double* __restrict cuts, std::int64_t half,
                         std::int64_t* __restrict at) {
  for (std::int64_t i = 0; i < n; ++i) at[i] += v[i] >= cuts[at[i] + half - 1] ? half : 0;
}

template <class T>
DECIBAN_CLONES void widen_column(const T* __restrict x, std::int64_t n, double* __restrict v) {
  for (std::int64_t i = 0; i < n; ++i) v[i] = static_cast<double>(x[i]);
}

DECIBAN_CLONES void write_codes(const double* __restrict v, const std::int64_t* __restrict at, std::int64_t n,
                                std::int64_t most, std::int32_t* __restrict code) {
  for (std::int64_t i = 0; i < n; ++i)
    code[i] = static_cast<std::int32_t>(v[i] == v[i] ? std::min(at[i], most) : -1);
}

}  // namespace

void bin_codes(const Dense& x, Valid valid, const double* cuts, const std::int64_t* start, std::int32_t* code) {
  std::vector<double> padded;
  for (std::int64_t j = 0; j < x.cols; ++j) {
    const std::int64_t many = start[j + 1] - start[j];
    const auto size = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(many) + 1));
    padded.assign(size, std::numeric_limits<double>::infinity());
    std::copy(cuts + start[j], cuts + start[j + 1], padded.begin());
    with_type(x.kind, [&]<class T>(const T*) {
      const T* column = static_cast<const T*>(x.data) + j * x.col_stride;
      double v[kNumbers];
      std::int64_t at[kNumbers];
      for (std::int64_t first = 0; first < x.rows; first += kNumbers) {
        const std::int64_t n = std::min(kNumbers, x.rows - first);
        if (x.row_stride == 1)
          widen_column(column + first, n, v);
        else
          for (std::int64_t i = 0; i < n; ++i) v[i] = static_cast<double>(column[(first + i) * x.row_stride]);
        if (valid.bits)
          for (std::int64_t i = 0; i < n; ++i) v[i] = valid[first + i] ? v[i] : std::numeric_limits<double>::quiet_NaN();
        std::fill(at, at + n, 0);
        for (std::int64_t half = size / 2; half > 0; half /= 2) step(v, n, padded.data(), half, at);
        write_codes(v, at, n, many, code + j * x.rows + first);
      }
      return 0;
    });
  }
}

}  // namespace deciban
