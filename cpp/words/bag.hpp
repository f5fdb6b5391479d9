// A document as a bag of words: its distinct words and their values.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "words/vocabulary.hpp"

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

class Bag {
 public:
  struct Entry {
    std::uint32_t word;
    double value;
  };

  void clear() {
    entries.clear();
    ++document_;
  }

  void add(std::uint32_t word) {
    if (word >= last_seen_.size()) last_seen_.resize(std::max<std::size_t>(2 * last_seen_.size(), word + 1), {0, 0});
    auto& [document, entry] = last_seen_[word];
    if (document != document_) {
      document = document_;
      entry = static_cast<std::uint32_t>(entries.size());
      entries.push_back({word, 1.0});
    } else {
      ++entries[entry].value;
    }
  }

  // Turns occurrences into values.
  void apply(const TermWeighting& weighting) {
    double squares = 0;
    for (Entry& e : entries) {
      if (weighting.kind == TermWeighting::kPresence) e.value = 1.0;
      if (weighting.kind == TermWeighting::kLogarithm) e.value = 1.0 + std::log(e.value);
      squares += e.value * e.value;
    }
    const double length = weighting.normalise && squares > 0 ? std::sqrt(squares) : 1.0;
    for (Entry& e : entries) e.value = std::max(1.0, std::rint(e.value / length * kValueUnit)) / kValueUnit;
  }

  std::vector<Entry> entries;

 private:
  std::vector<std::pair<std::uint64_t, std::uint32_t>> last_seen_;  // by word: last document with it, its entry there
  std::uint64_t document_ = 0;
};

}  // namespace deciban
