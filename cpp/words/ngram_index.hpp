// N-grams of words, found by the numbers of their words instead of their text.
#pragma once

#include <cstdint>

#include "core/hash.hpp"
#include "core/huge_pages.hpp"
#include "words/vocabulary.hpp"

namespace deciban {

// A trie over the words of n-grams, kept in two hash tables: from a word to its number, and from a node and the next
// word to the next node. The second look-up compares two integers, so it never touches the text of an n-gram: one cache
// miss instead of three. The vocabulary must outlive the index.
class NgramIndex {
 public:
  // A sequence of words that begins some term, and the position of the term that ends there.
  struct Node {
    std::uint32_t node, term;  // kNoWord: no such sequence, and no such term
  };
  static constexpr Node kNone{kNoWord, kNoWord};

  // Terms are words with single spaces between them. They are inserted in the given order, if there is one.
  NgramIndex(const Vocabulary& terms, const std::int64_t* order);

  void prefetch_word(std::uint64_t hash) const { __builtin_prefetch(&words_[hash >> word_shift_]); }

  // Returns the node of a single word.
  Node find_word(const Term& word) const {
    const WordSlot& slot = words_[place_of_word(word)];
    return slot.number == kNoWord ? kNone : Node{slot.number, term_of_word_[slot.number]};
  }

  void prefetch_next(std::uint32_t node, std::uint32_t word) const {
    __builtin_prefetch(&edges_[bucket_of(key_of(node, word))]);
  }

  // Returns the node of a sequence that is continued by a word, which is given by its own node. Whether there is one
  // follows no pattern, so it is selected without a branch.
  Node find_next(std::uint32_t node, std::uint32_t word) const {
    const std::uint64_t key = key_of(node, word);
    for (std::size_t at = bucket_of(key);; at = (at + 1) & bucket_mask_) {
      const Bucket& bucket = edges_[at];
      std::uint32_t place = 0, found = 0;
      for (std::uint32_t i = 0; i < kBucketSize; ++i) {
        const std::uint32_t equal = bucket.key[i] == key;
        place |= equal * i;  // free slots have equal keys, and lead nowhere
        found |= equal;
      }
      const bool is_last = bucket.key[kBucketSize - 1] == kFreeKey;
      if (found | is_last) [[likely]]
        return {bucket.next[place].node | (found - 1), bucket.next[place].term | (found - 1)};
    }
  }

  std::int64_t words() const { return terms_.words; }

 private:
  struct WordSlot {
    std::uint64_t hash;
    std::uint32_t number, size;
  };
  static constexpr WordSlot kFreeWord{0, kNoWord, 0};

  // Edges of one cache line, from a node and a word to the next node; they fill it from the front.
  static constexpr int kBucketSize = 4;
  static constexpr std::uint64_t kFreeKey = ~std::uint64_t{0};  // that of no node and no word, which no edge leaves
  struct alignas(64) Bucket {
    std::uint64_t key[kBucketSize] = {kFreeKey, kFreeKey, kFreeKey, kFreeKey};
    Node next[kBucketSize] = {kNone, kNone, kNone, kNone};
  };
  static constexpr std::uint32_t kInner = 1u << 31;  // set in the nodes of two words or more

  static std::uint64_t key_of(std::uint32_t node, std::uint32_t word) { return std::uint64_t{node} << 32 | word; }
  std::size_t bucket_of(std::uint64_t key) const { return multiply_fold(key, kGolden) >> bucket_shift_; }

  // Returns the slot of a word, or the free one where it belongs.
  std::size_t place_of_word(const Term& word) const {
    std::size_t at = word.hash >> word_shift_;
    while (words_[at].number != kNoWord &&
           !has_term(words_[at], word, [&] { return terms_.bytes + begin_of_word_[words_[at].number]; }))
      at = (at + 1) & word_mask_;
    return at;
  }

  void insert(std::int64_t term);
  std::uint32_t add_word(const Term& word);
  Node& add_edge(std::uint32_t node, std::uint32_t word);
  void grow_words();

  Vocabulary terms_;
  HugeVector<WordSlot> words_;
  HugeVector<Bucket> edges_;
  HugeVector<std::uint32_t> term_of_word_;   // by number: the term that is this word alone
  HugeVector<std::uint64_t> begin_of_word_;  // by number: a place of its text among the terms
  std::size_t word_mask_, bucket_mask_;
  int word_shift_, bucket_shift_;
  std::uint32_t edge_count_ = 0;
};

}  // namespace deciban
