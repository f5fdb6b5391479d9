// Pairs of columns: the evidence that two columns give together beyond what each gives alone.
#pragma once

#include <cstdint>

namespace deciban {

// Cells of columns, and the columns of every pair. A cell of -1 is a missing value, and the pair is then no evidence.
struct PairCells {
  const std::int32_t* cell;            // columns x rows
  const std::int64_t* cells;           // by column: its number of cells
  const std::int32_t *first, *second;  // by pair: its columns
  std::int64_t rows, pairs;
};

// Rows with their classes, whose posterior under the model so far is known.
struct PairRows {
  const std::int32_t* cls;
  const double* weight;     // rows
  const double* posterior;  // rows x classes
  const double* one_row;    // by class: the weight of the row that is left out
  std::int64_t classes;
};

// Strengths that are tried for the prior of independence.
struct Strengths {
  const double* values;
  std::int64_t count;
};

// Writes the gain of log-likelihood that a weight on every pair promises, by a score test on left-out evidence, and
// the strength of the greatest left-out likelihood.
void pair_gains(const PairCells& x, const PairRows& rows, const Strengths& tried, double* gain, double* strength);

// Adds the entry of every row's pair of cells to out (rows x classes). The entries of pair k begin at start[k], one
// line of `width` numbers for every combination of cells.
void score_pairs(const PairCells& x, const std::int64_t* start, const double* entries, std::int64_t width,
                 std::int64_t classes, double* out);

}  // namespace deciban
