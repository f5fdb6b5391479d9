// Words of documents found in a vocabulary, and scores of documents.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/huge_pages.hpp"
#include "words/bag.hpp"
#include "words/tokenizer.hpp"
#include "words/vocabulary.hpp"

namespace deciban {

// The known words of every document, as compressed rows. If values are occurrences, every occurrence is an entry.
struct FoundWords {
  std::vector<std::int64_t> start;
  std::vector<std::int32_t> word;
  std::vector<double> value;
};

FoundWords find_words(std::span<const Document> documents, const WordIndex& index, const TokenizerOptions& options,
                      const TermWeighting& weighting);

// The score of a document under a class is
// total + scale * sum over its words of gain * value * (class_base + word_base + entry),
// where entries are sparse.
struct WordScores {
  const double *class_base, *scale, *total;  // by class
  const double *word_base, *gain;            // by word; null: 0 and 1
};

// The entries of all words. Words with entries for at least half of the classes have a row of all classes, which SIMD
// adds; the others have a list.
class WordTable {
 public:
  WordTable(const WordCounts& entries, std::int64_t words, std::int64_t classes);

  // Position of a word's entries: `count` of them from `first` on in cls and entry, or a row from `first` on in rows.
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

// Adds the scores of all documents to out (documents x classes). A missing document adds nothing.
void score_words(std::span<const Document> documents, const WordIndex& index, const TokenizerOptions& options,
                 const TermWeighting& weighting, const WordTable& table, const WordScores& scores, double* out);

}  // namespace deciban
