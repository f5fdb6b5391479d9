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

// Open addressing, at most half full. A slot has all that counting a word needs, so that it is one look.
class Growing {
 public:
  struct Slot {
    std::uint64_t hash;
    double weight;  // in the class that is being counted
    std::uint64_t begin;
    std::uint32_t word, size;
  };

  // Of words whose hashes have the first so many bits in common.
  explicit Growing(int common = 0) : slots_(1 << 12, kFree), common_(common) { measure(); }

  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&slots_[home(hash)]); }

  // The bytes that a long term will be compared with, once its slot is there.
  void prefetch_bytes(const Term& term) const {
    if (term.size <= kShortTerm) return;
    const Slot& slot = slots_[home(term.hash)];
    if (slot.hash == term.hash) __builtin_prefetch(bytes_.data() + slot.begin);
  }

  Slot& operator[](const Term& term) {
    std::size_t at = home(term.hash);
    for (; slots_[at].word != kNoWord; at = (at + 1) & mask_) {
      if (is_term(slots_[at], term, bytes(slots_[at]))) return slots_[at];
    }
    return added(term, at);
  }

  void clear() {
    if (!size()) return;
    std::fill(slots_.begin(), slots_.end(), kFree);
    place_.clear();
    bytes_.clear();
  }

  std::size_t size() const { return place_.size(); }
  Slot& of(std::uint32_t word) { return slots_[place_[word]]; }
  void prefetch_of(std::uint32_t word) const { __builtin_prefetch(&slots_[place_[word]]); }
  const unsigned char* bytes(const Slot& slot) const { return bytes_.data() + slot.begin; }
  std::size_t all_bytes() const { return bytes_.size(); }

  const Slot& at(std::size_t place) const { return slots_[place]; }

  // The slots of all words, in the order of a vocabulary.
  HugeVector<std::size_t> sorted() const {
    HugeVector<std::size_t> places(size() + 1);
    std::size_t found = 0;
    for (std::size_t at = 0; at < slots_.size(); ++at) {
      places[found] = at;
      found += slots_[at].word != kNoWord && !is_around_the_end(at);
    }
    for (std::size_t at = 0; slots_[at].word != kNoWord; ++at)
      if (is_around_the_end(at)) places[found++] = at;
    places.pop_back();
    // Only neighbours can be in the wrong order now.
    for (std::size_t i = 1; i < found; ++i)
      for (std::size_t k = i; k && before(slots_[places[k]], slots_[places[k - 1]]); --k)
        std::swap(places[k], places[k - 1]);
    return places;
  }

 private:
  static constexpr Slot kFree{0, 0.0, 0, kNoWord, 0};

  // The slot that a word has if it is free, in the order of the hashes.
  std::size_t home(std::uint64_t hash) const { return hash << common_ >> shift_; }

  // Whether its word belongs to the last slots, which were taken.
  bool is_around_the_end(std::size_t at) const { return home(slots_[at].hash) > at; }

  bool before(const Slot& a, const Slot& b) const {
    if (a.hash != b.hash) return a.hash < b.hash;
    return std::lexicographical_compare(bytes(a), bytes(a) + a.size, bytes(b), bytes(b) + b.size);
  }

  Slot& added(const Term& term, std::size_t at) {
    if (size() >= kNoWord - 1) throw std::invalid_argument("more than 4 billion different words in one batch");
    const auto word = static_cast<std::uint32_t>(size());
    slots_[at] = {term.hash, 0.0, bytes_.size(), word, term.size};
    place_.push_back(at);
    bytes_.insert(bytes_.end(), term.data, term.data + term.size);
    if (2 * size() > slots_.size()) grow();
    return of(word);
  }

  void grow() {
    HugeVector<Slot> before(2 * slots_.size(), kFree);
    before.swap(slots_);
    measure();
    for (const Slot& slot : before) {
      if (slot.word == kNoWord) continue;
      std::size_t at = home(slot.hash);
      while (slots_[at].word != kNoWord) at = (at + 1) & mask_;
      slots_[at] = slot;
      place_[slot.word] = at;
    }
  }

  void measure() {
    mask_ = slots_.size() - 1;
    shift_ = 64 - std::countr_zero(slots_.size());
  }

  HugeVector<Slot> slots_;
  HugeVector<std::size_t> place_;  // the slot of every word
  HugeVector<unsigned char> bytes_;
  std::size_t mask_;
  int shift_, common_;
};

}  // namespace deciban
