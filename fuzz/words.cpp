// Fuzz target of the text kernels: documents are tokenized, counted, found, scored and merged, and the results compared
// with a reference implementation.
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "input.hpp"
#include "json.hpp"
#include "lines.hpp"
#include "reference.hpp"
#include "strings.hpp"
#include "utf8.hpp"
#include "words/find_words.hpp"

namespace fuzz {
namespace {

using namespace deciban;

template <class T>
HugeVector<T> values(const Buffer<T>& from) {
  return {from.data(), from.data() + from.size()};
}

// A counted vocabulary, checked, and the position of every word.
struct Words {
  CountedWords counted;
  Vocabulary vocabulary;
  std::vector<std::string> names;
  std::unordered_map<std::string, std::int64_t> place;

  explicit Words(CountedWords&& from) : counted(std::move(from)) {
    const auto n = static_cast<std::int64_t>(counted.words.hash.size());
    CHECK(counted.words.word_start.size() == counted.words.hash.size() + 1 && counted.words.word_start.front() == 0);
    CHECK(counted.words.word_start.back() == static_cast<std::int64_t>(counted.words.bytes.size()));
    vocabulary = {counted.words.hash.data(), counted.words.word_start.data(), counted.words.bytes.data(), n};
    for (std::int64_t i = 0; i < n; ++i) {
      names.emplace_back(vocabulary.word(i), vocabulary.word(i) + vocabulary.size(i));
      place.emplace(names.back(), i);
      CHECK(hash_term(vocabulary.word(i), vocabulary.size(i)) == vocabulary.hash[i]);
      if (!i) continue;
      const std::uint64_t before = vocabulary.hash[i - 1], hash = vocabulary.hash[i];
      CHECK(before < hash || (before == hash && names[static_cast<std::size_t>(i - 1)] < names.back()));
    }
    check_entries(counted.counts.start, counted.counts.cls);
    CHECK(counted.counts.weight.size() == counted.counts.cls.size());
  }

  WordCounts counts() const {
    return {counted.counts.start.data(), counted.counts.cls.data(), counted.counts.weight.data()};
  }

  void check_entries(const HugeVector<std::int64_t>& start, const HugeVector<std::int32_t>& cls) const {
    CHECK(start.size() == names.size() + 1 && start.front() == 0);
    CHECK(start.back() == static_cast<std::int64_t>(cls.size()));
    for (std::size_t i = 0; i < names.size(); ++i) {
      CHECK(start[i] < start[i + 1]);
      for (std::int64_t e = start[i] + 1; e < start[i + 1]; ++e)
        CHECK(cls[static_cast<std::size_t>(e) - 1] < cls[static_cast<std::size_t>(e)]);
    }
  }
};

class Comparison {
 public:
  explicit Comparison(const Input& input) : in_(input), half_(input.documents.size() / 2) {}

  void check_all() {
    check_terms();
    const std::size_t n = in_.documents.size();
    exact_ = in_.integer_weights && in_.weighting.kind != TermWeighting::kLogarithm && !in_.weighting.normalise;
    const Words whole(count(0, n)), a(count(0, half_)), b(count(half_, n - half_));
    check_counts(whole);
    check_taken(whole);
    check_merge(whole, a, b);
    check_merge(whole, b, a);
    check_look_up(in_.half_known ? a : whole);
  }

 private:
  CountedWords count(std::size_t first, std::size_t n) const {
    const auto from = in_.documents.begin() + static_cast<std::ptrdiff_t>(first);
    return count_words({from, from + static_cast<std::ptrdiff_t>(n)}, in_.labels(first, n), in_.options, in_.weighting);
  }

  bool same(double a, double b) const { return exact_ ? a == b : close(a, b, std::abs(a) + std::abs(b)); }

