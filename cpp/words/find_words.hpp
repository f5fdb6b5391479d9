// Words of documents found in a vocabulary, and scores of documents.
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "core/huge_pages.hpp"
#include "words/bag.hpp"
#include "words/ngram_index.hpp"
#include "words/tokenizer.hpp"
#include "words/vocabulary.hpp"

namespace deciban {

// An index of a vocabulary: of whole terms, or of the words of n-grams where the tokenizer joins words.
struct TermIndex {
  std::variant<WordIndex, NgramIndex> index;

  TermIndex(const Vocabulary& terms, const std::int64_t* order, bool joins_words)
      : index(joins_words ? std::variant<WordIndex, NgramIndex>(NgramIndex(terms, order)) : WordIndex(terms, order)) {}

  const WordIndex* of_terms() const { return std::get_if<WordIndex>(&index); }
  const NgramIndex* of_ngrams() const { return std::get_if<NgramIndex>(&index); }
  std::int64_t words() const {
    return std::visit([](const auto& found) { return found.words(); }, index);
  }
};

// The known words of every document, as compressed rows. If values are occurrences, every occurrence is an entry.
struct FoundWords {
  std::vector<std::int64_t> start;
  std::vector<std::int32_t> word;
  std::vector<double> value;
};

FoundWords find_words(std::span<const Document> documents, const TermIndex& index, const TokenizerOptions& options,
                      const TermWeighting& weighting);

// The position in a vocabulary of every term of every document, in their order; -1 for an unknown term.
struct TermPlaces {
  std::vector<std::int64_t> start;  // offset of the terms of every document, and the end of the last
  std::vector<std::int32_t> word;
};

TermPlaces place_terms(std::span<const Document> documents, const WordIndex& index, const TokenizerOptions& options);

// The score of a document under a class is
// total + scale * sum over its words of gain * value * (class_base + word_base + entry),
// where entries are sparse.
struct WordScores {
  const double *class_base, *scale, *total;  // by class
  const double *word_base, *gain;            // by word; null: 0 and 1
};

// The parameters of all words, laid out for look-ups in random order. A word that has entries for at least half of the
// classes, or one of few classes, has a row of all classes, which SIMD adds; another has a list. Where every word has a
// row, bases, scale and gain are multiplied into it, so that a word costs one cache miss; else it costs two.
class WordTable {
 public:
  WordTable(const WordCounts& entries, std::int64_t words, std::int64_t classes, const WordScores& scores);

  struct Entry {
    double weight;
    std::int32_t cls;
  };
  // Entries of a word: `count` of them from `first` on in entries, or a row from `first` on in rows.
  struct Place {
    std::int64_t first;
    std::int64_t count;  // kRow: a row
    double gain, word_base;
  };
  static constexpr std::int64_t kRow = -1;

  bool is_folded() const { return places.empty(); }

  std::int64_t words, classes, padded;
  std::vector<double> class_base, scale, total;
  HugeVector<Place> places;  // empty if every word has a row: that of word i is row i
  HugeVector<double> rows;   // padded with zeros to full vectors
  HugeVector<Entry> entries;

 private:
  void fold(const WordCounts& from, const WordScores& scores);
  void place(const WordCounts& from, const WordScores& scores);
};

// Adds the scores of all documents to out (documents x classes). A missing document adds nothing.
void score_words(std::span<const Document> documents, const TermIndex& index, const TokenizerOptions& options,
                 const TermWeighting& weighting, const WordTable& table, double* out);

}  // namespace deciban
