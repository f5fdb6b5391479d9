#include "scores/score_columns.hpp"

#include <algorithm>
#include <cmath>

#include "core/simd.hpp"
#include "scores/bins.hpp"

namespace deciban {
namespace {

// Adds a column's entries to the sums of some rows. A missing value adds the entry of zeros, so that there is no
// branch.
DECIBAN_CLONES void add_entries(const std::int32_t* __restrict codes, std::int64_t rows, std::uint32_t size,
                                const double* __restrict entries, const double* zeros, std::int64_t padded,
                                double* __restrict sums) {
  if (padded == kLanes) {
    for (std::int64_t i = 0; i < rows; ++i) {
      const auto code = static_cast<std::uint32_t>(codes[i]);
      const double* entry = code < size ? entries + std::int64_t{code} * kLanes : zeros;
      store(sums + i * kLanes, load(sums + i * kLanes) + load(entry));
    }
    return;
  }
  for (std::int64_t i = 0; i < rows; ++i) {
    const auto code = static_cast<std::uint32_t>(codes[i]);
    const double* entry = code < size ? entries + std::int64_t{code} * padded : zeros;
    for (std::int64_t k = 0; k < padded; k += kLanes)
      store(sums + i * padded + k, load(sums + i * padded + k) + load(entry + k));
  }
}

// Adds base - (scale * (v - mean))^2 to the sums of some rows, four classes at a time. A value that is not finite adds
// zero. Returns the findings.
DECIBAN_CLONES int add_gaussian(const double* __restrict v, std::int64_t rows, const double* __restrict parameters,
                                std::int64_t padded, double* __restrict sums) {
  typedef std::int64_t Mask __attribute__((vector_size(sizeof(Lanes))));
  int infinite = 0;
  for (std::int64_t i = 0; i < rows; ++i) infinite |= (v[i] == v[i]) & (v[i] - v[i] != 0);
  for (std::int64_t k = 0; k < padded; k += kLanes) {
    const Lanes mean = load(parameters + k), scale = load(parameters + padded + k),
                base = load(parameters + 2 * padded + k);
    for (std::int64_t i = 0; i < rows; ++i) {
      const Lanes x = Lanes{} + v[i];
      const Lanes t = (x - mean) * scale;
      const Mask finite = x - x == Lanes{};
      store(sums + i * padded + k, load(sums + i * padded + k) + (Lanes)((Mask)(base - t * t) & finite));
    }
  }
  return infinite ? kInfinite : 0;
}

// Calls add(column, first row, rows, sums) for every column of a few rows at a time, so that their sums stay in the
// first-level cache.
template <class Add>
void score_chunks(std::size_t columns, std::int64_t rows, Shape shape, double* out, Add add) {
  const std::int64_t chunk = std::clamp<std::int64_t>(4096 / shape.padded, 16, kBlock);
  std::vector<double> sums(chunk * shape.padded);
  for (std::int64_t first = 0; first < rows; first += chunk) {
    const std::int64_t n = std::min(chunk, rows - first);
    std::fill(sums.begin(), sums.end(), 0.0);
    for (std::size_t j = 0; j < columns; ++j) add(j, first, n, sums.data());
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t k = 0; k < shape.classes; ++k)
        out[(first + i) * shape.classes + k] += sums[i * shape.padded + k];
  }
}

}  // namespace

void score_codes(const std::vector<const std::int32_t*>& columns, std::int64_t rows, const std::int64_t* start,
                 const double* table, Shape shape, double* out) {
  const double* zeros = table + start[columns.size()] * shape.padded;
  score_chunks(columns.size(), rows, shape, out, [&](std::size_t j, std::int64_t first, std::int64_t n, double* sums) {
    add_entries(columns[j] + first, n, static_cast<std::uint32_t>(start[j + 1] - start[j]),
                table + start[j] * shape.padded, zeros, shape.padded, sums);
  });
}

void score_steps(const std::vector<Column>& columns, std::int64_t rows, const double* const* cuts,
                 const std::int64_t* start, const double* table, Shape shape, double* out) {
  const std::vector<Cuts> column_cuts = make_cuts(cuts, start, columns.size());
  const double* zeros = table + start[columns.size()] * shape.padded;
  score_chunks(columns.size(), rows, shape, out, [&](std::size_t j, std::int64_t first, std::int64_t n, double* sums) {
    double buffer[kBlock];
    std::int32_t bin[kBlock];
    column_cuts[j].find(read_numbers(columns[j], first, n, buffer), n, bin);
    add_entries(bin, n, static_cast<std::uint32_t>(start[j + 1] - start[j]), table + start[j] * shape.padded, zeros,
                shape.padded, sums);
  });
}

int score_gaussian(const std::vector<Column>& columns, std::int64_t rows, const double* parameters, Shape shape,
                   double* out) {
  int findings = 0;
  score_chunks(columns.size(), rows, shape, out, [&](std::size_t j, std::int64_t first, std::int64_t n, double* sums) {
    double buffer[kBlock];
    const double* v = read_numbers(columns[j], first, n, buffer);
    findings |= add_gaussian(v, n, parameters + 3 * static_cast<std::int64_t>(j) * shape.padded, shape.padded, sums);
  });
  return findings;
}

}  // namespace deciban
