#include "words.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "cells.hpp"
#include "simd.hpp"

namespace deciban {
namespace {

constexpr std::size_t kAhead = 12;  // terms whose slots are asked for before their turn

// Bits of a hash that tell the part of a term, and the bytes of text from which on parts are worth their while.
#ifdef DECIBAN_SMALL_PARTS  // so that small inputs find what is wrong with them
constexpr int kPartBits = 2;
constexpr std::int64_t kPartsFrom = 0;
#else
constexpr int kPartBits = 8;
constexpr std::int64_t kPartsFrom = 1 << 20;
#endif

// Words under construction, numbered by first appearance. Open addressing, at most half full. A slot has all that
// counting a word needs, so that it is one look.
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
    if (term.size <= kShort) return;
    const Slot& slot = slots_[home(term.hash)];
    if (slot.hash == term.hash) __builtin_prefetch(bytes_.data() + slot.begin);
  }

  Slot& operator[](const Term& term) {
    std::size_t at = home(term.hash);
    for (; slots_[at].word != kNoWord; at = (at + 1) & mask_) {
      const Slot& slot = slots_[at];
      if (slot.hash == term.hash && slot.size == term.size &&
          (term.size <= kShort || same_bytes(bytes_.data() + slot.begin, term.data, term.size)))
        return slots_[at];
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

  // From occurrences to values; `factor` gives that of a word.
  template <class Factor>
  void weigh(const Weighing& weighing, Factor factor) {
    double squares = 0;
    for (Entry& e : entries) {
      if (weighing.kind == Weighing::kPresence) e.value = 1.0;
      if (weighing.kind == Weighing::kLogarithm) e.value = 1.0 + std::log(e.value);
      if (weighing.known) e.value *= factor(e.word);
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

// Calls f(row, weight) for the rows that count, class after class.
template <class F, class G>
void by_class(const Labels& labels, F&& row, G&& end_of_class) {
  if (labels.soft) {
    for (std::int64_t c = 0; c < labels.classes; ++c) {
      for (std::int64_t i = 0; i < labels.rows; ++i)
        if (const double w = labels.soft[i * labels.classes + c]) row(i, c, w);
      end_of_class(c);
    }
    return;
  }
  std::vector<std::int64_t> start(labels.classes + 1, 0), order;
  for (std::int64_t i = 0; i < labels.rows; ++i)
    if (labels.codes[i] >= 0) ++start[labels.codes[i] + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  order.resize(start.back());
  std::vector<std::int64_t> next(start.begin(), start.end() - 1);
  for (std::int64_t i = 0; i < labels.rows; ++i)
    if (labels.codes[i] >= 0) order[next[labels.codes[i]]++] = i;
  for (std::int64_t c = 0; c < labels.classes; ++c) {
    for (std::int64_t at = start[c]; at < start[c + 1]; ++at) {
      const double w = labels.weight ? labels.weight[order[at]] : 1.0;
      if (w != 0) row(order[at], c, w);
    }
    end_of_class(c);
  }
}

// The weights of words by class, class after class.
class Tally {
 public:
  explicit Tally(int common = 0) : words_(common) {}

  // f(slot, term) for all of them.
  template <class F>
  void each(std::span<const Term> terms, F f) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (i + 2 * kAhead < terms.size()) words_.prefetch(terms[i + 2 * kAhead].hash);
      if (i + kAhead < terms.size()) words_.prefetch_bytes(terms[i + kAhead]);
      f(words_[terms[i]], terms[i]);
    }
  }

  void count(const Term& term, double weight) { count(words_[term], weight); }
  void count(std::uint32_t word, double weight) { count(words_.of(word), weight); }
  void count(Growing::Slot& slot, double weight) {
    if (slot.weight == 0) touched_.push_back(slot.word);
    slot.weight += weight;
  }

  // Moves the weights of a class to where they stay.
  void end_class(std::int32_t cls) {
    OfClass entries{cls, HugeVector<Entry>(touched_.size())};
    classes_of_.resize(words_.size(), 0);
    for (std::size_t i = 0; i < touched_.size(); ++i) {
      if (i + kAhead < touched_.size()) words_.prefetch_of(touched_[i + kAhead]);
      const std::uint32_t word = touched_[i];
      double& weight = words_.of(word).weight;
      entries.of_words[i] = {word, weight};
      ++classes_of_[word];
      weight = 0;
    }
    entries_.push_back(std::move(entries));
    touched_.clear();
  }

  // Behind the words that are there. `documents`, if any, is the number of those with each word.
  void append_to(Counted& out, const std::vector<double>* documents) const {
    if (!words_.size()) return;
    const HugeVector<std::size_t> places = words_.sorted();
    const std::size_t words = places.size();
    HugeVector<std::int64_t> next(words);  // where the next entry of each word comes
    for (std::size_t i = 0; i < words; ++i) {
      if (i + kAhead < words) {
        const Growing::Slot& soon = words_.at(places[i + kAhead]);
        __builtin_prefetch(words_.bytes(soon));
        __builtin_prefetch(&classes_of_[soon.word]);
      }
      const Growing::Slot& word = words_.at(places[i]);
      out.hash.push_back(word.hash);
      out.bytes.insert(out.bytes.end(), words_.bytes(word), words_.bytes(word) + word.size);
      out.word_start.push_back(static_cast<std::int64_t>(out.bytes.size()));
      if (documents) out.documents.push_back((*documents)[word.word]);
      next[word.word] = out.start.back();
      out.start.push_back(out.start.back() + classes_of_[word.word]);
    }
    place_entries(next, out);
  }

  // For all of its words.
  void make_room(Counted& out) const {
    out.hash.reserve(words_.size());
    out.word_start.reserve(words_.size() + 1);
    out.bytes.reserve(words_.all_bytes());
    out.start.reserve(words_.size() + 1);
  }

  // As it was, in memory that is there already.
  void clear() {
    words_.clear();
    entries_.clear();
    classes_of_.clear();
  }

 private:
  struct Entry {
    std::uint32_t word;
    double weight;
  };
  struct OfClass {
    std::int32_t cls;
    HugeVector<Entry> of_words;
  };

  // From class after class to word after word, whose classes ascend then.
  void place_entries(HugeVector<std::int64_t>& next, Counted& out) const {
    out.cls.resize(static_cast<std::size_t>(out.start.back()));
    out.weight.resize(out.cls.size());
    for (const auto& [cls, entries] : entries_)
      for (std::size_t i = 0; i < entries.size(); ++i) {
        if (i + 2 * kAhead < entries.size()) __builtin_prefetch(&next[entries[i + 2 * kAhead].word]);
        if (i + kAhead < entries.size()) {
          __builtin_prefetch(&out.cls[next[entries[i + kAhead].word]], 1);
          __builtin_prefetch(&out.weight[next[entries[i + kAhead].word]], 1);
        }
        const std::int64_t at = next[entries[i].word]++;
        out.cls[at] = cls;
        out.weight[at] = entries[i].weight;
      }
  }

  Growing words_;
  std::vector<std::uint32_t> touched_;
  std::vector<OfClass> entries_;           // by ascending class
  HugeVector<std::uint32_t> classes_of_;  // in how many every word is
};

// Runs of words are so many different ones that a table of them fits no cache. They are first put into parts by their
// hashes, in the order in which they come, and then counted part by part.
class Parts {
 public:
  explicit Parts(std::int64_t bytes) {
    std::fill(std::begin(weight_), std::end(weight_), 1.0);
    for (auto& part : parts_) part.reserve(static_cast<std::size_t>(bytes / 2 / kParts) + 16);
  }

  // All terms lie within the text, which is kept.
  void add(std::span<const Term> terms, std::span<const unsigned char> text, double weight) {
    const std::size_t begin = text_.size();
    text_.insert(text_.end(), text.begin(), text.end());
    if (text_.size() > UINT32_MAX) throw std::invalid_argument("more than 4 GB of text in one batch");
    for (const Term& term : terms) {
      const std::uint64_t p = term.hash >> (64 - kPartBits);
      if (weight_[p] != weight) {
        parts_[p].push_back({std::bit_cast<std::uint64_t>(weight), kWeight, 0});
        weight_[p] = weight;
      }
      const auto at = begin + static_cast<std::size_t>(term.data - text.data());
      parts_[p].push_back({term.hash, static_cast<std::uint32_t>(at), term.size});
    }
  }

  void end_class(std::int64_t cls) {
    for (auto& part : parts_) part.push_back({static_cast<std::uint64_t>(cls), kClass, 0});
  }

  void append_to(Counted& out) {
    Tally tally(kPartBits);
    for (std::int64_t i = 0; i < kParts; ++i) {
      count(parts_[i], tally);
      HugeVector<Item>().swap(parts_[i]);
      tally.append_to(out, nullptr);
      tally.clear();
      if (i == kTold - 1) make_room(out);
    }
  }

 private:
  // A term, or, of no size, a mark: what the terms behind it weigh, or that a class ends.
  struct Item {
    std::uint64_t hash;
    std::uint32_t at, size;
  };
  static constexpr std::int64_t kParts = 1 << kPartBits;
  static constexpr std::int64_t kTold = (kParts + 31) / 32;
  static constexpr std::uint32_t kWeight = 0, kClass = 1;

  // Parts are much alike: the first tell how much room all will need.
  static void make_room(Counted& out) {
    const auto reserve = [](auto& values) { values.reserve(values.size() / kTold * (kParts + kParts / 16)); };
    reserve(out.hash);
    reserve(out.word_start);
    reserve(out.bytes);
    reserve(out.start);
    reserve(out.cls);
    reserve(out.weight);
  }

  void count(const HugeVector<Item>& part, Tally& tally) const {
    double weight = 1.0;
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (i + 2 * kAhead < part.size() && part[i + 2 * kAhead].size) __builtin_prefetch(&text_[part[i + 2 * kAhead].at]);
      const Item& item = part[i];
      if (item.size)
        tally.count(Term{text_.data() + item.at, item.hash, item.size}, weight);
      else if (item.at == kWeight)
        weight = std::bit_cast<double>(item.hash);
      else
        tally.end_class(static_cast<std::int32_t>(item.hash));
    }
  }

  HugeVector<Item> parts_[kParts];
  HugeVector<unsigned char> text_;
  double weight_[kParts];  // what terms weigh from here on
};

class Counter {
 public:
  Counter(const Reading& reading, const Weighing& weighing, const Labels& labels, std::int64_t bytes)
      : reader_(reading), weighing_(weighing), lengths_(3 * labels.classes, 0.0) {
    // With soft labels a document is read once for every class, and its text would be kept as often.
    if (weighing.plain() && reader_.joins() && !labels.soft && bytes >= kPartsFrom) parts_.emplace(bytes);
  }

  void add(const Document& document, std::int64_t cls, double weight) {
    if (!document.data) return;
    const std::span<const Term> terms = reader_.read(document);
    const auto length = static_cast<double>(terms.size());
    lengths_[3 * cls] += weight;
    lengths_[3 * cls + 1] += weight * length;
    lengths_[3 * cls + 2] += weight * length * length;
    if (parts_)
      parts_->add(terms, reader_.joined(), weight);
    else if (weighing_.plain())
      words_.each(terms, [&](Growing::Slot& slot, const Term&) { words_.count(slot, weight); });
    else
      add_bag(terms, weight);
  }

  void end_class(std::int64_t cls) {
    if (parts_)
      parts_->end_class(cls);
    else
      words_.end_class(static_cast<std::int32_t>(cls));
  }

  Counted finish() {
    Counted out;
    out.word_start.push_back(0);
    out.start.push_back(0);
    if (parts_) {
      parts_->append_to(out);
    } else {
      words_.make_room(out);
      words_.append_to(out, weighing_.plain() ? nullptr : &documents_);
    }
    out.lengths = lengths_;
    return out;
  }

 private:
  void add_bag(std::span<const Term> terms, double weight) {
    bag_.clear();
    words_.each(terms, [&](const Growing::Slot& slot, const Term& term) {
      if (slot.word == documents_.size()) meet(term);
      bag_.add(slot.word);
    });
    bag_.weigh(weighing_, [&](std::uint32_t word) { return factor_[word]; });
    for (const Bag::Entry& e : bag_.entries) {
      words_.count(e.word, weight * e.value);
      documents_[e.word] += weight;
    }
  }

  // What must be known of a new word.
  void meet(const Term& term) {
    documents_.push_back(0.0);
    if (!weighing_.known) return;
    const std::int64_t found = weighing_.known->find(term);
    factor_.push_back(found < 0 ? weighing_.other : weighing_.factor[found]);
  }

  TermReader reader_;
  Weighing weighing_;
  Tally words_;
  std::optional<Parts> parts_;
  Bag bag_;
  std::vector<double> documents_, factor_, lengths_;
};

}  // namespace

WordIndex::WordIndex(const Vocabulary& words, const std::int64_t* order) : words_(words) {
  if (words.words >= static_cast<std::int64_t>(kNoWord / 4))
    throw std::invalid_argument("a vocabulary has at most a billion words");
  slots_.assign(std::bit_ceil(2 * static_cast<std::size_t>(words.words) + 2), Slot{0, kNoWord, 0});
  mask_ = slots_.size() - 1;
  shift_ = 64 - std::countr_zero(slots_.size());
  for (std::int64_t turn = 0; turn < words.words; ++turn) {
    const std::int64_t i = order ? order[turn] : turn;
    std::size_t at = words.hash[i] >> shift_;
    while (slots_[at].word != kNoWord) at = (at + 1) & mask_;
    slots_[at] = {words.hash[i], static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(words.size(i))};
  }
}

Counted count_words(const std::vector<Document>& documents, const Labels& labels, const Reading& reading,
                    const Weighing& weighing) {
  std::int64_t bytes = 0;
  for (const Document& document : documents) bytes += document.size;
  Counter counter(reading, weighing, labels, bytes);
  by_class(
      labels, [&](std::int64_t row, std::int64_t cls, double weight) { counter.add(documents[row], cls, weight); },
      [&](std::int64_t cls) { counter.end_class(cls); });
  return counter.finish();
}

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
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (i + kAhead < terms.size()) index_.prefetch(terms[i + kAhead].hash);
      const std::int64_t word = index_.find(terms[i]);
      if (word < 0) continue;
      if (plain)
        bag_.entries.push_back({static_cast<std::uint32_t>(word), 1.0});
      else
        bag_.add(static_cast<std::uint32_t>(word));
    }
    if (!plain) bag_.weigh(weighing_, [&](std::uint32_t word) { return weighing_.factor[word]; });
    return bag_.entries;
  }

 private:
  const WordIndex& index_;
  TermReader reader_;
  Weighing weighing_;
  Bag bag_;
};

}  // namespace

