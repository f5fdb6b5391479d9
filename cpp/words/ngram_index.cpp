#include "words/ngram_index.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace deciban {

NgramIndex::NgramIndex(const Vocabulary& terms, const std::int64_t* order) : terms_(terms) {
  const auto edges = static_cast<std::size_t>(
      std::count(terms.bytes, terms.bytes + terms.start[terms.words], static_cast<unsigned char>(' ')));
  if (terms.words >= kInner / 2 || edges >= kInner)
    throw std::invalid_argument("a vocabulary has at most a billion words");
  edges_.resize(std::bit_ceil(2 * edges / kBucketSize + 2));
  bucket_mask_ = edges_.size() - 1;
  bucket_shift_ = 64 - std::countr_zero(edges_.size());
  grow_words();
  for (std::int64_t k = 0; k < terms.words; ++k) insert(order ? order[k] : k);
}

void NgramIndex::insert(std::int64_t term) {
  const unsigned char *part = terms_.word(term), *const end = part + terms_.size(term);
  std::uint32_t node = kNoWord;
  std::uint32_t* found = nullptr;
  while (true) {
    const unsigned char* const space = std::find(part, end, static_cast<unsigned char>(' '));
    const std::uint32_t word =
        add_word({part, hash_bytes(part, space - part), static_cast<std::uint32_t>(space - part)});
    if (node == kNoWord) {
      node = word;
      found = &term_of_word_[word];
    } else {
      Node& next = add_edge(node, word);
      node = next.node;
      found = &next.term;
    }
    if (space == end) break;
    part = space + 1;
  }
  if (*found == kNoWord) *found = static_cast<std::uint32_t>(term);
}

std::uint32_t NgramIndex::add_word(const Term& word) {
  std::size_t at = place_of_word(word);
  if (words_[at].number != kNoWord) return words_[at].number;
  const auto number = static_cast<std::uint32_t>(term_of_word_.size());
  if (number >= kInner) throw std::invalid_argument("a vocabulary has at most a billion words");
  words_[at] = {word.hash, number, word.size};
  term_of_word_.push_back(kNoWord);
  begin_of_word_.push_back(static_cast<std::uint64_t>(word.data - terms_.bytes));
  if (2 * term_of_word_.size() > words_.size()) grow_words();
  return number;
}

NgramIndex::Node& NgramIndex::add_edge(std::uint32_t node, std::uint32_t word) {
  const std::uint64_t key = key_of(node, word);
  for (std::size_t at = bucket_of(key);; at = (at + 1) & bucket_mask_)
    for (int i = 0; i < kBucketSize; ++i) {
      Bucket& bucket = edges_[at];
      if (bucket.key[i] == key) return bucket.next[i];
      if (bucket.key[i] != kFreeKey) continue;
      bucket.key[i] = key;
      bucket.next[i] = {kInner | edge_count_++, kNoWord};
      return bucket.next[i];
    }
}

void NgramIndex::grow_words() {
  HugeVector<WordSlot> old(std::max<std::size_t>(2 * words_.size(), 1 << 12), kFreeWord);
  old.swap(words_);
  word_mask_ = words_.size() - 1;
  word_shift_ = 64 - std::countr_zero(words_.size());
  for (const WordSlot& slot : old) {
    if (slot.number == kNoWord) continue;
    std::size_t at = slot.hash >> word_shift_;
    while (words_[at].number != kNoWord) at = (at + 1) & word_mask_;
    words_[at] = slot;
  }
}

}  // namespace deciban
