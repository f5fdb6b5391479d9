// Correction of counted evidence: a number Δ per term and class, learned from rows in a given order by FTRL-proximal.
#pragma once

#include <cstdint>

namespace deciban {

// Compressed rows: row i has the entries start[i] to start[i + 1] - 1.
struct TermRows {
  const std::int64_t* start;
  const std::int32_t* term;
  const double* value;
  std::int64_t rows;
};

// What a row teaches: its class (-1: none, the row is skipped), its weight, and its counted score of every class.
struct TaughtRows {
  const std::int32_t* cls;
  const double* weight;
  const double* base;         // rows x classes
  const std::int64_t* order;  // numbers of the rows to read, in this order
  std::int64_t count;
};

// State of every coordinate, Δ = -z / ((1 + √n) / eta + l2): z is the sum of gradients less the steps taken so far, n
// the sum of squared gradients. The first line of a term holds z of every class, the second √n.
struct CorrectionState {
  double* terms;    // terms x 2 x classes
  double* offsets;  // 2 x classes: the state of a term that every row has with value 1
  std::int64_t classes;
  double eta, l2;
};

constexpr int kMostReads = 8;

// Reads the rows once, and updates the state after each: gradient (P(class) - [class is the row's]) · value · weight.
// A row of weight w is read ⌈w⌉ times in a row, at most kMostReads times, each time with an equal share of its weight.
// A row is skipped if its own class is impossible (-inf), or if one of its scores is NaN or +inf.
void learn_correction(const TermRows& x, const TaughtRows& rows, const CorrectionState& state);

// Adds the sum of value · delta of every row's terms to out (rows x classes). delta is terms x classes.
void add_correction(const TermRows& x, const double* delta, std::int64_t classes, double* out);

}  // namespace deciban
