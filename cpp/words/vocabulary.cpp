#include "words/vocabulary.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace deciban {

void hash_words(const unsigned char* bytes, const std::int64_t* start, std::int64_t words, std::uint64_t* hash) {
  for (std::int64_t i = 0; i < words; ++i) hash[i] = hash_term(bytes + start[i], start[i + 1] - start[i]);
}

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

namespace {

VocabularyArrays<Buffer> room_for(std::int64_t words, std::int64_t bytes) {
  VocabularyArrays<Buffer> out{Buffer<std::uint64_t>(static_cast<std::size_t>(words)),
                               Buffer<std::int64_t>(static_cast<std::size_t>(words) + 1),
                               Buffer<unsigned char>(static_cast<std::size_t>(bytes))};
  out.word_start.push(0);
  return out;
}

CountArrays<Buffer> room_for_counts(std::int64_t words, std::int64_t entries) {
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

}  // namespace

VocabularyArrays<Buffer> take_words(const Vocabulary& from, const std::int64_t* members, std::int64_t count) {
  std::int64_t bytes = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (members[i] < 0 || members[i] >= from.words) throw std::out_of_range("there is no such word");
    bytes += from.size(members[i]);
  }
  auto out = room_for(count, bytes);
  for (std::int64_t i = 0; i < count; ++i) append_word(from, members[i], out);
  return out;
}

TakenCounts take_counts(const Counts& from, std::int64_t words, std::int64_t classes, const std::int64_t* members,
                        std::int64_t count) {
  TakenCounts out{room_for_counts(count, from.start[words]),
                  std::vector<double>(static_cast<std::size_t>(classes), 0.0)};
  std::int64_t next = 0;  // the first word that is neither taken nor passed over
  const auto pass_over = [&](std::int64_t end) {
    for (std::int64_t e = from.start[next]; e < from.start[end]; ++e) out.others[from.cls[e]] += from.weight[e];
  };
  for (std::int64_t i = 0; i < count; ++i) {
    if (members[i] < next || members[i] >= words) throw std::out_of_range("there is no such word, or not in this order");
    pass_over(members[i]);
    const std::int64_t first = from.start[members[i]], size = from.start[members[i] + 1] - first;
    out.counts.cls.append(from.cls + first, static_cast<std::size_t>(size));
    out.counts.weight.append(from.weight + first, static_cast<std::size_t>(size));
    out.counts.start.push(static_cast<std::int64_t>(out.counts.cls.size()));
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
  if (size_a == size_b && size_a <= static_cast<std::int64_t>(kShortTerm)) return 0;
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
    out.counts.cls.push(from_a ? a.cls[p] : b.cls[q]);
    out.counts.weight.push(apart ? weight_a : weight_a + weight_b);
    if (apart) out.weight_b.push(weight_b);
    p += from_a;
    q += from_b;
  }
}

}  // namespace

Merged merge_words(const Vocabulary& a, const Counts& of_a, const Vocabulary& b, const Counts& of_b, bool apart) {
  const std::int64_t words = a.words + b.words, entries = of_a.start[a.words] + of_b.start[b.words];
  Merged out{room_for(words, a.start[a.words] + b.start[b.words]), room_for_counts(words, entries),
             Buffer<double>(apart ? static_cast<std::size_t>(entries) : 0),
             Buffer<std::int64_t>(static_cast<std::size_t>(a.words)),
             Buffer<std::int64_t>(static_cast<std::size_t>(b.words))};
  for (std::int64_t i = 0, j = 0; i < a.words || j < b.words;) {
    const int order = order_of(a, i, b, j);
    const bool in_a = order <= 0, in_b = order >= 0;
    const auto place = static_cast<std::int64_t>(out.words.hash.size());
    append_word(in_a ? a : b, in_a ? i : j, out.words);
    merge_entries(of_a, in_a ? of_a.start[i] : 0, in_a ? of_a.start[i + 1] : 0, of_b, in_b ? of_b.start[j] : 0,
                  in_b ? of_b.start[j + 1] : 0, apart, out);
    out.counts.start.push(static_cast<std::int64_t>(out.counts.cls.size()));
    if (in_a) out.place_a.push(place), ++i;
    if (in_b) out.place_b.push(place), ++j;
  }
  return out;
}

}  // namespace deciban
