#include "bind/vocabulary.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <tuple>

namespace deciban {
namespace {

using ByteArray = Array1d<std::uint8_t>;
using IntArray = Array1d<std::int32_t>;
using LongArray = Array1d<std::int64_t>;
using HashArray = Array1d<std::uint64_t>;
using DoubleArray = Array1d<double>;

OwnedIndex py_word_index(const Hashes& hash, const Longs& start, const Memory& text, const std::optional<Longs>& order,
                         bool joins_words) {
  const Vocabulary words = vocabulary_view(hash, start, text);
  if (order) {
    require(length(*order) == words.words, "order needs every word once");
    for (std::int64_t i = 0; i < words.words; ++i)
      require(order->data()[i] >= 0 && order->data()[i] < words.words, "order has no such word");
  }
  return {nb::cast(hash), nb::cast(start), nb::cast(text),
          TermIndex(words, order ? order->data() : nullptr, joins_words)};
}

std::tuple<HashArray, LongArray, ByteArray, LongArray, IntArray, DoubleArray, DoubleArray, LongArray, LongArray>
py_merge_words(const Hashes& hash_a, const Longs& words_a, const Memory& text_a, const Longs& start_a,
               const Ints& cls_a, const Doubles& weight_a, const Hashes& hash_b, const Longs& words_b,
               const Memory& text_b, const Longs& start_b, const Ints& cls_b, const Doubles& weight_b, bool separate) {
  const Vocabulary a = vocabulary_view(hash_a, words_a, text_a), b = vocabulary_view(hash_b, words_b, text_b);
  const WordCounts counts_a = counts_view(a.words, start_a, cls_a, weight_a);
  const WordCounts counts_b = counts_view(b.words, start_b, cls_b, weight_b);
  MergedWords found = without_gil([&] { return merge_words(a, counts_a, b, counts_b, separate); });
  return {to_numpy(std::move(found.words.hash)),  to_numpy(std::move(found.words.word_start)),
          to_numpy(std::move(found.words.bytes)), to_numpy(std::move(found.counts.start)),
          to_numpy(std::move(found.counts.cls)),  to_numpy(std::move(found.counts.weight)),
          to_numpy(std::move(found.weight_b)),    to_numpy(std::move(found.place_a)),
          to_numpy(std::move(found.place_b))};
}

LongArray py_find_vocabulary(const OwnedIndex& index, const Hashes& hash, const Longs& start, const Memory& text) {
  const Vocabulary words = vocabulary_view(hash, start, text);
  const WordIndex* const terms = index.index.of_terms();
  require(terms, "an index of the words of n-grams finds no whole terms");
  std::vector<std::int64_t> found;
  for (std::int64_t i = 0; i < words.words; ++i)
    found.push_back(terms->find({words.word(i), words.hash[i], static_cast<std::uint32_t>(words.size(i))}));
  return to_numpy(std::move(found));
}

std::tuple<LongArray, ByteArray, HashArray> py_take_words(const Hashes& hash, const Longs& start, const Memory& text,
                                                          const Longs& members) {
  const Vocabulary words = vocabulary_view(hash, start, text);
  VocabularyArrays<Buffer> found = without_gil([&] { return take_words(words, members.data(), length(members)); });
  return {to_numpy(std::move(found.word_start)), to_numpy(std::move(found.bytes)), to_numpy(std::move(found.hash))};
}

std::tuple<LongArray, IntArray, DoubleArray, DoubleArray> py_take_counts(const Longs& start, const Ints& cls,
                                                                         const Doubles& weight, std::int64_t classes,
                                                                         const Longs& members) {
  require(length(start) > 0, "start needs one entry per word and one more");
  const std::int64_t words = length(start) - 1;
  TakenCounts found = without_gil([&] {
    const WordCounts counts = counts_view(words, start, cls, weight);
    require_ascending_classes(counts, words, classes);
    return take_counts(counts, words, classes, members.data(), length(members));
  });
  return {to_numpy(std::move(found.counts.start)), to_numpy(std::move(found.counts.cls)),
          to_numpy(std::move(found.counts.weight)), to_numpy(std::move(found.others))};
}

HashArray py_hash_words(const Longs& start, const Memory& text) {
  const std::int64_t words = length(start) ? length(start) - 1 : 0;
  const std::int64_t* s = start.data();
  require(words == 0 || (s[0] >= 0 && s[words] <= length(text) && is_ascending(s, words)),
          "words must lie within their memory");
  std::vector<std::uint64_t> hash(static_cast<std::size_t>(words));
  hash_words(text.data(), s, words, hash.data());
  return to_numpy(std::move(hash));
}

}  // namespace

void bind_vocabularies(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<OwnedIndex>(m, "WordIndex", "Positions of the words of a vocabulary.");
  m.def("word_index", &py_word_index, "hash"_a, "start"_a, "text"_a, "order"_a.none(), "joins_words"_a = false,
        "Index a vocabulary. Words that come first in `order` are found fastest. joins_words is that of the tokenizer "
        "whose terms will be looked up.");
  m.def("merge_words", &py_merge_words, "hash_a"_a, "words_a"_a, "text_a"_a, "start_a"_a, "class_a"_a, "weight_a"_a,
        "hash_b"_a, "words_b"_a, "text_b"_a, "start_b"_a, "class_b"_a, "weight_b"_a, "separate"_a,
        "Merge two vocabularies. Return the union, the weights of both over it, added or separate, and the positions "
        "of their words in it.");
  m.def("find_vocabulary", &py_find_vocabulary, "index"_a, "hash"_a, "start"_a, "text"_a,
        "Return the position of every word of another vocabulary, -1 if absent.");
  m.def("take_words", &py_take_words, "hash"_a, "start"_a, "text"_a, "members"_a,
        "Return the starts, bytes and hashes of some words.");
  m.def("take_counts", &py_take_counts, "start"_a, "cls"_a, "weight"_a, "classes"_a, "members"_a,
        "Return the entries of some words, given by ascending position, and the weight of all others by class.");
  m.def("hash_words", &py_hash_words, "start"_a, "text"_a, "Return the hash of every word of a vocabulary.");
}

}  // namespace deciban
