#include "words/find_words.hpp"

#include <algorithm>
#include <span>

#include "core/cells.hpp"
#include "core/simd.hpp"

namespace deciban {
namespace {

// The words of documents that an index knows, with their values.
class Finder {
 public:
  Finder(const WordIndex& index, const Reading& reading, const Weighing& weighing)
      : index_(index), reader_(reading), weighing_(weighing) {}

  // Of the next document. A word that occurs twice may be there twice, unless it is weighed.
  std::span<const Bag::Entry> find(const Document& document) {
    bag_.clear();
    if (!document.data) return {};
    const std::span<const Term> terms = reader_.read(document);
    const bool plain = weighing_.plain();
    for (const Term& term : terms.first(std::min(terms.size(), kAhead))) index_.prefetch(term.hash);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (i + kAhead < terms.size()) index_.prefetch(terms[i + kAhead].hash);
      const std::int64_t word = index_.find(terms[i]);
      if (word < 0) continue;
      if (plain)
        bag_.entries.push_back({static_cast<std::uint32_t>(word), 1.0});
      else
        bag_.add(static_cast<std::uint32_t>(word));
    }
    if (!plain) bag_.weigh(weighing_);
    return bag_.entries;
  }

 private:
  const WordIndex& index_;
  TermReader reader_;
  Weighing weighing_;
  Bag bag_;
};

}  // namespace

Found find_words(std::span<const Document> documents, const WordIndex& index, const Reading& reading,
                 const Weighing& weighing) {
  Finder finder(index, reading, weighing);
  Found out;
  out.start.assign(1, 0);
  for (const Document& document : documents) {
    for (const Bag::Entry& e : finder.find(document)) {
      out.word.push_back(static_cast<std::int32_t>(e.word));
      out.value.push_back(e.value);
    }
    out.start.push_back(static_cast<std::int64_t>(out.word.size()));
  }
  return out;
}

WordTable::WordTable(const Counts& entries, std::int64_t words, std::int64_t classes)
    : classes(classes), padded((classes + kLanes - 1) / kLanes * kLanes), places(words) {
  for (std::int64_t w = 0; w < words; ++w) {
    const std::int64_t first = entries.start[w], count = entries.start[w + 1] - first;
    if (2 * count < classes) {
      places[w] = {static_cast<std::int64_t>(cls.size()), count};
      cls.insert(cls.end(), entries.cls + first, entries.cls + first + count);
      entry.insert(entry.end(), entries.weight + first, entries.weight + first + count);
      continue;
    }
    places[w] = {static_cast<std::int64_t>(rows.size()), kRow};
    rows.resize(rows.size() + padded, 0.0);
    for (std::int64_t e = first; e < first + count; ++e) rows[places[w].first + entries.cls[e]] = entries.weight[e];
  }
}

namespace {

struct OfDocument {
  double length, of_words;
};

// Adds the entries of a document's words to sums (padded classes).
DECIBAN_CLONES OfDocument add_words(const Bag::Entry* words, std::size_t n, const WordTable& table,
                                    const WordScores& scores, double* __restrict sums) {
  const std::int64_t padded = table.padded;
  const WordTable::Place* const places = table.places.data();
  OfDocument out{0, 0};
  for (std::size_t i = 0; i < n; ++i) {
    if (i + kAhead < n) __builtin_prefetch(&places[words[i + kAhead].word]);
    if (i + kAhead / 2 < n) {
      const WordTable::Place& next = places[words[i + kAhead / 2].word];
      const double* at = (next.count == WordTable::kRow ? table.rows.data() : table.entry.data()) + next.first;
      __builtin_prefetch(at);
      if (next.count == WordTable::kRow)
        for (std::int64_t k = 8; k < padded; k += 8) __builtin_prefetch(at + k);
    }
    const std::uint32_t word = words[i].word;
    const double value = scores.gain ? words[i].value * scores.gain[word] : words[i].value;
    out.length += value;
    if (scores.word_base) out.of_words += value * scores.word_base[word];
    const WordTable::Place& place = places[word];
    if (place.count == WordTable::kRow) {
      const double* row = table.rows.data() + place.first;
      for (std::int64_t k = 0; k < padded; k += kLanes) store(sums + k, load(sums + k) + value * load(row + k));
    } else {
      for (std::int64_t e = place.first; e < place.first + place.count; ++e)
        sums[table.cls[e]] += value * table.entry[e];
    }
  }
  return out;
}

}  // namespace

void score_words(std::span<const Document> documents, const WordIndex& index, const Reading& reading,
                 const Weighing& weighing, const WordTable& table, const WordScores& scores, double* out) {
  Finder finder(index, reading, weighing);
  std::vector<double> sums(table.padded);
  const auto rows = static_cast<std::int64_t>(documents.size());
  for (std::int64_t row = 0; row < rows; ++row, out += table.classes) {
    if (row + kRowsAhead < rows) prefetch(documents[row + kRowsAhead]);
    if (!documents[row].data) continue;
    const std::span<const Bag::Entry> words = finder.find(documents[row]);
    std::fill(sums.begin(), sums.end(), 0.0);
    const OfDocument of = add_words(words.data(), words.size(), table, scores, sums.data());
    for (std::int64_t c = 0; c < table.classes; ++c)
      out[c] += scores.total[c] + scores.scale[c] * (of.length * scores.class_base[c] + of.of_words + sums[c]);
  }
}

}  // namespace deciban
