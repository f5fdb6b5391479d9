#include "scores/score_columns.hpp"

#include <algorithm>
#include <cmath>

#include "core/cells.hpp"
#include "scores/bins.hpp"

namespace deciban {
namespace {

// Adds a column's entries to the sums of some rows; what is missing adds the entry of zeros, so there is no branch.
DECIBAN_CLONES void add_entries(const std::int32_t* __restrict codes, std::int64_t rows, std::uint32_t size,
                                const double* __restrict entries, const double* none, std::int64_t padded,
                                double* __restrict acc) {
  if (padded == kLanes) {
    for (std::int64_t i = 0; i < rows; ++i) {
      const auto code = static_cast<std::uint32_t>(codes[i]);
      const double* entry = code < size ? entries + std::int64_t{code} * kLanes : none;
      store(acc + i * kLanes, load(acc + i * kLanes) + load(entry));
    }
    return;
  }
  for (std::int64_t i = 0; i < rows; ++i) {
    const auto code = static_cast<std::uint32_t>(codes[i]);
    const double* entry = code < size ? entries + std::int64_t{code} * padded : none;
    for (std::int64_t k = 0; k < padded; k += kLanes)
      store(acc + i * padded + k, load(acc + i * padded + k) + load(entry + k));
  }
}

// The same for curves, four classes at a time; what is missing adds zeros.
DECIBAN_CLONES int add_curves(const double* __restrict v, std::int64_t rows, const double* __restrict parameters,
                              std::int64_t padded, double* __restrict acc) {
  typedef std::int64_t Bits __attribute__((vector_size(sizeof(Lanes))));
  int infinite = 0;
  for (std::int64_t i = 0; i < rows; ++i) infinite |= (v[i] == v[i]) & (v[i] - v[i] != 0);
  for (std::int64_t k = 0; k < padded; k += kLanes) {
    const Lanes mean = load(parameters + k), scale = load(parameters + padded + k), base = load(parameters + 2 * padded + k);
    for (std::int64_t i = 0; i < rows; ++i) {
      const Lanes x = Lanes{} + v[i];
      const Lanes t = (x - mean) * scale;
      const Bits here = x - x == Lanes{};
      store(acc + i * padded + k, load(acc + i * padded + k) + (Lanes)((Bits)(base - t * t) & here));
    }
  }
  return infinite ? kInfinite : 0;
}

// Sums a few rows at a time, so that they stay in the nearest cache while add(j, first row, rows, sums) goes through
// the columns.
template <class Add>
void score_chunks(std::size_t columns, std::int64_t rows, Shape shape, double* out, Add add) {
  const std::int64_t chunk = std::clamp<std::int64_t>(4096 / shape.padded, 16, kNumbers);
  std::vector<double> acc(chunk * shape.padded);
  for (std::int64_t first = 0; first < rows; first += chunk) {
    const std::int64_t n = std::min(chunk, rows - first);
    std::fill(acc.begin(), acc.end(), 0.0);
    for (std::size_t j = 0; j < columns; ++j) add(j, first, n, acc.data());
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t k = 0; k < shape.classes; ++k)
        out[(first + i) * shape.classes + k] += acc[i * shape.padded + k];
  }
}

}  // namespace

void score_codes(const std::vector<const std::int32_t*>& columns, std::int64_t rows, const std::int64_t* start,
                 const double* table, Shape shape, double* out) {
  const double* none = table + start[columns.size()] * shape.padded;
  score_chunks(columns.size(), rows, shape, out, [&](std::size_t j, std::int64_t first, std::int64_t n, double* acc) {
    add_entries(columns[j] + first, n, static_cast<std::uint32_t>(start[j + 1] - start[j]),
                table + start[j] * shape.padded, none, shape.padded, acc);
  });
}

void score_steps(const std::vector<Column>& columns, std::int64_t rows, const double* const* cuts,
                 const std::int64_t* start, const double* table, Shape shape, double* out) {
  const std::vector<Cuts> search = cuts_of(cuts, start, columns.size());
  const double* none = table + start[columns.size()] * shape.padded;
  score_chunks(columns.size(), rows, shape, out, [&](std::size_t j, std::int64_t first, std::int64_t n, double* acc) {
    double buffer[kNumbers];
    std::int32_t bin[kNumbers];
    search[j].find(read_numbers(columns[j], first, n, buffer), n, bin);
    add_entries(bin, n, static_cast<std::uint32_t>(start[j + 1] - start[j]), table + start[j] * shape.padded, none,
                shape.padded, acc);
  });
}

int score_curves(const std::vector<Column>& columns, std::int64_t rows, const double* parameters, Shape shape,
                 double* out) {
  int findings = 0;
  score_chunks(columns.size(), rows, shape, out, [&](std::size_t j, std::int64_t first, std::int64_t n, double* acc) {
    double buffer[kNumbers];
    const double* v = read_numbers(columns[j], first, n, buffer);
    findings |= add_curves(v, n, parameters + 3 * static_cast<std::int64_t>(j) * shape.padded, shape.padded, acc);
  });
  return findings;
}

}  // namespace deciban
