// Strings in Python's memory: encoded as a whole as one by one, and tokenized like the same text in UTF-8.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/utf8.hpp"
#include "input.hpp"
#include "words/tokenizer.hpp"

namespace fuzz {

template <class C>
void check_width(deciban::Bytes text, const deciban::TokenizerOptions& options) {
  Copies copies;
  std::vector<C> characters(static_cast<std::size_t>(text.size) / sizeof(C));
  if (!characters.empty()) std::memcpy(characters.data(), text.data, characters.size() * sizeof(C));
  std::vector<unsigned char> expected;
  for (C& c : characters) {
    if constexpr (sizeof(C) == 4) c %= 0x110000;
    const std::uint32_t code = c >= 0xD800 && c < 0xE000 ? '?' : c;
    unsigned char bytes[4];
    expected.insert(expected.end(), bytes, deciban::encode_utf8(code, bytes));
  }
  const deciban::Document wide{copies.copy(characters).data, static_cast<std::int64_t>(characters.size()), sizeof(C)};
  const deciban::Characters string{wide.data, wide.size, wide.width};
  std::vector<unsigned char> utf8(static_cast<std::size_t>(string.max_bytes()));
  utf8.resize(static_cast<std::size_t>(deciban::encode_utf8(string, utf8.data()) - utf8.data()));
  CHECK(utf8 == expected);

  deciban::Tokenizer wide_tokenizer(options), utf8_tokenizer(options);
  const auto wide_terms = wide_tokenizer.read(wide);
  const auto utf8_terms = utf8_tokenizer.read({utf8.data(), static_cast<std::int64_t>(utf8.size())});
  const auto same = [](const deciban::Term& a, const deciban::Term& b) {
    return a.hash == b.hash && a.size == b.size && !std::memcmp(a.data, b.data, a.size);
  };
  CHECK(std::equal(wide_terms.begin(), wide_terms.end(), utf8_terms.begin(), utf8_terms.end(), same));
}

inline void check_widths(deciban::Bytes text, const deciban::TokenizerOptions& options) {
  check_width<std::uint8_t>(text, options);
  check_width<std::uint16_t>(text, options);
  check_width<std::uint32_t>(text, options);
}

}  // namespace fuzz