Found find_words(const std::vector<Document>& documents, const WordIndex& index, const Reading& reading,
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

void score_words(const std::vector<Document>& documents, const WordIndex& index, const Reading& reading,
                 const Weighing& weighing, const WordTable& table, const WordScores& scores, double* out) {
  Finder finder(index, reading, weighing);
  std::vector<double> sums(table.padded);
  for (std::size_t row = 0; row < documents.size(); ++row, out += table.classes) {
    if (!documents[row].data) continue;
    const std::span<const Bag::Entry> words = finder.find(documents[row]);
    std::fill(sums.begin(), sums.end(), 0.0);
    const OfDocument of = add_words(words.data(), words.size(), table, scores, sums.data());
    for (std::int64_t c = 0; c < table.classes; ++c)
      out[c] += scores.total[c] + scores.scale[c] * (of.length * scores.class_base[c] + of.of_words + sums[c]);
  }
}

Taken take_words(const Vocabulary& from, const std::int64_t* members, std::int64_t count) {
  std::int64_t bytes = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (members[i] < 0 || members[i] >= from.words) throw std::out_of_range("there is no such word");
    bytes += from.size(members[i]);
  }
  Taken out{Buffer<std::uint64_t>(static_cast<std::size_t>(count)),
            Buffer<std::int64_t>(static_cast<std::size_t>(count) + 1),
            Buffer<unsigned char>(static_cast<std::size_t>(bytes))};
  out.word_start.push(0);
  for (std::int64_t i = 0; i < count; ++i) {
    out.hash.push(from.hash[members[i]]);
    out.bytes.append(from.word(members[i]), static_cast<std::size_t>(from.size(members[i])));
    out.word_start.push(static_cast<std::int64_t>(out.bytes.size()));
  }
  return out;
}

