// The words of a document, each once, and what it gives to them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "words/vocabulary.hpp"

namespace deciban {

constexpr std::size_t kAhead = 12;  // terms whose slots are asked for before their turn
constexpr std::int64_t kRowsAhead = 8;  // documents whose first bytes are

// The value of a word that occurs n times in a document: n, 1 or 1 + log n; with `normalise` all values of the document
// are divided by the Euclidean length of their vector.
struct Weighing {
  enum Kind { kOccurrences, kPresence, kLogarithm } kind;
  bool normalise;

  bool plain() const { return kind == kOccurrences && !normalise; }
};

// How often each of the distinct words of a document occurs, and from that its values.
class Bag {
 public:
  struct Entry {
    std::uint32_t word;
    double value;
  };

  void clear() {
    entries.clear();
    ++turn_;
  }

  void add(std::uint32_t word) {
    if (word >= seen_.size()) seen_.resize(std::max<std::size_t>(2 * seen_.size(), word + 1), {0, 0});
    if (seen_[word].first != turn_) {
      seen_[word] = {turn_, static_cast<std::uint32_t>(entries.size())};
      entries.push_back({word, 1.0});
    } else {
      ++entries[seen_[word].second].value;
    }
  }

  // Turns occurrences into values.
  void weigh(const Weighing& weighing) {
    double squares = 0;
    for (Entry& e : entries) {
      if (weighing.kind == Weighing::kPresence) e.value = 1.0;
      if (weighing.kind == Weighing::kLogarithm) e.value = 1.0 + std::log(e.value);
      squares += e.value * e.value;
    }
    if (!weighing.normalise || squares == 0) return;
    const double length = std::sqrt(squares);
    for (Entry& e : entries) e.value /= length;
  }

  std::vector<Entry> entries;

 private:
  std::vector<std::pair<std::uint64_t, std::uint32_t>> seen_;  // the last turn with a word, and its entry then
  std::uint64_t turn_ = 0;
};

}  // namespace deciban
