// Weights of words by class, added up one class after the other.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "words/bag.hpp"
#include "words/count_words.hpp"
#include "words/vocabulary_builder.hpp"

namespace deciban {

class WordTally {
 public:
  explicit WordTally(int common_bits = 0) : words_(common_bits) {}

  // Calls f(slot) for every term.
  template <class F>
  void for_each_slot(std::span<const Term> terms, F f) {
    for (const Term& term : terms.first(std::min(terms.size(), 2 * kTermsAhead))) words_.prefetch(term.hash);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (i + 2 * kTermsAhead < terms.size()) words_.prefetch(terms[i + 2 * kTermsAhead].hash);
      if (i + kTermsAhead < terms.size()) words_.prefetch_bytes(terms[i + kTermsAhead]);
      f(words_[terms[i]]);
    }
  }

  void add(const Term& term, double weight) { add(words_[term], weight); }
  void add(std::uint32_t word, double weight) { add(words_.slot_of(word), weight); }
  void add(VocabularyBuilder::Slot& slot, double weight) {
    if (slot.weight == 0) touched_.push_back(slot.word);
    slot.weight += weight;
  }

  // Moves the weights of a class from the slots to a list.
  void end_class(std::int32_t cls) {
    ClassEntries entries{cls, HugeVector<Entry>(touched_.size())};
    class_count_.resize(words_.size(), 0);
    for (std::size_t i = 0; i < touched_.size(); ++i) {
      if (i + kTermsAhead < touched_.size()) words_.prefetch_word(touched_[i + kTermsAhead]);
      const std::uint32_t word = touched_[i];
      double& weight = words_.slot_of(word).weight;
      entries.entries[i] = {word, weight};
      ++class_count_[word];
      weight = 0;
    }
    classes_.push_back(std::move(entries));
    touched_.clear();
  }

  // Appends all words and their weights. `documents`, if any, has the weight of the documents that contain each word.
  void append_to(CountedWords& out, const std::vector<double>* documents) const {
    if (!words_.size()) return;
    const HugeVector<std::size_t> places = words_.sorted_places();
    const std::size_t words = places.size();
    HugeVector<std::int64_t> next_entry(words);  // by word
    for (std::size_t i = 0; i < words; ++i) {
      if (i + kTermsAhead < words) {
        const VocabularyBuilder::Slot& ahead = words_.slot(places[i + kTermsAhead]);
        __builtin_prefetch(words_.bytes(ahead));
        __builtin_prefetch(&class_count_[ahead.word]);
      }
      const VocabularyBuilder::Slot& word = words_.slot(places[i]);
      out.words.hash.push_back(word.hash);
      out.words.bytes.insert(out.words.bytes.end(), words_.bytes(word), words_.bytes(word) + word.size);
      out.words.word_start.push_back(static_cast<std::int64_t>(out.words.bytes.size()));
      if (documents) out.documents.push_back((*documents)[word.word]);
      next_entry[word.word] = out.counts.start.back();
      out.counts.start.push_back(out.counts.start.back() + class_count_[word.word]);
    }
    append_entries(next_entry, out);
  }

  // Reserves memory for all words.
  void reserve(CountedWords& out) const {
    out.words.hash.reserve(words_.size());
    out.words.word_start.reserve(words_.size() + 1);
    out.words.bytes.reserve(words_.total_bytes());
    out.counts.start.reserve(words_.size() + 1);
  }

  // Empties the tally and keeps its memory.
  void clear() {
    words_.clear();
    classes_.clear();
    class_count_.clear();
  }

 private:
  struct Entry {
    std::uint32_t word;
    double weight;
  };
  struct ClassEntries {
    std::int32_t cls;
    HugeVector<Entry> entries;
  };

  // Transposes the lists of classes, which ascend, into lists of words.
  void append_entries(HugeVector<std::int64_t>& next_entry, CountedWords& out) const {
    CountArrays<HugeVector>& counts = out.counts;
    counts.cls.resize(static_cast<std::size_t>(counts.start.back()));
    counts.weight.resize(counts.cls.size());
    for (const auto& [cls, entries] : classes_)
      for (std::size_t i = 0; i < entries.size(); ++i) {
        if (i + 2 * kTermsAhead < entries.size()) __builtin_prefetch(&next_entry[entries[i + 2 * kTermsAhead].word]);
        if (i + kTermsAhead < entries.size()) {
          __builtin_prefetch(&counts.cls[next_entry[entries[i + kTermsAhead].word]], 1);
          __builtin_prefetch(&counts.weight[next_entry[entries[i + kTermsAhead].word]], 1);
        }
        const std::int64_t at = next_entry[entries[i].word]++;
        counts.cls[at] = cls;
        counts.weight[at] = entries[i].weight;
      }
  }

  VocabularyBuilder words_;
  std::vector<std::uint32_t> touched_;     // words with weight in the current class
  std::vector<ClassEntries> classes_;      // by ascending class
  HugeVector<std::uint32_t> class_count_;  // by word: number of classes
};

}  // namespace deciban
