// Words of documents, counted by class.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/huge_pages.hpp"
#include "core/view.hpp"
#include "words/bag.hpp"
#include "words/tokenizer.hpp"
#include "words/vocabulary.hpp"

namespace deciban {

struct CountedWords {
  VocabularyArrays<HugeVector> words;
  CountArrays<HugeVector> counts;
  HugeVector<double> documents;  // by word: weight of the documents that contain it; empty if values are occurrences
  std::vector<double> lengths;   // classes x 3: weight of documents, weighted sum of their lengths, of squared lengths
};

// Documents without a class or a weight are skipped.
CountedWords count_words(std::span<const Document> documents, const Labels& labels, const TokenizerOptions& options,
                         const TermWeighting& weighting);

}  // namespace deciban