  // One tokenizer reads all documents: nothing of one may show in the next.
  void check_terms() {
    Tokenizer tokenizer(in_.options);
    for (const Document& document : in_.documents) {
      terms_.emplace_back();
      if (!document.data) continue;
      terms_.back() = terms_of(document, in_.options);
      const std::span<const Term> found = tokenizer.read(document);
      CHECK(found.size() == terms_.back().size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        CHECK(std::string(found[i].data, found[i].data + found[i].size) == terms_.back()[i]);
        CHECK(hash_term(found[i].data, found[i].size) == found[i].hash);
      }
    }
  }

  void check_counts(const Words& words) const {
    std::map<std::string, std::map<std::int32_t, double>> weight;
    std::map<std::string, double> documents;
    std::vector<double> lengths(static_cast<std::size_t>(3 * in_.classes));
    for (std::size_t row = 0; row < terms_.size(); ++row) {
      if (!in_.documents[row].data) continue;
      const auto values = values_of(terms_[row], in_.weighting);
      const auto length = static_cast<double>(terms_[row].size());
      for (std::int32_t c = 0; c < in_.classes; ++c) {
        const double w = in_.weight_of(row, c);
        if (w == 0) continue;
        double* const length_sums = &lengths[static_cast<std::size_t>(3 * c)];
        length_sums[0] += w, length_sums[1] += w * length, length_sums[2] += w * length * length;
        for (const auto& [name, value] : values) weight[name][c] += w * value, documents[name] += w;
      }
    }
    CHECK(words.names.size() == weight.size());
    for (const auto& [name, entries] : weight) {
      const auto found = words.place.find(name);
      CHECK(found != words.place.end());
      const auto at = static_cast<std::size_t>(found->second);
      auto e = static_cast<std::size_t>(words.counted.counts.start[at]);
      CHECK(words.counted.counts.start[at + 1] - words.counted.counts.start[at] ==
            static_cast<std::int64_t>(entries.size()));
      for (const auto& [cls, total] : entries) {
        CHECK(words.counted.counts.cls[e] == cls);
        CHECK(same(words.counted.counts.weight[e++], total));
      }
      CHECK(words.counted.documents.size() == (in_.weighting.is_count() ? 0 : words.names.size()));
      if (!in_.weighting.is_count()) CHECK(close(words.counted.documents[at], documents[name], documents[name]));
    }
    CHECK(words.counted.lengths.size() == lengths.size());
    for (std::size_t i = 0; i < lengths.size(); ++i) CHECK(close(words.counted.lengths[i], lengths[i], lengths[i]));
  }

  // Takes every third word: the weights of these and of all others add up to the whole.
  void check_taken(const Words& whole) const {
    std::vector<std::int64_t> members;
    for (std::size_t i = 0; i < whole.names.size(); i += 3) members.push_back(static_cast<std::int64_t>(i));
    TakenCounts counts = take_counts(whole.counts(), whole.vocabulary.words, in_.classes, members.data(),
                                     static_cast<std::int64_t>(members.size()));
    VocabularyArrays<Buffer> words =
        take_words(whole.vocabulary, members.data(), static_cast<std::int64_t>(members.size()));
    const auto hash = values(words.hash);
    CHECK(hash.size() == members.size() &&
          values(words.word_start).back() == static_cast<std::int64_t>(values(words.bytes).size()));
    for (std::size_t i = 0; i < members.size(); ++i) CHECK(hash[i] == whole.vocabulary.hash[members[i]]);
    const auto start = values(counts.counts.start);
    const auto cls = values(counts.counts.cls);
    const auto weight = values(counts.counts.weight);
    CHECK(start.size() == members.size() + 1 && start.front() == 0 && cls.size() == weight.size());
    std::vector<double> sum = counts.others, all(sum.size());
    for (std::size_t e = 0; e < cls.size(); ++e) sum.at(static_cast<std::size_t>(cls[e])) += weight[e];
    for (std::size_t e = 0; e < whole.counted.counts.cls.size(); ++e)
      all.at(static_cast<std::size_t>(whole.counted.counts.cls[e])) += whole.counted.counts.weight[e];
    for (std::size_t c = 0; c < all.size(); ++c) CHECK(close(sum[c], all[c], all[c]));
    for (std::size_t i = 0; i < members.size(); ++i) {
      const auto first = whole.counted.counts.start[static_cast<std::size_t>(members[i])];
      CHECK(start[i + 1] - start[i] == whole.counted.counts.start[static_cast<std::size_t>(members[i]) + 1] - first);
      for (std::int64_t e = start[i]; e < start[i + 1]; ++e)
        CHECK(weight[static_cast<std::size_t>(e)] ==
              whole.counted.counts.weight[static_cast<std::size_t>(first + e - start[i])]);
    }
  }

