#include "words/count_words.hpp"

#include <bit>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>

#include "words/vocabulary_builder.hpp"

namespace deciban {
namespace {

// Bits of a hash that tell the part of a term, and the bytes of text from which on parts are worth their while.
#ifdef DECIBAN_SMALL_PARTS  // so that small inputs find what is wrong with them
constexpr int kPartBits = 2;
constexpr std::int64_t kPartsFrom = 0;
#else
constexpr int kPartBits = 8;
constexpr std::int64_t kPartsFrom = 1 << 20;
#endif

// Calls row(i, class, weight) for the rows that count, class after class, and soon(i) some rows before.
template <class S, class F, class G>
void by_class(const Labels& labels, S&& soon, F&& row, G&& end_of_class) {
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
      if (at + kRowsAhead < start.back()) soon(order[at + kRowsAhead]);
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

  // f(slot) for all of them.
  template <class F>
  void each(std::span<const Term> terms, F f) {
    for (const Term& term : terms.first(std::min(terms.size(), 2 * kAhead))) words_.prefetch(term.hash);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (i + 2 * kAhead < terms.size()) words_.prefetch(terms[i + 2 * kAhead].hash);
      if (i + kAhead < terms.size()) words_.prefetch_bytes(terms[i + kAhead]);
      f(words_[terms[i]]);
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
      out.words.hash.push_back(word.hash);
      out.words.bytes.insert(out.words.bytes.end(), words_.bytes(word), words_.bytes(word) + word.size);
      out.words.word_start.push_back(static_cast<std::int64_t>(out.words.bytes.size()));
      if (documents) out.documents.push_back((*documents)[word.word]);
      next[word.word] = out.counts.start.back();
      out.counts.start.push_back(out.counts.start.back() + classes_of_[word.word]);
    }
    place_entries(next, out);
  }

  // For all of its words.
  void make_room(Counted& out) const {
    out.words.hash.reserve(words_.size());
    out.words.word_start.reserve(words_.size() + 1);
    out.words.bytes.reserve(words_.all_bytes());
    out.counts.start.reserve(words_.size() + 1);
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
    out.counts.cls.resize(static_cast<std::size_t>(out.counts.start.back()));
    out.counts.weight.resize(out.counts.cls.size());
    for (const auto& [cls, entries] : entries_)
      for (std::size_t i = 0; i < entries.size(); ++i) {
        if (i + 2 * kAhead < entries.size()) __builtin_prefetch(&next[entries[i + 2 * kAhead].word]);
        if (i + kAhead < entries.size()) {
          __builtin_prefetch(&out.counts.cls[next[entries[i + kAhead].word]], 1);
          __builtin_prefetch(&out.counts.weight[next[entries[i + kAhead].word]], 1);
        }
        const std::int64_t at = next[entries[i].word]++;
        out.counts.cls[at] = cls;
        out.counts.weight[at] = entries[i].weight;
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
    reserve(out.words.hash);
    reserve(out.words.word_start);
    reserve(out.words.bytes);
    reserve(out.counts.start);
    reserve(out.counts.cls);
    reserve(out.counts.weight);
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
      words_.each(terms, [&](Growing::Slot& slot) { words_.count(slot, weight); });
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
    out.words.word_start.push_back(0);
    out.counts.start.push_back(0);
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
    words_.each(terms, [&](const Growing::Slot& slot) {
      if (slot.word == documents_.size()) documents_.push_back(0.0);
      bag_.add(slot.word);
    });
    bag_.weigh(weighing_);
    for (const Bag::Entry& e : bag_.entries) {
      words_.count(e.word, weight * e.value);
      documents_[e.word] += weight;
    }
  }

  TermReader reader_;
  Weighing weighing_;
  Tally words_;
  std::optional<Parts> parts_;
  Bag bag_;
  std::vector<double> documents_, lengths_;
};

}  // namespace

Counted count_words(std::span<const Document> documents, const Labels& labels, const Reading& reading,
                    const Weighing& weighing) {
  std::int64_t bytes = 0;
  for (const Document& document : documents) bytes += document.size;
  Counter counter(reading, weighing, labels, bytes);
  by_class(
      labels, [&](std::int64_t row) { prefetch(documents[row]); },
      [&](std::int64_t row, std::int64_t cls, double weight) { counter.add(documents[row], cls, weight); },
      [&](std::int64_t cls) { counter.end_class(cls); });
  return counter.finish();
}

}  // namespace deciban
