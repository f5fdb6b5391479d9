#include "words/find_words.hpp"

#include <algorithm>
#include <span>

#include "core/simd.hpp"

namespace deciban {
namespace {

// Finds the words of documents that an index has, with their values.
class WordFinder {
 public:
  WordFinder(const TermIndex& index, const TokenizerOptions& options, const TermWeighting& weighting)
      : index_(index), options_(options), tokenizer_(options), weighting_(weighting) {}

  // Returns the known words of a document, valid until the next call.
  std::span<const Bag::Entry> find(const Document& document) {
    bag_.start(0);
    if (!document.data) return {};
    if (const NgramIndex* ngrams = index_.of_ngrams())
      find_ngrams(*ngrams, tokenizer_.read_words(document));
    else
      find_terms(*index_.of_terms(), tokenizer_.read(document));
    if (!weighting_.is_count()) bag_.apply(weighting_);
    return bag_.entries;
  }

 private:
  void find_terms(const WordIndex& index, std::span<const Term> terms) {
    bag_.start(terms.size());
    for (const Term& term : terms.first(std::min(terms.size(), kTermsAhead))) index.prefetch(term.hash);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (i + kTermsAhead < terms.size()) index.prefetch(terms[i + kTermsAhead].hash);
      const std::int64_t word = index.find(terms[i]);
      if (word >= 0) add(static_cast<std::uint32_t>(word));
    }
  }

  // Finds all n-grams of one length after those one word shorter, and adds them in the order of their first words.
  void find_ngrams(const NgramIndex& index, std::span<const Term> words) {
    const auto shortest = static_cast<std::size_t>(options_.min_n);
    const std::size_t longest = std::min(static_cast<std::size_t>(options_.max_n), words.size());
    find_single_words(index, words);
    for (std::size_t n = 2; n <= longest; ++n) find_longer(index, n, words.size() - n + 1);
    known_.resize(longest * words.size() + 1);
    std::size_t known = 0;
    for (std::size_t i = 0; i < words.size(); ++i)
      for (std::size_t n = shortest; n <= std::min(longest, words.size() - i); ++n) {
        known_[known] = terms_[n - 1][i];
        known += known_[known] != kNoWord;
      }
    bag_.start(known);
    for (std::size_t i = 0; i < known; ++i) add(known_[i]);
  }

  void find_single_words(const NgramIndex& index, std::span<const Term> words) {
    terms_.resize(static_cast<std::size_t>(options_.max_n));
    words_.resize(words.size());
    terms_[0].resize(words.size());
    for (const Term& word : words.first(std::min(words.size(), kTermsAhead))) index.prefetch_word(word.hash);
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (i + kTermsAhead < words.size()) index.prefetch_word(words[i + kTermsAhead].hash);
      const NgramIndex::Node found = index.find_word(words[i]);
      words_[i] = found.node;
      terms_[0][i] = found.term;
    }
    nodes_ = words_;
  }

  // Continues the first `count` nodes, of n − 1 words each, by one word.
  void find_longer(const NgramIndex& index, std::size_t n, std::size_t count) {
    terms_[n - 1].resize(count);
    const auto prefetch = [&](std::size_t i) { index.prefetch_next(nodes_[i], words_[i + n - 1]); };
    for (std::size_t i = 0; i < std::min(count, kTermsAhead); ++i) prefetch(i);
    for (std::size_t i = 0; i < count; ++i) {
      if (i + kTermsAhead < count) prefetch(i + kTermsAhead);
      const NgramIndex::Node found = index.find_next(nodes_[i], words_[i + n - 1]);
      nodes_[i] = found.node;
      terms_[n - 1][i] = found.term;
    }
  }

  void add(std::uint32_t word) {
    if (weighting_.is_count())
      bag_.entries.push_back({word, 1.0});
    else
      bag_.add(word);
  }

  const TermIndex& index_;
  TokenizerOptions options_;
  Tokenizer tokenizer_;
  TermWeighting weighting_;
  Bag bag_;
  std::vector<std::uint32_t> words_, nodes_;       // by position in the document
  std::vector<std::uint32_t> known_;               // terms in their order
  std::vector<std::vector<std::uint32_t>> terms_;  // by n − 1 and position of the first word: n-grams, or kNoWord
};

struct DocumentSums {
  double values;      // of the words
  double word_bases;  // times the values
};

// Adds the rows of a document's words to sums (padded classes).
template <bool OneVector>
DECIBAN_INLINE void add_rows(const Bag::Entry* words, std::size_t n, const WordTable& table, double* __restrict sums) {
  const std::int64_t padded = OneVector ? kLanes : table.padded;
  const double* const rows = table.rows.data();
  Lanes sum = load(sums);
  for (std::size_t i = 0; i < n; ++i) {
    if (i + kTermsAhead < n)
      for (std::int64_t k = 0; k < padded; k += 8) __builtin_prefetch(rows + words[i + kTermsAhead].word * padded + k);
    const double* const row = rows + words[i].word * padded;
    if constexpr (OneVector)
      sum += words[i].value * load(row);
    else
      for (std::int64_t k = 0; k < padded; k += kLanes)
        store(sums + k, load(sums + k) + words[i].value * load(row + k));
  }
  if constexpr (OneVector) store(sums, sum);
}

DECIBAN_CLONES void add_folded(const Bag::Entry* words, std::size_t n, const WordTable& table,
                               double* __restrict sums) {
  if (table.padded == kLanes)
    add_rows<true>(words, n, table, sums);
  else
    add_rows<false>(words, n, table, sums);
}

