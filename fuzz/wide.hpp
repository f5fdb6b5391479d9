// Characters as Python keeps them: encoded one by one, and read as if they had been UTF-8 all along.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/utf8.hpp"
#include "input.hpp"
#include "words/letters.hpp"
#include "words/tokenizer.hpp"

namespace fuzz {

template <class C>
void check_width(deciban::Bytes text, const deciban::Reading& reading) {
  Copies copies;
  std::vector<C> wide(static_cast<std::size_t>(text.size) / sizeof(C));
  if (!wide.empty()) std::memcpy(wide.data(), text.data, wide.size() * sizeof(C));
  std::vector<unsigned char> expected;
  for (C& c : wide) {
    if constexpr (sizeof(C) == 4) c %= 0x110000;
    const std::uint32_t code = c >= 0xD800 && c < 0xE000 ? '?' : c;
    unsigned char one[4];
    expected.insert(expected.end(), one, deciban::encode_utf8(code, one));
  }
  const deciban::Document document{copies.of(wide).data, static_cast<std::int64_t>(wide.size()), sizeof(C)};
  const deciban::Characters characters{document.data, document.size, document.width};
  std::vector<unsigned char> out(static_cast<std::size_t>(characters.max_bytes()));
  out.resize(static_cast<std::size_t>(deciban::encode_utf8(characters, out.data()) - out.data()));
  CHECK(out == expected);

  deciban::TermReader one(reading), other(reading);
  const auto found = one.read(document);
  const auto again = other.read({out.data(), static_cast<std::int64_t>(out.size())});
  CHECK(std::equal(found.begin(), found.end(), again.begin(), again.end(), [](const auto& a, const auto& b) {
    return a.hash == b.hash && a.size == b.size && !std::memcmp(a.data, b.data, a.size);
  }));
}

inline void check_wide(deciban::Bytes text, const deciban::Reading& reading) {
  check_width<std::uint8_t>(text, reading);
  check_width<std::uint16_t>(text, reading);
  check_width<std::uint32_t>(text, reading);
}

}  // namespace fuzz
