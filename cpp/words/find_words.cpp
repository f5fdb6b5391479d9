#include "words/find_words.hpp"

#include <algorithm>
#include <span>

#include "core/simd.hpp"

namespace deciban {
namespace {

// Finds the words of documents that an index has, with their values.
class WordFinder {
 public:
  WordFinder(const WordIndex& index, const TokenizerOptions& options, const TermWeighting& weighting)
      : index_(index), tokenizer_(options), weighting_(weighting) {}

  // Returns the known words of a document, valid until the next call.
  std::span<const Bag::Entry> find(const Document& document) {
    bag_.clear();
    if (!document.data) return {};
    const std::span<const Term> terms = tokenizer_.read(document);
    const bool is_count = weighting_.is_count();
    for (const Term& term : terms.first(std::min(terms.size(), kTermsAhead))) index_.prefetch(term.hash);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (i + kTermsAhead < terms.size()) index_.prefetch(terms[i + kTermsAhead].hash);
      const std::int64_t word = index_.find(terms[i]);
      if (word < 0) continue;
      if (is_count)
        bag_.entries.push_back({static_cast<std::uint32_t>(word), 1.0});
      else
        bag_.add(static_cast<std::uint32_t>(word));
    }
    if (!is_count) bag_.apply(weighting_);
    return bag_.entries;
  }

 private:
  const WordIndex& index_;
  Tokenizer tokenizer_;
  TermWeighting weighting_;
  Bag bag_;
};

struct DocumentSums {
  double values;      // of the words
  double word_bases;  // times the values
};

// Prefetches the entries of a word.
DECIBAN_INLINE void prefetch_entries(const WordTable& table, const WordTable::Place& place) {
  const bool is_row = place.count == WordTable::kRow;
  const double* at = (is_row ? table.rows.data() : table.entry.data()) + place.first;
  __builtin_prefetch(at);
  if (is_row)
    for (std::int64_t k = 8; k < table.padded; k += 8) __builtin_prefetch(at + k);
}

// Adds the entries of a document's words to sums (padded classes).
DECIBAN_CLONES DocumentSums add_entries(const Bag::Entry* words, std::size_t n, const WordTable& table,
                                        const WordScores& scores, double* __restrict sums) {
  const std::int64_t padded = table.padded;
  const WordTable::Place* const places = table.places.data();
  DocumentSums out{0, 0};
  for (std::size_t i = 0; i < n; ++i) {
    if (i + kTermsAhead < n) __builtin_prefetch(&places[words[i + kTermsAhead].word]);
    if (i + kTermsAhead / 2 < n) prefetch_entries(table, places[words[i + kTermsAhead / 2].word]);
    const std::uint32_t word = words[i].word;
    const double value = scores.gain ? words[i].value * scores.gain[word] : words[i].value;
    out.values += value;
    if (scores.word_base) out.word_bases += value * scores.word_base[word];
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

FoundWords find_words(std::span<const Document> documents, const WordIndex& index, const TokenizerOptions& options,
                      const TermWeighting& weighting) {
  WordFinder finder(index, options, weighting);
  FoundWords out;
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

WordTable::WordTable(const WordCounts& entries, std::int64_t words, std::int64_t classes)
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

void score_words(std::span<const Document> documents, const WordIndex& index, const TokenizerOptions& options,
                 const TermWeighting& weighting, const WordTable& table, const WordScores& scores, double* out) {
  WordFinder finder(index, options, weighting);
  std::vector<double> sums(table.padded);
  const auto rows = static_cast<std::int64_t>(documents.size());
  for (std::int64_t row = 0; row < rows; ++row, out += table.classes) {
    if (row + kDocumentsAhead < rows) prefetch(documents[row + kDocumentsAhead]);
    if (!documents[row].data) continue;
    const std::span<const Bag::Entry> words = finder.find(documents[row]);
    std::fill(sums.begin(), sums.end(), 0.0);
    const DocumentSums document = add_entries(words.data(), words.size(), table, scores, sums.data());
    for (std::int64_t c = 0; c < table.classes; ++c)
      out[c] +=
          scores.total[c] + scores.scale[c] * (document.values * scores.class_base[c] + document.word_bases + sums[c]);
  }
}

}  // namespace deciban
