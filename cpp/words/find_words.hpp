// Words of documents, found in a vocabulary, and the scores of classes by them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/huge_pages.hpp"
#include "words/bag.hpp"
#include "words/tokenizer.hpp"
#include "words/vocabulary.hpp"

namespace deciban {

// The known words of every document: CSR. A word that occurs twice may be there twice, unless it is weighed.
struct Found {
  std::vector<std::int64_t> start;
  std::vector<std::int32_t> word;
  std::vector<double> value;
};

Found find_words(std::span<const Document> documents, const WordIndex& index, const Reading& reading,
                 const Weighing& weighing);

// What a class says about a document: total + scale * sum over its words of value * (class_base + word_base + entry),
// where a word has entries only for some classes. A word's value is multiplied by its gain beforehand.
struct WordScores {
  const double *class_base, *scale, *total;  // classes
  const double *word_base, *gain;            // words; null: 0 and 1
};

// The entries of all words; those with most classes have them all, so that they add up side by side.
class WordTable {
 public:
  WordTable(const Counts& entries, std::int64_t words, std::int64_t classes);

  // A word's entries: `count` of them at `first`, or a row of all classes.
  struct Place {
    std::int64_t first;
    std::int64_t count;  // kRow: a row
  };
  static constexpr std::int64_t kRow = -1;

  std::int64_t words() const { return static_cast<std::int64_t>(places.size()); }

  std::int64_t classes, padded;
  HugeVector<Place> places;
  HugeVector<double> rows;  // padded with zeros to full vectors
  HugeVector<std::int32_t> cls;
  HugeVector<double> entry;
};

// Added to out (documents x classes); a missing document adds nothing.
void score_words(std::span<const Document> documents, const WordIndex& index, const Reading& reading,
                 const Weighing& weighing, const WordTable& table, const WordScores& scores, double* out);

}  // namespace deciban
