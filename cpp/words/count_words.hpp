// Words of documents, counted by class.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/huge_pages.hpp"
#include "core/view.hpp"
#include "words/bag.hpp"
#include "words/tokenizer.hpp"

namespace deciban {

struct Counted {
  VocabularyArrays<HugeVector> words;
  CountArrays<HugeVector> counts;
  HugeVector<double> documents;  // per word, in how many it occurs
  std::vector<double> lengths;   // classes x 3: documents, their lengths, the squares of these
};

// Documents without a class or a weight do not count.
Counted count_words(std::span<const Document> documents, const Labels& labels, const Reading& reading,
                    const Weighing& weighing);

}  // namespace deciban
