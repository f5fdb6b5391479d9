#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "bind/documents.hpp"
#include "bind/labels.hpp"
#include "bind/vocabulary.hpp"
#include "core/group.hpp"
#include "words/count_words.hpp"
#include "words/find_words.hpp"
#include "words/lifts.hpp"

namespace deciban {
namespace {

using ByteArray = Array1d<std::uint8_t>;
using IntArray = Array1d<std::int32_t>;
using LongArray = Array1d<std::int64_t>;
using DoubleArray = Array1d<double>;

// TokenizerOptions, and the tables of characters that they borrow.
struct OwnedOptions {
  TokenizerOptions options;
  nb::object kind, lower, plain, sequences;
};

// Returns tables of accents, or none; every sequence of characters must lie within its table.
Accents accents_view(const std::optional<Ints>& plain, const std::optional<Ints>& sequences) {
  require(plain.has_value() == sequences.has_value(), "accents need a table of characters and one of sequences");
  if (!plain) return {};
  const std::int32_t *p = plain->data(), *s = sequences->data();
  const std::int64_t n = length(*sequences);
  const auto is_character = [](std::int32_t c) { return c >= 0 && c < 0x110000; };
  for (std::int64_t c = 0; c < length(*plain); ++c) {
    if (is_character(p[c])) continue;
    const std::int64_t at = -1 - std::int64_t{p[c]};
    require(at >= 0 && at < n && s[at] >= 0 && s[at] <= 64 && at + s[at] < n, "a sequence of characters is not there");
    require(std::all_of(s + at + 1, s + at + 1 + s[at], is_character), "a sequence has more than characters");
  }
  return {p, s, length(*plain)};
}

OwnedOptions tokenizer_options(bool chars, bool lowercase, std::int64_t least, std::int64_t most, std::int64_t buckets,
                               std::vector<std::uint32_t> joiners, const Memory& kind, const Ints& lower,
                               const std::optional<Ints>& plain, const std::optional<Ints>& sequences,
                               bool within_words, bool positions) {
  require(least >= 1 && least <= most && most <= 64, "n-grams must have 1 to 64 parts");
  require(buckets >= 0 && buckets <= (std::int64_t{1} << 31), "there must be at most 2147483648 buckets");
  require(length(kind) == length(lower) && length(kind) >= 1024, "the tables of letters need one entry per character");
  const std::int32_t* l = lower.data();
  bool fine = true;
  for (std::int64_t c = 0; c < length(lower); ++c) fine &= l[c] >= 0 && l[c] < 0x110000 && (c >= 128 || l[c] < 128);
  require(fine, "the lower case of a character must be a character");
  const Letters letters{kind.data(), lower.data(), length(kind)};
  for (const std::uint32_t c : joiners)
    require(c < 0x110000 && !letters.is(c, kWord | kSpace), "joiners must be neither letters nor white space");
  require(!positions || (!chars && most == 1 && !buckets), "positions need terms that are single words");
  const Accents accents = accents_view(plain, sequences);
  return {{chars, lowercase, least, most, static_cast<std::uint64_t>(buckets), letters, std::move(joiners), accents,
           within_words, positions},
          nb::cast(kind),
          nb::cast(lower),
          plain ? nb::cast(*plain) : nb::none(),
          sequences ? nb::cast(*sequences) : nb::none()};
}

TermWeighting term_weighting(int kind, bool normalise) {
  require(kind >= 0 && kind <= 2, "kind must be occurrences, presence or logarithm");
  return {static_cast<TermWeighting::Kind>(kind), normalise};
}

std::tuple<Array1d<std::uint64_t>, LongArray, ByteArray, LongArray, IntArray, DoubleArray, DoubleArray, Array2d<double>>
py_count_words(const Documents& documents, const MaybeCodes& codes, const MaybeDoubles& row_weight,
               const MaybeMatrix& soft, std::int64_t classes, const OwnedOptions& tokenizer, int kind, bool normalise) {
  const auto rows = static_cast<std::int64_t>(documents.items().size());
  const Labels labels = labels_view(codes, row_weight, soft, classes, rows);
  const TermWeighting weighting = term_weighting(kind, normalise);
  CountedWords found = without_gil([&] {
    check_classes(labels);
    return count_words(documents.items(), labels, tokenizer.options, weighting);
  });
  return {to_numpy(std::move(found.words.hash)),
          to_numpy(std::move(found.words.word_start)),
          to_numpy(std::move(found.words.bytes)),
          to_numpy(std::move(found.counts.start)),
          to_numpy(std::move(found.counts.cls)),
          to_numpy(std::move(found.counts.weight)),
          to_numpy(std::move(found.documents)),
          to_numpy<2>(std::move(found.lengths), {static_cast<std::size_t>(classes), 3})};
}

void require_same_terms(const OwnedIndex& index, const OwnedOptions& tokenizer) {
  require((index.index.of_ngrams() != nullptr) == tokenizer.options.joins_words(),
          "the index must be made with the tokenizer's joins_words");
}

std::tuple<LongArray, IntArray, DoubleArray> py_find_words(const Documents& documents, const OwnedIndex& index,
                                                           const OwnedOptions& tokenizer, int kind, bool normalise) {
  const TermWeighting weighting = term_weighting(kind, normalise);
  require_same_terms(index, tokenizer);
  FoundWords found =
      without_gil([&] { return find_words(documents.items(), index.index, tokenizer.options, weighting); });
  return {to_numpy(std::move(found.start)), to_numpy(std::move(found.word)), to_numpy(std::move(found.value))};
}

std::tuple<LongArray, IntArray> py_place_terms(const Documents& documents, const OwnedIndex& index,
                                               const OwnedOptions& tokenizer) {
  const WordIndex* const terms = index.index.of_terms();
  require(terms && !tokenizer.options.joins_words(), "the terms must not be n-grams of words");
  TermPlaces found = without_gil([&] { return place_terms(documents.items(), *terms, tokenizer.options); });
  return {to_numpy(std::move(found.start)), to_numpy(std::move(found.word))};
}

WordTable py_word_scores(const Longs& start, const Ints& cls, const Doubles& entry, const Doubles& class_base,
                         const Doubles& scale, const Doubles& total, const MaybeDoubles& word_base,
                         const MaybeDoubles& gain) {
  const std::int64_t words = length(start) - 1, classes = length(class_base);
  require(words >= 0, "start needs one entry per word and one more");
  const WordCounts entries = counts_view(words, start, cls, entry);
  require_ascending_classes(entries, words, classes);
  require(length(scale) == classes && length(total) == classes, "every class needs a base, a scale and a total");
  require(!word_base || length(*word_base) == words, "every word needs a base");
  require(!gain || length(*gain) == words, "every word needs a gain");
  const WordScores scores{class_base.data(), scale.data(), total.data(), word_base ? word_base->data() : nullptr,
                          gain ? gain->data() : nullptr};
  return without_gil([&] { return WordTable(entries, words, classes, scores); });
}

void py_score_words(const Documents& documents, const OwnedIndex& index, const OwnedOptions& tokenizer, int kind,
                    bool normalise, const WordTable& table, Out2d out) {
  const TermWeighting weighting = term_weighting(kind, normalise);
  require_same_terms(index, tokenizer);
  require(out.shape(0) == documents.items().size(), "out needs one row per document");
  require(length(out, 1) == table.classes, "out needs one column per class");
  require(table.words == index.index.words(), "every word of the index needs its scores");
  without_gil([&] { score_words(documents.items(), index.index, tokenizer.options, weighting, table, out.data()); });
}

void py_add_left_out_lifts(const Longs& start, const Longs& line, const Doubles& value, const Doubles& total,
                           const Doubles& own, const Ints& cls, const In2d& share, const In2d& table, double pseudo,
                           double neutral, Out2d out) {
  const std::int64_t rows = length(start) - 1, entries = length(line), classes = length(table, 1);
  require(rows >= 0 && start.data()[0] == 0 && start.data()[rows] == entries && is_ascending(start.data(), rows),
          "every row needs its entries");
  require(length(value) == entries && length(total) == entries && length(own) == entries,
          "every entry needs a value, a total and an own count");
  require(length(cls) == rows, "every row needs a class");
  require_classes(cls, classes);
  require_shape(share, rows, classes, "share");
  require_shape(out, rows, classes, "out");
  bool fine = true;
  for (std::int64_t e = 0; e < entries; ++e) fine &= line.data()[e] >= 0 && line.data()[e] < length(table, 0);
  require(fine, "an entry has no line in the table");
  const LiftEntries found{start.data(), line.data(), value.data(), total.data(), own.data(), rows};
  const LiftCounts counts{table.data(), classes, pseudo, neutral};
  without_gil([&] { add_left_out_lifts(found, cls.data(), share.data(), counts, out.data()); });
}

}  // namespace

void bind_words(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<OwnedOptions>(m, "Tokenizer", "Options of the tokenizer.")
      .def_prop_ro(
          "joins_words", [](const OwnedOptions& t) { return t.options.joins_words(); },
          "Whether terms are n-grams of words, known by their text.");
  m.def("tokenizer", &tokenizer_options, "chars"_a, "lowercase"_a, "least"_a, "most"_a, "buckets"_a, "joiners"_a,
        "kind"_a, "lower"_a, "plain"_a = nb::none(), "sequences"_a = nb::none(), "within_words"_a = false,
        "positions"_a = false,
        "Return options of the tokenizer: n-grams of least to most words or characters, and tables of character "
        "classes and lower case by code point. plain has the character without accents by code point, or -1 - k for "
        "the sequences[k] characters after sequences[k]. within_words cuts n-grams of characters out of words with a "
        "space before and after them. positions writes the position of a word, from 1, and a colon before it.");
  nb::class_<WordTable>(m, "WordScores", "Parameters of the scores of documents.");
  m.def("word_scores", &py_word_scores, "start"_a, "cls"_a, "entry"_a, "class_base"_a, "scale"_a, "total"_a,
        "word_base"_a.none(), "gain"_a.none(),
        "Return the parameters of total + scale * sum of gain * (class_base + word_base + entry), where entries are "
        "sparse.");
  m.def("count_words", &py_count_words, "documents"_a, "codes"_a.none(), "row_weight"_a.none(), "soft"_a.none(),
        "classes"_a, "tokenizer"_a, "kind"_a, "normalise"_a,
        "Count words by class. Return a vocabulary, weights by word and class, documents per word, and lengths of "
        "documents by class.");
  m.def("find_words", &py_find_words, "documents"_a, "index"_a, "tokenizer"_a, "kind"_a, "normalise"_a,
        "Return the known words of every document and their values, as compressed rows.");
  m.def(
      "place_terms", &py_place_terms, "documents"_a, "index"_a, "tokenizer"_a,
      "Return the position in the vocabulary of every term of every document, in their order, -1 for an unknown term, "
      "and the offsets of documents among them.");
  m.def("score_words", &py_score_words, "documents"_a, "index"_a, "tokenizer"_a, "kind"_a, "normalise"_a, "scores"_a,
        "out"_a, "Add the scores of documents to out [documents × classes].");
  m.def("add_left_out_lifts", &py_add_left_out_lifts, "start"_a, "line"_a, "value"_a, "total"_a, "own"_a, "cls"_a,
        "share"_a, "table"_a, "pseudo"_a, "neutral"_a, "out"_a,
        "Add the lifts of documents that are left out to out [documents × classes]. Entries have a line of the table "
        "of counts, a value, and the total and own count of their word without the document.");
}

}  // namespace deciban
