// A document as a bag of words: its distinct words and their values.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/hash.hpp"

namespace deciban {

constexpr std::size_t kTermsAhead = 12;      // slots are prefetched this many terms ahead
constexpr std::int64_t kDocumentsAhead = 8;  // texts are prefetched this many documents ahead
constexpr double kValueUnit = 0x1p24;        // values are multiples of 1 / kValueUnit

// The value of a word that occurs n times in a document: n, 1 or 1 + log n. With `normalise` the values of a document
// are divided by their Euclidean length. Values are rounded to multiples of 2^-24, so that their sums are exact in any
// order of addition.
struct TermWeighting {
  enum Kind { kOccurrences, kPresence, kLogarithm } kind;
  bool normalise;

  // Whether values are occurrences, which need no bag.
  bool is_count() const { return kind == kOccurrences && !normalise; }
};

// The distinct words of one document after the other.
class Bag {
 public:
  struct Entry {
    std::uint32_t word;
    double value;
  };

  Bag() {
    for (std::size_t n = 1; n < kFew; ++n) logarithms_[n] = 1.0 + std::log(static_cast<double>(n));
  }

  // Begins a document of at most this many terms. Its words are found again in a small hash table of its own, which
  // stays in the cache, while a table by word would miss it for every word of a large vocabulary.
  void start(std::size_t terms) {
    entries.clear();
    const std::size_t size = std::bit_ceil(std::max<std::size_t>(2 * terms, 16));
    if (places_.size() < size || ++document_ == 0) {
      places_.assign(std::max(size, places_.size()), {});
      document_ = 1;
    }
    mask_ = size - 1;
    shift_ = 64 - std::countr_zero(size);
  }

  void add(std::uint32_t word) {
    std::size_t at = hash_word(word) >> shift_;
    for (; places_[at].document == document_; at = (at + 1) & mask_)
      if (places_[at].word == word) {
        ++entries[places_[at].entry].value;
        return;
      }
    places_[at] = {document_, word, static_cast<std::uint32_t>(entries.size())};
    entries.push_back({word, 1.0});
  }

  // Turns occurrences into values. Words that occur equally often have one value, which is computed once.
  void apply(const TermWeighting& weighting) {
    double squares = 0;
    std::size_t most = 0;  // occurrences, among those that are few
    for (const Entry& e : entries) {
      const double raw = raw_value(weighting, e.value);
      squares += raw * raw;
      if (e.value < kFew) most = std::max(most, static_cast<std::size_t>(e.value));
    }
    const double length = weighting.normalise && squares > 0 ? std::sqrt(squares) : 1.0;
    const auto value = [&](double occurrences) {
      return std::max(1.0, std::rint(raw_value(weighting, occurrences) / length * kValueUnit)) / kValueUnit;
    };
    for (std::size_t n = 1; n <= most; ++n) values_[n] = value(static_cast<double>(n));
    for (Entry& e : entries) e.value = e.value < kFew ? values_[static_cast<std::size_t>(e.value)] : value(e.value);
  }

  std::vector<Entry> entries;

 private:
  static constexpr std::size_t kFew = 32;  // occurrences below this are looked up

  struct Place {
    std::uint32_t document = 0;  // 0: none
    std::uint32_t word = 0, entry = 0;
  };

  // Returns the value of a word before normalisation.
  double raw_value(const TermWeighting& weighting, double occurrences) const {
    if (weighting.kind == TermWeighting::kPresence) return 1.0;
    if (weighting.kind == TermWeighting::kOccurrences) return occurrences;
    return occurrences < kFew ? logarithms_[static_cast<std::size_t>(occurrences)] : 1.0 + std::log(occurrences);
  }

  std::vector<Place> places_;
  std::uint32_t document_ = 0;
  std::size_t mask_ = 0;
  int shift_ = 0;
  double logarithms_[kFew] = {}, values_[kFew] = {};
};

}  // namespace deciban
