// Texts of JSON Lines: what is taken out and what is left is all there was, on any bytes; what was written is read.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "check.hpp"
#include "core/strings.hpp"
#include "files/json.hpp"

namespace fuzz {

inline std::vector<deciban::Document> taken_strings(const deciban::TakenOut& found, std::size_t member) {
  const deciban::TakenTexts& texts = found.members[member];
  const auto rows = static_cast<std::int64_t>(texts.valid.size());
  CHECK(texts.views.size() == 16 * texts.valid.size());
  return deciban::list_views({texts.views.data(), static_cast<std::int64_t>(texts.views.size())},
                             {{found.bytes.data(), static_cast<std::int64_t>(found.bytes.size())}},
                             {{nullptr, 0}, 0, rows});
}

inline std::optional<deciban::TakenOut> take(const std::vector<unsigned char>& text,
                                             const std::vector<std::string_view>& names) {
  return deciban::take_texts(text.data(), static_cast<std::int64_t>(text.size()), names);
}

inline void check_any_json(deciban::Bytes text) {
  const std::vector<std::string_view> names{"t", "label"};
  const auto found = deciban::take_texts(text.data, text.size, names);
  if (!found) return;
  const auto rows = found->members[0].valid.size();
  CHECK(found->members[1].valid.size() == rows);
  std::size_t bytes = 0;
  for (std::size_t m = 0; m < names.size(); ++m) {
    const auto strings = taken_strings(*found, m);
    for (std::size_t i = 0; i < rows; ++i) {
      CHECK(found->members[m].valid[i] || strings[i].size == 0);
      bytes += static_cast<std::size_t>(strings[i].size);
    }
  }
  CHECK(bytes == found->bytes.size());
  // Nothing is left to take.
  const auto again = take(found->rest, names);
  CHECK(again && again->rest == found->rest && again->bytes.size() == 0 && again->members[0].valid.size() == rows);
  for (const deciban::TakenTexts& member : again->members)
    CHECK(std::count(member.valid.begin(), member.valid.end(), 1) == 0);
}

// The text in pieces of a few bytes, as strings of objects.
inline void check_written_json(deciban::Bytes text, std::uint8_t settings) {
  const std::size_t step = 1 + settings % 61;
  std::vector<std::string> pieces;
  std::string written;
  for (std::size_t at = 0; at < static_cast<std::size_t>(text.size); at += step) {
    pieces.emplace_back(text.data + at, text.data + std::min(at + step, static_cast<std::size_t>(text.size)));
    written += settings & 64 ? "{\"n\":[1,{\"t\":\"]\"}] , \"t\":\"" : " {\"t\" : \"";
    for (const char c : pieces.back()) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
      const bool plain = static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\';
      written += plain ? std::string(1, c) : settings & 128 && c == '\n' ? "\\n" : code;
    }
    written += "\"}\n";
  }
  const auto found = take({written.begin(), written.end()}, {"t"});
  CHECK(found && found->members[0].valid.size() == pieces.size());
  const auto strings = taken_strings(*found, 0);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    CHECK(found->members[0].valid[i]);
    CHECK(std::string(strings[i].data, strings[i].data + strings[i].size) == pieces[i]);
  }
}

}  // namespace fuzz
