// Lifts of words without a document: how much more often a word occurs in a class than expected.
#pragma once

#include <cstdint>

namespace deciban {

// Entries of documents: a word that is a line of a table of counts, its value, and its counts without the document.
struct LiftEntries {
  const std::int64_t* start;  // rows + 1: offset of every document's entries
  const std::int64_t* line;   // by entry
  const double* value;        // by entry
  const double* total;        // by entry: count of the word in all classes, without the document
  const double* own;          // by entry: its count in the class of the document, without it
  std::int64_t rows;
};

struct LiftCounts {
  const double* table;  // lines x classes
  std::int64_t classes;
  double pseudo, neutral;
};

// Adds the sum of value * (log L - log L') of every document and class to out (rows x classes):
// L = neutral + (1 - neutral) (n + a) / (E + a), E = total * share, and L' of all other classes together.
void add_left_out_lifts(const LiftEntries& entries, const std::int32_t* cls, const double* share,
                        const LiftCounts& counts, double* out);

}  // namespace deciban
