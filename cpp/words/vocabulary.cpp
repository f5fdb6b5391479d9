#include "words/vocabulary.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace deciban {
namespace {

VocabularyArrays<Buffer> allocate_words(std::int64_t words, std::int64_t bytes) {
  VocabularyArrays<Buffer> out{Buffer<std::uint64_t>(static_cast<std::size_t>(words)),
                               Buffer<std::int64_t>(static_cast<std::size_t>(words) + 1),
                               Buffer<unsigned char>(static_cast<std::size_t>(bytes))};
  out.word_start.push(0);
  return out;
}

CountArrays<Buffer> allocate_counts(std::int64_t words, std::int64_t entries) {
  CountArrays<Buffer> out{Buffer<std::int64_t>(static_cast<std::size_t>(words) + 1),
                          Buffer<std::int32_t>(static_cast<std::size_t>(entries)),
                          Buffer<double>(static_cast<std::size_t>(entries))};
  out.start.push(0);
  return out;
}

void append_word(const Vocabulary& from, std::int64_t word, VocabularyArrays<Buffer>& out) {
  out.hash.push(from.hash[word]);
  out.bytes.append(from.word(word), static_cast<std::size_t>(from.size(word)));
  out.word_start.push(static_cast<std::int64_t>(out.bytes.size()));
}

// Compares word i of a with word j of b: negative, 0 or positive. A position at the end is greater than any word.
int compare_words(const Vocabulary& a, std::int64_t i, const Vocabulary& b, std::int64_t j) {
  if (i == a.words) return 1;
  if (j == b.words) return -1;
  if (a.hash[i] != b.hash[j]) return a.hash[i] < b.hash[j] ? -1 : 1;
  const std::int64_t size_a = a.size(i), size_b = b.size(j);
  if (size_a == size_b && size_a <= static_cast<std::int64_t>(kShortTerm)) return 0;
  const int bytes = std::memcmp(a.word(i), b.word(j), static_cast<std::size_t>(std::min(size_a, size_b)));
  return bytes ? bytes : size_a < size_b ? -1 : size_a > size_b;
}

// The entries of one word.
struct Entries {
  const WordCounts& counts;
  std::int64_t next, end;

  Entries(const WordCounts& all, std::int64_t word, bool present)
      : counts(all), next(present ? all.start[word] : 0), end(present ? all.start[word + 1] : 0) {}
  bool done() const { return next == end; }
  std::int32_t cls() const { return counts.cls[next]; }
  double weight() const { return counts.weight[next]; }
};

// Appends the entries of one word from both vocabularies.
void merge_entries(Entries a, Entries b, bool separate, MergedWords& out) {
  while (!a.done() || !b.done()) {
    const bool from_a = b.done() || (!a.done() && a.cls() <= b.cls());
    const bool from_b = a.done() || (!b.done() && b.cls() <= a.cls());
    const double weight_a = from_a ? a.weight() : 0.0, weight_b = from_b ? b.weight() : 0.0;
    out.counts.cls.push(from_a ? a.cls() : b.cls());
    out.counts.weight.push(separate ? weight_a : weight_a + weight_b);
    if (separate) out.weight_b.push(weight_b);
    a.next += from_a;
    b.next += from_b;
  }
}

}  // namespace

void hash_words(const unsigned char* bytes, const std::int64_t* start, std::int64_t words, std::uint64_t* hash) {
  for (std::int64_t i = 0; i < words; ++i) hash[i] = hash_term(bytes + start[i], start[i + 1] - start[i]);
}

WordIndex::WordIndex(const Vocabulary& words, const std::int64_t* order) : words_(words) {
  if (words.words >= static_cast<std::int64_t>(kNoWord / 4))
    throw std::invalid_argument("a vocabulary has at most a billion words");
  slots_.assign(std::bit_ceil(2 * static_cast<std::size_t>(words.words) + 2), Slot{0, kNoWord, 0});
  mask_ = slots_.size() - 1;
  shift_ = 64 - std::countr_zero(slots_.size());
  for (std::int64_t k = 0; k < words.words; ++k) {
    const std::int64_t i = order ? order[k] : k;
    std::size_t at = words.hash[i] >> shift_;
    while (slots_[at].word != kNoWord) at = (at + 1) & mask_;
    slots_[at] = {words.hash[i], static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(words.size(i))};
  }
}

VocabularyArrays<Buffer> take_words(const Vocabulary& words, const std::int64_t* members, std::int64_t count) {
  std::int64_t bytes = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (members[i] < 0 || members[i] >= words.words) throw std::out_of_range("there is no such word");
    bytes += words.size(members[i]);
  }
  VocabularyArrays<Buffer> out = allocate_words(count, bytes);
  for (std::int64_t i = 0; i < count; ++i) append_word(words, members[i], out);
  return out;
}

TakenCounts take_counts(const WordCounts& counts, std::int64_t words, std::int64_t classes, const std::int64_t* members,
                        std::int64_t count) {
  TakenCounts out{allocate_counts(count, counts.start[words]),
                  std::vector<double>(static_cast<std::size_t>(classes), 0.0)};
  std::int64_t next = 0;  // the first word that is neither taken nor added to the others
  const auto add_others = [&](std::int64_t end) {
    for (std::int64_t e = counts.start[next]; e < counts.start[end]; ++e) out.others[counts.cls[e]] += counts.weight[e];
  };
  for (std::int64_t i = 0; i < count; ++i) {
    if (members[i] < next || members[i] >= words)
      throw std::out_of_range("there is no such word, or not in this order");
    add_others(members[i]);
    const std::int64_t first = counts.start[members[i]];
    const auto size = static_cast<std::size_t>(counts.start[members[i] + 1] - first);
    out.counts.cls.append(counts.cls + first, size);
    out.counts.weight.append(counts.weight + first, size);
    out.counts.start.push(static_cast<std::int64_t>(out.counts.cls.size()));
    next = members[i] + 1;
  }
  add_others(words);
  return out;
}

MergedWords merge_words(const Vocabulary& a, const WordCounts& counts_a, const Vocabulary& b,
                        const WordCounts& counts_b, bool separate) {
  const std::int64_t words = a.words + b.words, entries = counts_a.start[a.words] + counts_b.start[b.words];
  MergedWords out{allocate_words(words, a.start[a.words] + b.start[b.words]), allocate_counts(words, entries),
                  Buffer<double>(separate ? static_cast<std::size_t>(entries) : 0),
                  Buffer<std::int64_t>(static_cast<std::size_t>(a.words)),
                  Buffer<std::int64_t>(static_cast<std::size_t>(b.words))};
  for (std::int64_t i = 0, j = 0; i < a.words || j < b.words;) {
    const int order = compare_words(a, i, b, j);
    const bool in_a = order <= 0, in_b = order >= 0;
    const auto place = static_cast<std::int64_t>(out.words.hash.size());
    append_word(in_a ? a : b, in_a ? i : j, out.words);
    merge_entries({counts_a, i, in_a}, {counts_b, j, in_b}, separate, out);
    out.counts.start.push(static_cast<std::int64_t>(out.counts.cls.size()));
    if (in_a) out.place_a.push(place), ++i;
    if (in_b) out.place_b.push(place), ++j;
  }
  return out;
}

}  // namespace deciban
