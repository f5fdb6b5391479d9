#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>

#include "bind/documents.hpp"
#include "core/group.hpp"
#include "words/count_words.hpp"
#include "words/find_words.hpp"

namespace deciban {
namespace {

using Longs = In1d<std::int64_t>;

// How to read, with the tables of letters it borrows.
struct OwnedReading {
  Reading reading;
  nb::object kind, lower;
};

OwnedReading reading_of(bool chars, bool lowercase, std::int64_t least, std::int64_t most, std::int64_t buckets,
                        std::vector<std::uint32_t> joiners, const Memory& kind, const In1d<std::int32_t>& lower) {
  require(least >= 1 && least <= most && most <= 64, "runs have 1 to 64 parts");
  require(buckets >= 0 && buckets <= (std::int64_t{1} << 31), "there are at most 2147483648 buckets");
  require(kind.shape(0) == lower.shape(0) && kind.shape(0) >= 1024, "the tables of letters need one entry per character");
  bool fine = true;
  for (std::size_t c = 0; c < lower.shape(0); ++c)
    fine &= lower.data()[c] >= 0 && lower.data()[c] < 0x110000 && (c >= 128 || lower.data()[c] < 128);
  require(fine, "the lower case of a character must be a character");
  const Letters letters{kind.data(), lower.data(), static_cast<std::int64_t>(kind.shape(0))};
  for (const std::uint32_t c : joiners)
    require(c < 0x110000 && !letters.is(c, kWord | kSpace), "what joins words must be no letter and no white space");
  return {{chars, lowercase, least, most, static_cast<std::uint64_t>(buckets), letters, std::move(joiners)},
          nb::cast(kind), nb::cast(lower)};
}

Vocabulary vocabulary(const In1d<std::uint64_t>& hash, const Longs& start, const Memory& text) {
  const auto words = static_cast<std::int64_t>(hash.shape(0));
  require(static_cast<std::int64_t>(start.shape(0)) == words + 1, "start needs one entry per word and one more");
  const std::int64_t* s = start.data();
  require(s[0] == 0 && s[words] == static_cast<std::int64_t>(text.shape(0)), "words must fill their memory");
  bool fine = true;
  for (std::int64_t i = 0; i < words; ++i) fine &= (s[i] <= s[i + 1]) & (s[i + 1] - s[i] < UINT32_MAX);
  require(fine, "words must not overlap");
  return {hash.data(), s, text.data(), words};
}

struct OwnedIndex {
  nb::object hash, start, text;
  WordIndex index;
};

Counts counts(std::int64_t words, const Longs& start, const In1d<std::int32_t>& cls, const In1d<double>& weight) {
  require(static_cast<std::int64_t>(start.shape(0)) == words + 1, "start needs one entry per word and one more");
  const std::int64_t* s = start.data();
  const auto entries = static_cast<std::int64_t>(cls.shape(0));
  require(s[0] == 0 && s[words] == entries && weight.shape(0) == cls.shape(0), "entries need a class and a weight");
  bool fine = true;
  for (std::int64_t i = 0; i < words; ++i) fine &= s[i] <= s[i + 1];
  require(fine, "start must not decrease");
  return {s, cls.data(), weight.data()};
}

// Every word has an entry for some of so many classes, each once.
void require_classes(const Counts& entries, std::int64_t words, std::int64_t classes) {
  bool fine = true;
  for (std::int64_t i = 0; i < words; ++i)
    for (std::int64_t e = entries.start[i]; e < entries.start[i + 1]; ++e)
      fine &= (entries.cls[e] < classes) & (entries.cls[e] > (e > entries.start[i] ? entries.cls[e - 1] : -1));
  require(fine, "the classes of a word's entries must ascend");
}

Weighing weighing(int kind, bool normalise) {
  require(kind >= 0 && kind <= 2, "kind is occurrences, presence or logarithm");
  return {static_cast<Weighing::Kind>(kind), normalise};
}

nb::tuple py_count_words(const Documents& documents, const Codes& codes, const Weights& w, const Soft& soft,
                         std::int64_t classes, const OwnedReading& how, int kind, bool normalise) {
  const Labels who = labels(codes, w, soft, classes, static_cast<std::int64_t>(documents.items().size()));
  const Weighing weigh = weighing(kind, normalise);
  Counted found;
  {
    nb::gil_scoped_release release;
    check_classes(who);
    found = count_words(documents.items(), who, how.reading, weigh);
  }
  return nb::make_tuple(owned(std::move(found.words.hash)), owned(std::move(found.words.word_start)), owned(std::move(found.words.bytes)),
                        owned(std::move(found.counts.start)), owned(std::move(found.counts.cls)),
                        owned(std::move(found.counts.weight)), owned(std::move(found.documents)),
                        owned<2>(std::move(found.lengths), {static_cast<std::size_t>(classes), 3}));
}

nb::tuple py_find_words(const Documents& documents, const OwnedIndex& index, const OwnedReading& how, int kind,
                        bool normalise) {
  const Weighing weigh = weighing(kind, normalise);
  Found found;
  {
    nb::gil_scoped_release release;
    found = find_words(documents.items(), index.index, how.reading, weigh);
  }
  return nb::make_tuple(owned(std::move(found.start)), owned(std::move(found.word)), owned(std::move(found.value)));
}

// What classes say about words, checked once; the arrays are kept.
struct OwnedScores {
  std::vector<nb::object> owners;
  WordScores scores;
  WordTable table;
};

OwnedScores word_scores(const Longs& start, const In1d<std::int32_t>& cls, const In1d<double>& entry,
                        const In1d<double>& class_base, const In1d<double>& scale, const In1d<double>& total,
                        const std::optional<In1d<double>>& word_base) {
  const std::int64_t words = static_cast<std::int64_t>(start.shape(0)) - 1;
  const auto classes = static_cast<std::int64_t>(class_base.shape(0));
  require(words >= 0, "start needs one entry per word and one more");
  const Counts entries = counts(words, start, cls, entry);
  require_classes(entries, words, classes);
  for (const auto* a : {&scale, &total})
    require(static_cast<std::int64_t>(a->shape(0)) == classes, "every class needs a base, a scale and a total");
  require(!word_base || static_cast<std::int64_t>(word_base->shape(0)) == words, "every word needs a base");
  std::vector<nb::object> owners{nb::cast(class_base), nb::cast(scale), nb::cast(total)};
  if (word_base) owners.push_back(nb::cast(*word_base));
  return {std::move(owners),
          {class_base.data(), scale.data(), total.data(), word_base ? word_base->data() : nullptr, nullptr},
          WordTable(entries, words, classes)};
}

void py_score_words(const Documents& documents, const OwnedIndex& index, const OwnedReading& how, int kind,
                    bool normalise, const OwnedScores& table,
                    const std::optional<In1d<double>>& gain, Out2d out) {
  const Weighing weigh = weighing(kind, normalise);
  WordScores scores = table.scores;
  require(out.shape(0) == documents.items().size(), "out needs one row per document");
  require(static_cast<std::int64_t>(out.shape(1)) == table.table.classes, "out needs one column per class");
  require(table.table.words() == index.index.words(), "every word of the index needs its scores");
  require(!gain || static_cast<std::int64_t>(gain->shape(0)) == table.table.words(), "every word needs a gain");
  scores.gain = gain ? gain->data() : nullptr;
  nb::gil_scoped_release release;
  score_words(documents.items(), index.index, how.reading, weigh, table.table, scores, out.data());
}

nb::tuple py_merge_words(const In1d<std::uint64_t>& hash_a, const Longs& words_a, const Memory& text_a,
                         const Longs& start_a, const In1d<std::int32_t>& cls_a, const In1d<double>& weight_a,
                         const In1d<std::uint64_t>& hash_b, const Longs& words_b, const Memory& text_b,
                         const Longs& start_b, const In1d<std::int32_t>& cls_b, const In1d<double>& weight_b, bool apart) {
  const Vocabulary a = vocabulary(hash_a, words_a, text_a), b = vocabulary(hash_b, words_b, text_b);
  const Counts of_a = counts(a.words, start_a, cls_a, weight_a),
               of_b = counts(b.words, start_b, cls_b, weight_b);
  Merged found;
  {
    nb::gil_scoped_release release;
    found = merge_words(a, of_a, b, of_b, apart);
  }
  return nb::make_tuple(owned(std::move(found.words.hash)), owned(std::move(found.words.word_start)), owned(std::move(found.words.bytes)),
                        owned(std::move(found.counts.start)), owned(std::move(found.counts.cls)), owned(std::move(found.counts.weight)),
                        owned(std::move(found.weight_b)), owned(std::move(found.place_a)),
                        owned(std::move(found.place_b)));
}

nb::object py_find_vocabulary(const OwnedIndex& index, const In1d<std::uint64_t>& hash, const Longs& start,
                              const Memory& text) {
  const Vocabulary words = vocabulary(hash, start, text);
  std::vector<std::int64_t> found;
  for (std::int64_t i = 0; i < words.words; ++i)
    found.push_back(index.index.find({words.word(i), words.hash[i], static_cast<std::uint32_t>(words.size(i))}));
  return owned(std::move(found));
}

nb::tuple py_take_words(const In1d<std::uint64_t>& hash, const Longs& start, const Memory& text, const Longs& members) {
  VocabularyArrays<Buffer> found;
  {
    nb::gil_scoped_release release;
    found = take_words(vocabulary(hash, start, text), members.data(), static_cast<std::int64_t>(members.shape(0)));
  }
  return nb::make_tuple(owned(std::move(found.word_start)), owned(std::move(found.bytes)), owned(std::move(found.hash)));
}

nb::tuple py_take_counts(const Longs& start, const In1d<std::int32_t>& cls, const In1d<double>& weight,
                         std::int64_t classes, const Longs& members) {
  require(start.shape(0) > 0, "start needs one entry per word and one more");
  const auto words = static_cast<std::int64_t>(start.shape(0)) - 1;
  TakenCounts found;
  {
    nb::gil_scoped_release release;
    const Counts entries = counts(words, start, cls, weight);
    require_classes(entries, words, classes);
    found = take_counts(entries, words, classes, members.data(), static_cast<std::int64_t>(members.shape(0)));
  }
  return nb::make_tuple(owned(std::move(found.counts.start)), owned(std::move(found.counts.cls)),
                        owned(std::move(found.counts.weight)), owned(std::move(found.others)));
}

nb::object py_hash_words(const Longs& start, const Memory& text) {
  const auto words = static_cast<std::int64_t>(start.shape(0) ? start.shape(0) - 1 : 0);
  const std::int64_t* s = start.data();
  bool fine = true;
  for (std::int64_t i = 0; i < words; ++i)
    fine &= s[i] >= 0 && s[i] <= s[i + 1] && s[i + 1] <= static_cast<std::int64_t>(text.shape(0));
  require(fine, "words must lie within their memory");
  std::vector<std::uint64_t> hash(static_cast<std::size_t>(words));
  hash_words(text.data(), s, words, hash.data());
  return owned(std::move(hash));
}

}  // namespace

void bind_words(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<OwnedReading>(m, "Reading", "How documents become terms.");
  m.def("reading", &reading_of, "chars"_a, "lowercase"_a, "least"_a, "most"_a, "buckets"_a, "joiners"_a, "kind"_a,
        "lower"_a,
        "Words or characters, in runs of least to most; tables of letters by code point.");
  nb::class_<OwnedIndex>(m, "WordIndex", "Where each word of a vocabulary is.");
  m.def("word_index", [](const In1d<std::uint64_t>& hash, const Longs& start, const Memory& text,
                         const std::optional<Longs>& order) {
    const Vocabulary words = vocabulary(hash, start, text);
    if (order) {
      require(order->shape(0) == hash.shape(0), "order needs every word once");
      for (std::int64_t i = 0; i < words.words; ++i)
        if (order->data()[i] < 0 || order->data()[i] >= words.words) throw nb::value_error("order has no such word");
    }
    return OwnedIndex{nb::cast(hash), nb::cast(start), nb::cast(text), WordIndex(words, order ? order->data() : nullptr)};
  }, "hash"_a, "start"_a, "text"_a, "order"_a.none(), "An index of a vocabulary; the first words in order are found first.");
  m.def("count_words", &py_count_words, "documents"_a, "codes"_a.none(), "row_weight"_a.none(), "soft"_a.none(),
        "classes"_a, "reading"_a, "kind"_a, "normalise"_a,
        "Count words by class; returns a vocabulary, weights by word and class, documents per word, and lengths.");
  m.def("find_words", &py_find_words, "documents"_a, "index"_a, "reading"_a, "kind"_a, "normalise"_a,
        "The known words of every document, compressed by row.");
  nb::class_<OwnedScores>(m, "WordScores", "What classes say about words.");
  m.def("word_scores", &word_scores, "start"_a, "class"_a, "entry"_a, "class_base"_a, "scale"_a, "total"_a,
        "word_base"_a.none(), "total + scale * (class_base + word_base + entry), with entries for some classes of a word.");
  m.def("score_words", &py_score_words, "documents"_a, "index"_a, "reading"_a, "kind"_a, "normalise"_a,
        "scores"_a, "gain"_a.none(), "out"_a, "Add what classes say about documents to out.");
  m.def("merge_words", &py_merge_words, "hash_a"_a, "words_a"_a, "text_a"_a, "start_a"_a, "class_a"_a, "weight_a"_a,
        "hash_b"_a, "words_b"_a, "text_b"_a, "start_b"_a, "class_b"_a, "weight_b"_a, "apart"_a,
        "The union of two vocabularies, with the weights of both over it, added or apart, and where their words went.");
  m.def("find_vocabulary", &py_find_vocabulary, "index"_a, "hash"_a, "start"_a, "text"_a,
        "Where each word of another vocabulary is, -1 where it is not.");
  m.def("take_words", &py_take_words, "hash"_a, "start"_a, "text"_a, "members"_a,
        "Some of the words: where each begins, their text, their hashes.");
  m.def("take_counts", &py_take_counts, "start"_a, "cls"_a, "weight"_a, "classes"_a, "members"_a,
        "The entries of some of the words, which ascend, and the weight of all others in each class.");
  m.def("hash_words", &py_hash_words, "start"_a, "text"_a, "The hash of every word of a vocabulary.");
}

}  // namespace deciban
