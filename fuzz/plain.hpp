// The same terms and values as the kernels', found as slowly and plainly as possible: character by character, by name.
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

using Codes = std::vector<std::uint32_t>;

inline std::string utf8(const std::uint32_t* codes, std::size_t n) {
  std::string out;
  unsigned char bytes[4];
  for (std::size_t i = 0; i < n; ++i) out.append(bytes, deciban::encode_utf8(codes[i], bytes));
  return out;
}

inline Codes decoded(const deciban::Document& document) {
  Codes out;
  for (const unsigned char *p = document.data, *const end = p + document.size; p < end;) {
    const deciban::Character c = deciban::decode_utf8(p, end);
    CHECK(c.size >= 1 && c.size <= end - p);
    const std::string again = utf8(&c.code, 1);
    CHECK(c.code == deciban::kReplacement || (again.size() == static_cast<std::size_t>(c.size) &&
                                              std::memcmp(again.data(), p, again.size()) == 0));
    out.push_back(c.code);
    p += c.size;
  }
  return out;
}

inline bool ends_word(const Codes& text, std::size_t at, const deciban::Letters& letters) {
  std::size_t before = at, after = at + 1;
  while (before > 0 && letters.is(text[before - 1], deciban::kIgnorable)) --before;
  while (after < text.size() && letters.is(text[after], deciban::kIgnorable)) ++after;
  return before > 0 && letters.is(text[before - 1], deciban::kCased) &&
         !(after < text.size() && letters.is(text[after], deciban::kCased));
}

inline Codes lowered(const Codes& text, const deciban::Letters& letters) {
  Codes out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == deciban::kSigma)
      out.push_back(ends_word(text, i, letters) ? deciban::kFinalSigma : deciban::kSmallSigma);
    else
      out.push_back(letters.small(text[i]));
    if (text[i] == deciban::kDottedI) out.push_back(deciban::kDotAbove);
  }
  return out;
}

inline std::vector<std::string> words_of(const Codes& text, const deciban::Reading& how) {
  std::vector<std::string> out;
  const auto is_letter = [&](std::size_t i) { return i < text.size() && how.letters.is(text[i], deciban::kWord); };
  const auto joins = [&](std::size_t i) {
    return i > 0 && is_letter(i - 1) && is_letter(i + 1) && std::ranges::find(how.joiners, text[i]) != how.joiners.end();
  };
  for (std::size_t i = 0, begin = 0; i <= text.size(); ++i) {
    if (is_letter(i) || joins(i)) continue;
    if (i - begin >= 2) out.push_back(utf8(&text[begin], i - begin));
    begin = i + 1;
  }
  return out;
}

inline std::vector<std::string> characters_of(const Codes& text, const deciban::Letters& letters) {
  std::vector<std::string> out;
  for (std::size_t i = 0, end; i < text.size(); i = end) {
    for (end = i; end < text.size() && letters.is(text[end], deciban::kSpace);) ++end;
    out.push_back(end - i > 1 ? " " : utf8(&text[i], 1));
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

inline std::vector<std::string> terms_of(const deciban::Document& document, const deciban::Reading& how) {
  Codes text = decoded(document);
  if (how.lowercase) text = lowered(text, how.letters);
  const std::vector<std::string> parts = how.chars ? characters_of(text, how.letters) : words_of(text, how);
  std::vector<std::string> out;
  const auto add_run = [&](std::size_t first, std::size_t n) {
    std::string term = parts[first];
    for (std::size_t i = first + 1; i < first + n; ++i) term += (how.chars ? "" : " ") + parts[i];
    out.push_back(how.buckets ? bucket_of(term, how.buckets) : term);
  };
  const auto least = static_cast<std::size_t>(how.least), most = static_cast<std::size_t>(how.most);
  if (how.chars) {
    for (std::size_t n = least; n <= most; ++n)
      for (std::size_t i = 0; i + n <= parts.size(); ++i) add_run(i, n);
  } else {
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (std::size_t n = least; n <= most && i + n <= parts.size(); ++n) add_run(i, n);
  }
  return out;
}

// The distinct terms by first appearance, with their values.
inline std::vector<std::pair<std::string, double>> values_of(const std::vector<std::string>& terms,
                                                      const deciban::Weighing& how) {
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
    if (how.kind == deciban::Weighing::kPresence) value = 1.0;
    if (how.kind == deciban::Weighing::kLogarithm) value = 1.0 + std::log(value);
    squares += value * value;
  }
  for (auto& [term, value] : out)
    if (how.normalise) value /= std::sqrt(squares);
  return out;
}

}  // namespace fuzz