  void check_merge(const Words& whole, const Words& a, const Words& b) const {
    for (const bool separate : {false, true}) {
      MergedWords merged = merge_words(a.vocabulary, a.counts(), b.vocabulary, b.counts(), separate);
      CHECK(values(merged.words.hash) == whole.counted.words.hash);
      CHECK(values(merged.words.word_start) == whole.counted.words.word_start);
      CHECK(values(merged.words.bytes) == whole.counted.words.bytes);
      CHECK(values(merged.counts.start) == whole.counted.counts.start);
      CHECK(values(merged.counts.cls) == whole.counted.counts.cls);
      const HugeVector<double> weight_a = values(merged.counts.weight), weight_b = values(merged.weight_b);
      CHECK(weight_a.size() == whole.counted.counts.weight.size() &&
            weight_b.size() == (separate ? weight_a.size() : 0));
      for (std::size_t e = 0; e < weight_a.size(); ++e)
        CHECK(same(separate ? weight_a[e] + weight_b[e] : weight_a[e], whole.counted.counts.weight[e]));
      for (const auto& [place, part] : {std::pair{values(merged.place_a), &a}, std::pair{values(merged.place_b), &b}}) {
        CHECK(place.size() == part->names.size());
        for (std::size_t i = 0; i < place.size(); ++i)
          CHECK(whole.names.at(static_cast<std::size_t>(place[i])) == part->names[i]);
      }
    }
  }

