#include "words/count_words.hpp"

#include <bit>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>

#include "words/word_tally.hpp"

namespace deciban {
namespace {

// The highest bits of a hash give the partition of a term; text from kPartitionBytes on is partitioned.
#ifdef DECIBAN_SMALL_PARTITIONS  // for fuzzing: small inputs reach this code
constexpr int kPartitionBits = 2;
constexpr std::int64_t kPartitionBytes = 0;
#else
constexpr int kPartitionBits = 8;
constexpr std::int64_t kPartitionBytes = 1 << 20;
#endif

// Calls visit(row, class, weight) for all rows with weight, one class after the other, end_class(class) after every
// class, and prefetch_row(row) some rows ahead.
template <class P, class V, class E>
void for_each_labelled(const Labels& labels, P&& prefetch_row, V&& visit, E&& end_class) {
  if (labels.soft) {
    for (std::int64_t c = 0; c < labels.classes; ++c) {
      for (std::int64_t i = 0; i < labels.rows; ++i)
        if (const double w = labels.soft[i * labels.classes + c]) visit(i, c, w);
      end_class(c);
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
      if (at + kDocumentsAhead < start.back()) prefetch_row(order[at + kDocumentsAhead]);
      const double w = labels.weight ? labels.weight[order[at]] : 1.0;
      if (w != 0) visit(order[at], c, w);
    }
    end_class(c);
  }
}

// Terms divided by their hashes. A table of all n-grams would not fit the cache; a table of one partition does. Terms
// are first written to their partitions in order of appearance, then counted partition by partition.
class HashPartitions {
 public:
  explicit HashPartitions(std::int64_t bytes) {
    std::fill(std::begin(weight_), std::end(weight_), 1.0);
    for (auto& partition : partitions_) partition.reserve(static_cast<std::size_t>(bytes / 2 / kPartitions) + 16);
  }

  // Adds terms that all lie within `text`, which is copied.
  void add(std::span<const Term> terms, std::span<const unsigned char> text, double weight) {
    const std::size_t begin = text_.size();
    text_.insert(text_.end(), text.begin(), text.end());
    if (text_.size() > UINT32_MAX) throw std::invalid_argument("more than 4 GB of text in one batch");
    for (const Term& term : terms) {
      const std::uint64_t p = term.hash >> (64 - kPartitionBits);
      if (weight_[p] != weight) {
        partitions_[p].push_back({std::bit_cast<std::uint64_t>(weight), kWeightMark, 0});
        weight_[p] = weight;
      }
      const auto at = begin + static_cast<std::size_t>(term.data - text.data());
      partitions_[p].push_back({term.hash, static_cast<std::uint32_t>(at), term.size});
    }
  }

  void end_class(std::int64_t cls) {
    for (auto& partition : partitions_) partition.push_back({static_cast<std::uint64_t>(cls), kClassMark, 0});
  }

  void append_to(CountedWords& out) {
    WordTally tally(kPartitionBits);
    for (std::int64_t i = 0; i < kPartitions; ++i) {
      count(partitions_[i], tally);
      HugeVector<Item>().swap(partitions_[i]);
      tally.append_to(out, nullptr);
      tally.clear();
      if (i == kProbed - 1) reserve(out);
    }
  }

 private:
  // A term, or a mark of size 0: the weight of the following terms, or the end of a class.
  struct Item {
    std::uint64_t hash;
    std::uint32_t at, size;
  };
  static constexpr std::int64_t kPartitions = 1 << kPartitionBits;
  static constexpr std::int64_t kProbed = (kPartitions + 31) / 32;
  static constexpr std::uint32_t kWeightMark = 0, kClassMark = 1;

  // Reserves memory for all partitions, which are of similar size, after the first kProbed of them.
  static void reserve(CountedWords& out) {
    const auto extend = [](auto& values) {
      values.reserve(values.size() / kProbed * (kPartitions + kPartitions / 16));
    };
    extend(out.words.hash);
    extend(out.words.word_start);
    extend(out.words.bytes);
    extend(out.counts.start);
    extend(out.counts.cls);
    extend(out.counts.weight);
  }

