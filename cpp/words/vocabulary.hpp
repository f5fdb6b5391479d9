// Distinct words with weights by class: found, merged with others, and some of them taken.
// A vocabulary is flat: the bytes of its words one after the other, where each ends, and its words in the order of their
// hashes (then bytes), so that two of them are merged in one pass and equal facts are equal arrays.
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

// Whether two terms of so many bytes, more than eight, are the same.
inline bool same_bytes(const unsigned char* a, const unsigned char* b, std::uint32_t n) {
  const auto differ = [&](std::uint32_t at) {
    std::uint64_t x, y;
    std::memcpy(&x, a + at, sizeof x);
    std::memcpy(&y, b + at, sizeof y);
    return x ^ y;
  };
  for (std::uint32_t at = 0; at + 8 < n; at += 8)
    if (differ(at)) return false;
  return !differ(n - 8);
}

// Whether a slot, whose word is at `bytes`, has a term.
template <class Slot>
inline bool is_term(const Slot& slot, const Term& term, const unsigned char* bytes) {
  return slot.hash == term.hash && slot.size == term.size &&
         (term.size <= kShortTerm || same_bytes(bytes, term.data, term.size));
}

// Where each word of a vocabulary is. Borrows it. A slot is one look: the hash and the length tell short words apart,
// longer ones are compared.
class WordIndex {
 public:
  // Words come to their slots in the given order, if there is one: the most frequent first are found at once.
  WordIndex(const Vocabulary& words, const std::int64_t* order);

  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&slots_[hash >> shift_]); }

  // -1: unknown.
  std::int64_t find(const Term& term) const {
    for (std::size_t at = term.hash >> shift_; slots_[at].word != kNoWord; at = (at + 1) & mask_) {
      const Slot& slot = slots_[at];
      if (is_term(slot, term, words_.word(slot.word))) return slot.word;
    }
    return -1;
  }

  std::int64_t words() const { return words_.words; }

 private:
  struct Slot {
    std::uint64_t hash;
    std::uint32_t word, size;
  };

  Vocabulary words_;
  HugeVector<Slot> slots_;
  std::size_t mask_;
  int shift_;
};

// Weights of words by class: those of word i, by ascending class, are at start[i] .. start[i + 1].
struct Counts {
  const std::int64_t* start;
  const std::int32_t* cls;
  const double* weight;
};

// The arrays of a vocabulary, owned.
template <template <class> class Array>
struct VocabularyArrays {
  Array<std::uint64_t> hash;
  Array<std::int64_t> word_start;
  Array<unsigned char> bytes;
};

// The arrays of Counts, owned.
template <template <class> class Array>
struct CountArrays {
  Array<std::int64_t> start;
  Array<std::int32_t> cls;
  Array<double> weight;
};

// The union of two vocabularies, and the weights of both over it: added, or apart.
struct Merged {
  VocabularyArrays<Buffer> words;
  CountArrays<Buffer> counts;  // the weights of the first, or the sums
  Buffer<double> weight_b;     // the weights of the second, or nothing
  Buffer<std::int64_t> place_a, place_b;  // of every word of either, in the union
};

Merged merge_words(const Vocabulary& a, const Counts& of_a, const Vocabulary& b, const Counts& of_b, bool apart);

// Some of the words, one after the other.
VocabularyArrays<Buffer> take_words(const Vocabulary& from, const std::int64_t* members, std::int64_t count);

// Their weights, and what all other words have in each of so many classes. Members ascend.
struct TakenCounts {
  CountArrays<Buffer> counts;
  std::vector<double> others;
};

TakenCounts take_counts(const Counts& from, std::int64_t words, std::int64_t classes, const std::int64_t* members,
                        std::int64_t count);

}  // namespace deciban
