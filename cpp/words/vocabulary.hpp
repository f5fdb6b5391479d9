// Vocabularies and weights of words by class: indexed, merged, and restricted to some words.
// A vocabulary is flat: the bytes of all words one after the other, their ends, and their hashes. Words are sorted by
// hash, then by bytes, so that two vocabularies merge in one pass and equal statistics are equal arrays.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "core/buffer.hpp"
#include "core/hash.hpp"
#include "core/huge_pages.hpp"
#include "words/tokenizer.hpp"

namespace deciban {

struct Vocabulary {
  const std::uint64_t* hash;
  const std::int64_t* start;  // words + 1
  const unsigned char* bytes;
  std::int64_t words;

  const unsigned char* word(std::int64_t i) const { return bytes + start[i]; }
  std::int64_t size(std::int64_t i) const { return start[i + 1] - start[i]; }
};

// Writes the hash of every word; word i is bytes[start[i], start[i + 1]).
void hash_words(const unsigned char* bytes, const std::int64_t* start, std::int64_t words, std::uint64_t* hash);

constexpr std::uint32_t kNoWord = ~std::uint32_t{0};

// Whether two terms of n > 8 bytes are equal. The last eight bytes may overlap those before.
inline bool same_bytes(const unsigned char* a, const unsigned char* b, std::uint32_t n) {
  const auto differ = [&](std::uint32_t at) { return load_eight(a + at) != load_eight(b + at); };
  for (std::uint32_t at = 0; at + 8 < n; at += 8)
    if (differ(at)) return false;
  return !differ(n - 8);
}

// Whether a slot of a hash table has a term. bytes() returns the bytes of the slot's word: a function, because short
// words are equal without a look at them.
template <class Slot, class BytesOfSlot>
inline bool has_term(const Slot& slot, const Term& term, BytesOfSlot bytes) {
  return slot.hash == term.hash && slot.size == term.size &&
         (term.size <= kShortTerm || same_bytes(bytes(), term.data, term.size));
}

// A hash table from words to their positions in a vocabulary, which must outlive it.
class WordIndex {
 public:
  // Words are inserted in the given order, if there is one: frequent words that come first get their first slot.
  WordIndex(const Vocabulary& words, const std::int64_t* order);

  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&slots_[hash >> shift_]); }

  // Returns the position of a term, or -1.
  std::int64_t find(const Term& term) const {
    for (std::size_t at = term.hash >> shift_; slots_[at].word != kNoWord; at = (at + 1) & mask_) {
      const Slot& slot = slots_[at];
      if (has_term(slot, term, [&] { return words_.word(slot.word); })) return slot.word;
    }
    return -1;
  }

  std::int64_t words() const { return words_.words; }

 private:
  // Hash and length identify a short word without a look at its bytes.
  struct Slot {
    std::uint64_t hash;
    std::uint32_t word, size;
  };

  Vocabulary words_;
  HugeVector<Slot> slots_;
  std::size_t mask_;
  int shift_;
};

// Weights of words by class. The entries of word i are start[i] to start[i + 1], by ascending class.
struct WordCounts {
  const std::int64_t* start;
  const std::int32_t* cls;
  const double* weight;
};

// The arrays of a Vocabulary, owned.
template <template <class> class Array>
struct VocabularyArrays {
  Array<std::uint64_t> hash;
  Array<std::int64_t> word_start;
  Array<unsigned char> bytes;
};

// The arrays of WordCounts, owned.
template <template <class> class Array>
struct CountArrays {
  Array<std::int64_t> start;
  Array<std::int32_t> cls;
  Array<double> weight;
};

// The union of two vocabularies.
struct MergedWords {
  VocabularyArrays<Buffer> words;
  CountArrays<Buffer> counts;             // weights of both added up, or weights of a if they are kept separate
  Buffer<double> weight_b;                // weights of b if they are kept separate, else empty
  Buffer<std::int64_t> place_a, place_b;  // position of every word of a and b in the union
};

MergedWords merge_words(const Vocabulary& a, const WordCounts& counts_a, const Vocabulary& b,
                        const WordCounts& counts_b, bool separate);

// Returns the words at some positions.
VocabularyArrays<Buffer> take_words(const Vocabulary& words, const std::int64_t* members, std::int64_t count);

struct TakenCounts {
  CountArrays<Buffer> counts;
  std::vector<double> others;  // by class: weight of all other words
};

// Returns the weights of the words at some ascending positions.
TakenCounts take_counts(const WordCounts& counts, std::int64_t words, std::int64_t classes, const std::int64_t* members,
                        std::int64_t count);

}  // namespace deciban