  void check_look_up(const Words& words) const {
    std::vector<std::int64_t> order(words.names.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(order.size() - 1 - i);
    const WordIndex index(words.vocabulary, in_.by_frequency ? order.data() : nullptr);
    CHECK(index.words() == words.vocabulary.words);
    for (std::int64_t i = 0; i < index.words(); ++i)
      CHECK(index.find({words.vocabulary.word(i), words.vocabulary.hash[i],
                        static_cast<std::uint32_t>(words.vocabulary.size(i))}) == i);

    const TermIndex terms(words.vocabulary, in_.by_frequency ? order.data() : nullptr, in_.options.joins_words());
    CHECK(terms.words() == words.vocabulary.words);
    const FoundWords found = find_words(in_.documents, terms, in_.options, in_.weighting);
    check_found(found, words);
    if (terms.of_terms()) check_places(place_terms(in_.documents, *terms.of_terms(), in_.options), words);
    check_scores(found, words, terms);
  }

  void check_found(const FoundWords& found, const Words& words) const {
    CHECK(found.start.size() == terms_.size() + 1 && found.start.front() == 0);
    CHECK(found.start.back() == static_cast<std::int64_t>(found.word.size()));
    CHECK(found.word.size() == found.value.size());
    for (std::size_t row = 0; row < terms_.size(); ++row) {
      std::vector<std::string> known;
      for (const std::string& term : terms_[row])
        if (words.place.count(term)) known.push_back(term);
      auto expected = values_of(known, in_.weighting);
      if (in_.weighting.is_count()) {
        expected.clear();
        for (const std::string& term : known) expected.emplace_back(term, 1.0);
      }
      auto at = static_cast<std::size_t>(found.start[row]);
      CHECK(found.start[row + 1] - found.start[row] == static_cast<std::int64_t>(expected.size()));
      double sum = 0;
      for (const auto& [name, value] : expected) {
        CHECK(words.names.at(static_cast<std::size_t>(found.word[at])) == name);
        CHECK(close(found.value[at], value, value));
        sum += found.value[at++];
      }
      if (in_.weighting.is_count()) CHECK(sum == static_cast<double>(known.size()));
    }
  }

  void check_places(const TermPlaces& found, const Words& words) const {
    CHECK(found.start.size() == terms_.size() + 1 && found.start.front() == 0);
    CHECK(found.start.back() == static_cast<std::int64_t>(found.word.size()));
    for (std::size_t row = 0, at = 0; row < terms_.size(); ++row) {
      CHECK(found.start[row + 1] - found.start[row] == static_cast<std::int64_t>(terms_[row].size()));
      for (const std::string& term : terms_[row]) {
        const auto place = words.place.find(term);
        CHECK(found.word[at++] == (place == words.place.end() ? -1 : place->second));
      }
    }
  }

  void check_scores(const FoundWords& found, const Words& words, const TermIndex& index) const {
    const auto classes = static_cast<std::size_t>(in_.classes);
    std::vector<double> class_base, scale, total, word_base, gain;
    for (std::size_t c = 0; c < classes; ++c) {
      class_base.push_back(-1.5 - static_cast<double>(c));
      scale.push_back(c % 3 ? 0.25 : -1.0);
      total.push_back(0.125 * static_cast<double>(c));
    }
    for (std::size_t i = 0; i < words.names.size(); ++i) {
      word_base.push_back(static_cast<double>(i % 5) - 2.0);
      gain.push_back(0.5 + static_cast<double>(i % 3));
    }
    const WordScores scores{class_base.data(), scale.data(), total.data(), in_.word_base ? word_base.data() : nullptr,
                            in_.gain ? gain.data() : nullptr};
    const WordTable table(words.counts(), words.vocabulary.words, in_.classes, scores);
    CHECK(table.words == words.vocabulary.words);
    std::vector<double> out(terms_.size() * classes, 1.0);
    score_words(in_.documents, index, in_.options, in_.weighting, table, out.data());
    for (std::size_t row = 0; row < terms_.size(); ++row) {
      std::vector<double> sum(classes, 0.0), size(classes, 0.0);
      const auto end = static_cast<std::size_t>(found.start[row + 1]);
      for (auto at = static_cast<std::size_t>(found.start[row]); at < end; ++at) {
        const auto word = static_cast<std::size_t>(found.word[at]);
        const double value = found.value[at] * (in_.gain ? gain[word] : 1.0);
        const auto add = [&](std::size_t c, double x) { sum[c] += value * x, size[c] += std::abs(value * x); };
        for (std::size_t c = 0; c < classes; ++c) add(c, class_base[c]), add(c, in_.word_base ? word_base[word] : 0.0);
        for (auto e = words.counted.counts.start[word]; e < words.counted.counts.start[word + 1]; ++e)
          add(static_cast<std::size_t>(words.counted.counts.cls[static_cast<std::size_t>(e)]),
              words.counted.counts.weight[static_cast<std::size_t>(e)]);
      }
      for (std::size_t c = 0; c < classes; ++c) {
        const double added = in_.documents[row].data ? total[c] + scale[c] * sum[c] : 0.0;
        CHECK(close(out[row * classes + c], 1.0 + added, 1.0 + total[c] + size[c]));
      }
    }
  }

  const Input& in_;
  std::size_t half_;
  bool exact_ = false;                           // sums do not round
  std::vector<std::vector<std::string>> terms_;  // by document
};

}  // namespace
}  // namespace fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::Input input(data, size);
  fuzz::Comparison(input).check_all();
  const std::uint8_t choice = size > 7 ? data[7] : 0;
  fuzz::check_rows(input.text, choice);
  fuzz::check_lines(input.text);
  fuzz::check_any_json(input.text);
  fuzz::check_written_json(input.text, choice);
  fuzz::check_strings(input.text, choice);
  fuzz::check_widths(input.text, input.options);
  return 0;
}