TakenCounts take_counts(const Counts& from, std::int64_t words, std::int64_t classes, const std::int64_t* members,
                        std::int64_t count) {
  const auto entries = static_cast<std::size_t>(from.start[words]);
  TakenCounts out{Buffer<std::int64_t>(static_cast<std::size_t>(count) + 1), Buffer<std::int32_t>(entries),
                  Buffer<double>(entries), std::vector<double>(static_cast<std::size_t>(classes), 0.0)};
  out.start.push(0);
  std::int64_t next = 0;  // the first word that is neither taken nor passed over
  const auto pass_over = [&](std::int64_t end) {
    for (std::int64_t e = from.start[next]; e < from.start[end]; ++e) out.others[from.cls[e]] += from.weight[e];
  };
  for (std::int64_t i = 0; i < count; ++i) {
    if (members[i] < next || members[i] >= words) throw std::out_of_range("there is no such word, or not in this order");
    pass_over(members[i]);
    const std::int64_t first = from.start[members[i]], size = from.start[members[i] + 1] - first;
    out.cls.append(from.cls + first, static_cast<std::size_t>(size));
    out.weight.append(from.weight + first, static_cast<std::size_t>(size));
    out.start.push(static_cast<std::int64_t>(out.cls.size()));
    next = members[i] + 1;
  }
  pass_over(words);
  return out;
}

