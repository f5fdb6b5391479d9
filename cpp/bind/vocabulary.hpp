// Vocabularies and weights of words by class, checked.
#pragma once

#include "bind/arrays.hpp"
#include "words/find_words.hpp"
#include "words/vocabulary.hpp"

namespace deciban {

inline Vocabulary vocabulary_view(const Hashes& hash, const Longs& start, const Memory& text) {
  const std::int64_t words = length(hash);
  require(length(start) == words + 1, "start needs one entry per word and one more");
  const std::int64_t* s = start.data();
  require(s[0] == 0 && s[words] == length(text), "words must fill their memory");
  require(is_ascending(s, words), "words must not overlap");  // before differences, which then cannot overflow
  bool fine = true;
  for (std::int64_t i = 0; i < words; ++i) fine &= s[i + 1] - s[i] < UINT32_MAX;
  require(fine, "words must be shorter than 4 GB");
  return {hash.data(), s, text.data(), words};
}

inline WordCounts counts_view(std::int64_t words, const Longs& start, const Ints& cls, const Doubles& weight) {
  require(length(start) == words + 1, "start needs one entry per word and one more");
  const std::int64_t* s = start.data();
  require(s[0] == 0 && s[words] == length(cls) && length(weight) == length(cls), "entries need a class and a weight");
  require(is_ascending(s, words), "start must not decrease");
  return {s, cls.data(), weight.data()};
}

// Checks that the entries of every word have ascending classes.
inline void require_ascending_classes(const WordCounts& counts, std::int64_t words, std::int64_t classes) {
  require(classes >= 0 && classes <= INT32_MAX, "the number of classes must be 0 to 2147483647");
  bool fine = true;
  for (std::int64_t i = 0; i < words; ++i)
    for (std::int64_t e = counts.start[i]; e < counts.start[i + 1]; ++e)
      fine &= (counts.cls[e] < classes) & (counts.cls[e] > (e > counts.start[i] ? counts.cls[e - 1] : -1));
  require(fine, "the classes of a word's entries must ascend");
}

// A TermIndex, and the arrays that it borrows.
struct OwnedIndex {
  nb::object hash, start, text;
  TermIndex index;
};

}  // namespace deciban
