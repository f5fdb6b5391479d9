// A vocabulary under construction: words are numbered by first appearance.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <stdexcept>

#include "core/huge_pages.hpp"
#include "words/tokenizer.hpp"
#include "words/vocabulary.hpp"

namespace deciban {

// A hash table. Open addressing, at most half full. A slot holds all that counting needs: one cache miss per word.
class VocabularyBuilder {
 public:
  struct Slot {
    std::uint64_t hash;
    double weight;        // in the class that is being counted
    std::uint64_t begin;  // of its bytes
    std::uint32_t word, size;
  };

  // `common_bits`: the hashes of all words agree in this many of their highest bits.
  explicit VocabularyBuilder(int common_bits = 0) : slots_(1 << 12, kFree), common_bits_(common_bits) {
    update_shift();
  }

  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&slots_[home(hash)]); }

  // Prefetches the bytes that a long term will be compared with. Its slot should be in the cache already.
  void prefetch_bytes(const Term& term) const {
    if (term.size <= kShortTerm) return;
    const Slot& slot = slots_[home(term.hash)];
    if (slot.hash == term.hash) __builtin_prefetch(bytes_.data() + slot.begin);
  }

  // Returns the slot of a term, which is added if it is new.
  Slot& operator[](const Term& term) {
    std::size_t at = home(term.hash);
    for (; slots_[at].word != kNoWord; at = (at + 1) & mask_)
      if (has_term(slots_[at], term, [&] { return bytes(slots_[at]); })) return slots_[at];
    return add(term, at);
  }

  void clear() {
    if (!size()) return;
    std::fill(slots_.begin(), slots_.end(), kFree);
    slot_of_word_.clear();
    bytes_.clear();
  }

  std::size_t size() const { return slot_of_word_.size(); }
  Slot& slot_of(std::uint32_t word) { return slots_[slot_of_word_[word]]; }
  void prefetch_word(std::uint32_t word) const { __builtin_prefetch(&slots_[slot_of_word_[word]]); }
  const unsigned char* bytes(const Slot& slot) const { return bytes_.data() + slot.begin; }
  std::size_t total_bytes() const { return bytes_.size(); }
  const Slot& slot(std::size_t place) const { return slots_[place]; }

  // Returns the places of all used slots, in the order of a vocabulary.
  HugeVector<std::size_t> sorted_places() const {
    HugeVector<std::size_t> places(size() + 1);
    std::size_t found = 0;
    for (std::size_t at = 0; at < slots_.size(); ++at) {
      places[found] = at;
      found += slots_[at].word != kNoWord && !has_wrapped(at);
    }
    for (std::size_t at = 0; slots_[at].word != kNoWord; ++at)
      if (has_wrapped(at)) places[found++] = at;
    places.pop_back();
    // Slots are in the order of the hashes' highest bits, so that insertion sort has little to do.
    for (std::size_t i = 1; i < found; ++i)
      for (std::size_t k = i; k && is_less(slots_[places[k]], slots_[places[k - 1]]); --k)
        std::swap(places[k], places[k - 1]);
    return places;
  }

 private:
  static constexpr Slot kFree{0, 0.0, 0, kNoWord, 0};

  // Returns the first slot to try: the highest bits of the hash that are not common to all words.
  std::size_t home(std::uint64_t hash) const { return hash << common_bits_ >> shift_; }

  // Whether the word of a slot was pushed beyond the last slot to the front.
  bool has_wrapped(std::size_t at) const { return home(slots_[at].hash) > at; }

  bool is_less(const Slot& a, const Slot& b) const {
    if (a.hash != b.hash) return a.hash < b.hash;
    return std::lexicographical_compare(bytes(a), bytes(a) + a.size, bytes(b), bytes(b) + b.size);
  }

  Slot& add(const Term& term, std::size_t at) {
    if (size() >= kNoWord - 1) throw std::invalid_argument("more than 4 billion different words in one batch");
    const auto word = static_cast<std::uint32_t>(size());
    slots_[at] = {term.hash, 0.0, bytes_.size(), word, term.size};
    slot_of_word_.push_back(at);
    bytes_.insert(bytes_.end(), term.data, term.data + term.size);
    if (2 * size() > slots_.size()) grow();
    return slot_of(word);
  }

  void grow() {
    HugeVector<Slot> old_slots(2 * slots_.size(), kFree);
    old_slots.swap(slots_);
    update_shift();
    for (const Slot& slot : old_slots) {
      if (slot.word == kNoWord) continue;
      std::size_t at = home(slot.hash);
      while (slots_[at].word != kNoWord) at = (at + 1) & mask_;
      slots_[at] = slot;
      slot_of_word_[slot.word] = at;
    }
  }

  void update_shift() {
    mask_ = slots_.size() - 1;
    shift_ = 64 - std::countr_zero(slots_.size());
  }

  HugeVector<Slot> slots_;
  HugeVector<std::size_t> slot_of_word_;
  HugeVector<unsigned char> bytes_;
  std::size_t mask_;
  int shift_, common_bits_;
};

}  // namespace deciban