namespace {

// -1, 0 or 1: which of two words comes first.
int order_of(const Vocabulary& a, std::int64_t i, const Vocabulary& b, std::int64_t j) {
  if (i == a.words) return 1;
  if (j == b.words) return -1;
  if (a.hash[i] != b.hash[j]) return a.hash[i] < b.hash[j] ? -1 : 1;
  const std::int64_t size_a = a.size(i), size_b = b.size(j);
  if (size_a == size_b && size_a <= static_cast<std::int64_t>(kShort)) return 0;
  const int bytes = std::memcmp(a.word(i), b.word(j), static_cast<std::size_t>(std::min(size_a, size_b)));
  return bytes ? bytes : size_a < size_b ? -1 : size_a > size_b;
}

// The entries of one word in both.
void merge_entries(const Counts& a, std::int64_t p, std::int64_t p_end, const Counts& b, std::int64_t q,
                   std::int64_t q_end, bool apart, Merged& out) {
  while (p < p_end || q < q_end) {
    const bool from_a = q == q_end || (p < p_end && a.cls[p] <= b.cls[q]);
    const bool from_b = p == p_end || (q < q_end && b.cls[q] <= a.cls[p]);
    const double weight_a = from_a ? a.weight[p] : 0.0, weight_b = from_b ? b.weight[q] : 0.0;
    out.cls.push(from_a ? a.cls[p] : b.cls[q]);
    out.weight_a.push(apart ? weight_a : weight_a + weight_b);
    if (apart) out.weight_b.push(weight_b);
    p += from_a;
    q += from_b;
  }
}

}  // namespace