  void count(const HugeVector<Item>& partition, WordTally& tally) const {
    double weight = 1.0;
    for (std::size_t i = 0; i < partition.size(); ++i) {
      if (i + 2 * kTermsAhead < partition.size() && partition[i + 2 * kTermsAhead].size)
        __builtin_prefetch(&text_[partition[i + 2 * kTermsAhead].at]);
      const Item& item = partition[i];
      if (item.size)
        tally.add(Term{text_.data() + item.at, item.hash, item.size}, weight);
      else if (item.at == kWeightMark)
        weight = std::bit_cast<double>(item.hash);
      else
        tally.end_class(static_cast<std::int32_t>(item.hash));
    }
  }

  HugeVector<Item> partitions_[kPartitions];
  HugeVector<unsigned char> text_;
  double weight_[kPartitions];  // weight of the last term of each partition
};

class WordCounter {
 public:
  WordCounter(const TokenizerOptions& options, const TermWeighting& weighting, const Labels& labels, std::int64_t bytes)
      : tokenizer_(options), weighting_(weighting), lengths_(3 * labels.classes, 0.0) {
    // With soft labels a document is read once per class, and its text would be copied as often.
    if (weighting.is_count() && options.joins_words() && !labels.soft && bytes >= kPartitionBytes)
      partitions_.emplace(bytes);
  }

  void add(const Document& document, std::int64_t cls, double weight) {
    if (!document.data) return;
    const std::span<const Term> terms = tokenizer_.read(document);
    const auto length = static_cast<double>(terms.size());
    lengths_[3 * cls] += weight;
    lengths_[3 * cls + 1] += weight * length;
    lengths_[3 * cls + 2] += weight * length * length;
    if (partitions_)
      partitions_->add(terms, tokenizer_.joined_text(), weight);
    else if (weighting_.is_count())
      tally_.for_each_slot(terms, [&](VocabularyBuilder::Slot& slot) { tally_.add(slot, weight); });
    else
      add_bag(terms, weight);
  }

  void end_class(std::int64_t cls) {
    if (partitions_)
      partitions_->end_class(cls);
    else
      tally_.end_class(static_cast<std::int32_t>(cls));
  }

  CountedWords finish() {
    CountedWords out;
    out.words.word_start.push_back(0);
    out.counts.start.push_back(0);
    if (partitions_) {
      partitions_->append_to(out);
    } else {
      tally_.reserve(out);
      tally_.append_to(out, weighting_.is_count() ? nullptr : &documents_);
    }
    out.lengths = lengths_;
    return out;
  }

 private:
  void add_bag(std::span<const Term> terms, double weight) {
    bag_.start(terms.size());
    tally_.for_each_slot(terms, [&](const VocabularyBuilder::Slot& slot) {
      if (slot.word == documents_.size()) documents_.push_back(0.0);
      bag_.add(slot.word);
    });
    bag_.apply(weighting_);
    for (const Bag::Entry& e : bag_.entries) {
      tally_.add(e.word, weight * e.value);
      documents_[e.word] += weight;
    }
  }

  Tokenizer tokenizer_;
  TermWeighting weighting_;
  WordTally tally_;
  std::optional<HashPartitions> partitions_;
  Bag bag_;
  std::vector<double> documents_, lengths_;
};

}  // namespace

CountedWords count_words(std::span<const Document> documents, const Labels& labels, const TokenizerOptions& options,
                         const TermWeighting& weighting) {
  std::int64_t bytes = 0;
  for (const Document& document : documents) bytes += document.size;
  WordCounter counter(options, weighting, labels, bytes);
  for_each_labelled(
      labels, [&](std::int64_t row) { prefetch(documents[row]); },
      [&](std::int64_t row, std::int64_t cls, double weight) { counter.add(documents[row], cls, weight); },
      [&](std::int64_t cls) { counter.end_class(cls); });
  return counter.finish();
}

}  // namespace deciban
