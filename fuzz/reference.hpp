// A reference implementation of terms and values, as simple as possible: character by character, with strings as keys.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "check.hpp"
#include "words/bag.hpp"

namespace fuzz {

using CodePoints = std::vector<std::uint32_t>;

inline std::string encode(const std::uint32_t* codes, std::size_t n) {
  std::string out;
  unsigned char bytes[4];
  for (std::size_t i = 0; i < n; ++i) out.append(bytes, deciban::encode_utf8(codes[i], bytes));
  return out;
}

inline CodePoints decode(const deciban::Document& document) {
  CodePoints out;
  for (const unsigned char *p = document.data, *const end = p + document.size; p < end;) {
    const deciban::Character c = deciban::decode_utf8(p, end);
    CHECK(c.size >= 1 && c.size <= end - p);
    const std::string bytes = encode(&c.code, 1);
    CHECK(c.code == deciban::kReplacement ||
          (bytes.size() == static_cast<std::size_t>(c.size) && std::memcmp(bytes.data(), p, bytes.size()) == 0));
    out.push_back(c.code);
    p += c.size;
  }
  return out;
}

// Whether the character at `at` ends a word in the sense of the final sigma.
inline bool ends_word(const CodePoints& text, std::size_t at, const deciban::Letters& letters) {
  std::size_t before = at, after = at + 1;
  while (before > 0 && letters.is(text[before - 1], deciban::kIgnorable)) --before;
  while (after < text.size() && letters.is(text[after], deciban::kIgnorable)) ++after;
  return before > 0 && letters.is(text[before - 1], deciban::kCased) &&
         !(after < text.size() && letters.is(text[after], deciban::kCased));
}

inline CodePoints to_lower(const CodePoints& text, const deciban::Letters& letters) {
  CodePoints out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == deciban::kSigma)
      out.push_back(ends_word(text, i, letters) ? deciban::kFinalSigma : deciban::kSmallSigma);
    else
      out.push_back(letters.to_lower(text[i]));
    if (text[i] == deciban::kDottedI) out.push_back(deciban::kDotAbove);
  }
  return out;
}

inline CodePoints without_accents(const CodePoints& text, const deciban::Accents& accents) {
  CodePoints out;
  for (const std::uint32_t c : text) accents.strip(c, [&](std::uint32_t plain) { out.push_back(plain); });
  return out;
}

// Returns the words between white space, each with a space before and after it.
inline std::vector<std::vector<std::string>> words_in_spaces(const CodePoints& text, const deciban::Letters& letters) {
  std::vector<std::vector<std::string>> out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (letters.is(text[i], deciban::kSpace)) continue;
    out.push_back({" "});
    for (; i < text.size() && !letters.is(text[i], deciban::kSpace); ++i) out.back().push_back(encode(&text[i], 1));
    out.back().push_back(" ");
  }
  return out;
}

inline std::vector<std::string> split_words(const CodePoints& text, const deciban::TokenizerOptions& options) {
  std::vector<std::string> out;
  const auto is_letter = [&](std::size_t i) { return i < text.size() && options.letters.is(text[i], deciban::kWord); };
  const auto is_joiner = [&](std::size_t i) {
    return i > 0 && is_letter(i - 1) && is_letter(i + 1) &&
           std::ranges::find(options.joiners, text[i]) != options.joiners.end();
  };
  for (std::size_t i = 0, begin = 0; i <= text.size(); ++i) {
    if (is_letter(i) || is_joiner(i)) continue;
    if (i - begin >= 2) out.push_back(encode(&text[begin], i - begin));
    begin = i + 1;
  }
  return out;
}

inline std::vector<std::string> split_characters(const CodePoints& text, const deciban::Letters& letters) {
  std::vector<std::string> out;
  for (std::size_t i = 0, end; i < text.size(); i = end) {
    for (end = i; end < text.size() && letters.is(text[end], deciban::kSpace);) ++end;
    out.push_back(end - i > 1 ? " " : encode(&text[i], 1));
    if (end == i) ++end;
  }
  return out;
}

inline std::string bucket_of(const std::string& term, std::uint64_t buckets) {
  const std::uint64_t hash =
      deciban::hash_term(reinterpret_cast<const unsigned char*>(term.data()), static_cast<std::int64_t>(term.size()));
  const auto number = static_cast<std::uint32_t>(static_cast<unsigned __int128>(hash) * buckets >> 64);
  CHECK(number < buckets);
  return std::string(reinterpret_cast<const char*>(&number), sizeof number);
}

inline std::vector<std::string> terms_of(const deciban::Document& document, const deciban::TokenizerOptions& options) {
  CodePoints text = decode(document);
  if (options.lowercase) text = to_lower(text, options.letters);
  if (options.accents.plain) text = without_accents(text, options.accents);
  std::vector<std::string> parts, out;
  const auto add_ngram = [&](std::size_t first, std::size_t n) {
    std::string term = parts[first];
    for (std::size_t i = first + 1; i < first + n; ++i) term += (options.chars ? "" : " ") + parts[i];
    out.push_back(options.buckets ? bucket_of(term, options.buckets) : term);
  };
  const auto min_n = static_cast<std::size_t>(options.min_n), max_n = static_cast<std::size_t>(options.max_n);
  const auto add_characters = [&](std::size_t shortest) {
    for (std::size_t n = shortest; n <= max_n; ++n)
      for (std::size_t i = 0; i + n <= parts.size(); ++i) add_ngram(i, n);
  };
  if (options.within_words) {
    for (const auto& word : words_in_spaces(text, options.letters)) {
      parts = word;
      add_characters(std::min(min_n, word.size()));
    }
  } else if (options.chars) {
    parts = split_characters(text, options.letters);
    add_characters(min_n);
  } else {
    parts = split_words(text, options);
    for (std::size_t i = 0; options.positions && i < parts.size(); ++i)
      parts[i] = std::to_string(i + 1) + ":" + parts[i];
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (std::size_t n = min_n; n <= max_n && i + n <= parts.size(); ++n) add_ngram(i, n);
  }
  return out;
}

// Returns the distinct terms by first appearance, with their values.
inline std::vector<std::pair<std::string, double>> values_of(const std::vector<std::string>& terms,
                                                             const deciban::TermWeighting& weighting) {
  std::vector<std::pair<std::string, double>> out;
  std::unordered_map<std::string, std::size_t> place;
  for (const std::string& term : terms) {
    if (const auto [at, is_new] = place.emplace(term, out.size()); is_new)
      out.emplace_back(term, 1.0);
    else
      ++out[at->second].second;
  }
  double squares = 0;
  for (auto& [term, value] : out) {
    if (weighting.kind == deciban::TermWeighting::kPresence) value = 1.0;
    if (weighting.kind == deciban::TermWeighting::kLogarithm) value = 1.0 + std::log(value);
    squares += value * value;
  }
  const double length = weighting.normalise ? std::sqrt(squares) : 1.0;
  // Values are rounded, so that their sums are exact.
  for (auto& [term, value] : out) value = std::max(1.0, std::rint(value / length * 0x1p24)) / 0x1p24;
  return out;
}

}  // namespace fuzz