Merged merge_words(const Vocabulary& a, const Counts& of_a, const Vocabulary& b, const Counts& of_b, bool apart) {
  const auto words = static_cast<std::size_t>(a.words + b.words);
  const auto entries = static_cast<std::size_t>(of_a.start[a.words] + of_b.start[b.words]);
  const auto bytes = static_cast<std::size_t>(a.start[a.words] + b.start[b.words]);
  Merged out{Buffer<std::uint64_t>(words),
             Buffer<std::int64_t>(words + 1),
             Buffer<unsigned char>(bytes),
             Buffer<std::int64_t>(words + 1),
             Buffer<std::int32_t>(entries),
             Buffer<double>(entries),
             Buffer<double>(apart ? entries : 0),
             Buffer<std::int64_t>(static_cast<std::size_t>(a.words)),
             Buffer<std::int64_t>(static_cast<std::size_t>(b.words))};
  out.word_start.push(0);
  out.start.push(0);
  for (std::int64_t i = 0, j = 0; i < a.words || j < b.words;) {
    const int order = order_of(a, i, b, j);
    const bool in_a = order <= 0, in_b = order >= 0;
    const auto place = static_cast<std::int64_t>(out.hash.size());
    const Vocabulary& from = in_a ? a : b;
    const std::int64_t word = in_a ? i : j;
    out.hash.push(from.hash[word]);
    out.bytes.append(from.word(word), static_cast<std::size_t>(from.size(word)));
    out.word_start.push(static_cast<std::int64_t>(out.bytes.size()));
    merge_entries(of_a, in_a ? of_a.start[i] : 0, in_a ? of_a.start[i + 1] : 0, of_b, in_b ? of_b.start[j] : 0,
                  in_b ? of_b.start[j + 1] : 0, apart, out);
    out.start.push(static_cast<std::int64_t>(out.cls.size()));
    if (in_a) out.place_a.push(place), ++i;
    if (in_b) out.place_b.push(place), ++j;
  }
  return out;
}

}  // namespace deciban