// Prefetches the entries of a word.
DECIBAN_INLINE void prefetch_entries(const WordTable& table, const WordTable::Place& place) {
  if (place.count != WordTable::kRow) return __builtin_prefetch(table.entries.data() + place.first);
  const double* const row = table.rows.data() + place.first;
  for (std::int64_t k = 0; k < table.padded; k += 8) __builtin_prefetch(row + k);
}

// Adds the entries of a document's words to sums (padded classes).
DECIBAN_CLONES DocumentSums add_entries(const Bag::Entry* words, std::size_t n, const WordTable& table,
                                        double* __restrict sums) {
  const std::int64_t padded = table.padded;
  const WordTable::Place* const places = table.places.data();
  DocumentSums out{0, 0};
  for (std::size_t i = 0; i < n; ++i) {
    if (i + kTermsAhead < n) __builtin_prefetch(&places[words[i + kTermsAhead].word]);
    if (i + kTermsAhead / 2 < n) prefetch_entries(table, places[words[i + kTermsAhead / 2].word]);
    const WordTable::Place& place = places[words[i].word];
    const double value = words[i].value * place.gain;
    out.values += value;
    out.word_bases += value * place.word_base;
    if (place.count == WordTable::kRow) {
      const double* row = table.rows.data() + place.first;
      for (std::int64_t k = 0; k < padded; k += kLanes) store(sums + k, load(sums + k) + value * load(row + k));
    } else {
      for (std::int64_t e = place.first; e < place.first + place.count; ++e)
        sums[table.entries[e].cls] += value * table.entries[e].weight;
    }
  }
  return out;
}

}  // namespace

FoundWords find_words(std::span<const Document> documents, const TermIndex& index, const TokenizerOptions& options,
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

TermPlaces place_terms(std::span<const Document> documents, const WordIndex& index, const TokenizerOptions& options) {
  Tokenizer tokenizer(options);
  TermPlaces out;
  out.start.assign(1, 0);
  for (const Document& document : documents) {
    if (document.data)
      for (const Term& term : tokenizer.read(document)) out.word.push_back(static_cast<std::int32_t>(index.find(term)));
    out.start.push_back(static_cast<std::int64_t>(out.word.size()));
  }
  return out;
}

WordTable::WordTable(const WordCounts& from, std::int64_t words, std::int64_t classes, const WordScores& scores)
    : words(words),
      classes(classes),
      padded((classes + kLanes - 1) / kLanes * kLanes),
      class_base(scores.class_base, scores.class_base + classes),
      scale(scores.scale, scores.scale + classes),
      total(scores.total, scores.total + classes) {
  bool all_rows = true;
  for (std::int64_t w = 0; w < words; ++w) all_rows &= 2 * (from.start[w + 1] - from.start[w]) >= classes;
  if (all_rows || classes <= kLanes)
    fold(from, scores);
  else
    place(from, scores);
}

void WordTable::fold(const WordCounts& from, const WordScores& scores) {
  rows.resize(static_cast<std::size_t>(words * padded), 0.0);
  for (std::int64_t w = 0; w < words; ++w) {
    double* const row = rows.data() + w * padded;
    const double base = scores.word_base ? scores.word_base[w] : 0.0, gain = scores.gain ? scores.gain[w] : 1.0;
    for (std::int64_t e = from.start[w]; e < from.start[w + 1]; ++e) row[from.cls[e]] = from.weight[e];
    for (std::int64_t c = 0; c < classes; ++c) row[c] = scale[c] * gain * (class_base[c] + base + row[c]);
  }
}

void WordTable::place(const WordCounts& from, const WordScores& scores) {
  places.resize(static_cast<std::size_t>(words));
  for (std::int64_t w = 0; w < words; ++w) {
    const std::int64_t first = from.start[w], count = from.start[w + 1] - first;
    const bool is_row = 2 * count >= classes;
    places[w] = {static_cast<std::int64_t>(is_row ? rows.size() : entries.size()), is_row ? kRow : count,
                 scores.gain ? scores.gain[w] : 1.0, scores.word_base ? scores.word_base[w] : 0.0};
    if (is_row) rows.resize(rows.size() + padded, 0.0);
    for (std::int64_t e = first; e < first + count; ++e)
      if (is_row)
        rows[places[w].first + from.cls[e]] = from.weight[e];
      else
        entries.push_back({from.weight[e], from.cls[e]});
  }
}

void score_words(std::span<const Document> documents, const TermIndex& index, const TokenizerOptions& options,
                 const TermWeighting& weighting, const WordTable& table, double* out) {
  WordFinder finder(index, options, weighting);
  std::vector<double> sums(std::max<std::size_t>(static_cast<std::size_t>(table.padded), kLanes));
  const auto rows = static_cast<std::int64_t>(documents.size());
  for (std::int64_t row = 0; row < rows; ++row, out += table.classes) {
    if (row + kDocumentsAhead < rows) prefetch(documents[row + kDocumentsAhead]);
    if (!documents[row].data) continue;
    const std::span<const Bag::Entry> words = finder.find(documents[row]);
    std::fill(sums.begin(), sums.end(), 0.0);
    if (table.is_folded()) {
      add_folded(words.data(), words.size(), table, sums.data());
      for (std::int64_t c = 0; c < table.classes; ++c) out[c] += table.total[c] + sums[c];
    } else {
      const DocumentSums document = add_entries(words.data(), words.size(), table, sums.data());
      for (std::int64_t c = 0; c < table.classes; ++c)
        out[c] +=
            table.total[c] + table.scale[c] * (document.values * table.class_base[c] + document.word_bases + sums[c]);
    }
  }
}

}  // namespace deciban
