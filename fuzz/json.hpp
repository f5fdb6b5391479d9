// Strings of JSON Lines: nothing is lost on any bytes, and strings that were written are read.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "check.hpp"
#include "core/strings.hpp"
#include "files/json.hpp"

namespace fuzz {

inline std::vector<deciban::Document> member_strings(const deciban::TakenTexts& found, std::size_t member) {
  const deciban::TakenColumn& column = found.members[member];
  const auto rows = static_cast<std::int64_t>(column.valid.size());
  CHECK(column.views.size() == 16 * column.valid.size());
  return deciban::list_views({column.views.data(), static_cast<std::int64_t>(column.views.size())},
                             {{found.bytes.data(), static_cast<std::int64_t>(found.bytes.size())}},
                             {{nullptr, 0}, 0, rows});
}

inline std::optional<deciban::TakenTexts> take(const std::vector<unsigned char>& text,
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
    const auto strings = member_strings(*found, m);
    for (std::size_t i = 0; i < rows; ++i) {
      CHECK(found->members[m].valid[i] || strings[i].size == 0);
      bytes += static_cast<std::size_t>(strings[i].size);
    }
  }
  CHECK(bytes == found->bytes.size());
  // The rest has no strings to take.
  const auto rest = take(found->rest, names);
  CHECK(rest && rest->rest == found->rest && rest->bytes.size() == 0 && rest->members[0].valid.size() == rows);
  for (const deciban::TakenColumn& member : rest->members)
    CHECK(std::count(member.valid.begin(), member.valid.end(), 1) == 0);
}

// Writes a string with escapes.
inline std::string escaped(const std::string& text, bool short_escapes) {
  std::string out;
  for (const char c : text) {
    char code[8];
    std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    const bool plain = static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\';
    out += plain ? std::string(1, c) : short_escapes && c == '\n' ? "\\n" : code;
  }
  return out;
}

// Writes the text in pieces of a few bytes as strings of objects, and reads them.
inline void check_written_json(deciban::Bytes text, std::uint8_t settings) {
  const std::size_t step = 1 + settings % 61, size = static_cast<std::size_t>(text.size);
  std::vector<std::string> pieces;
  std::string json;
  for (std::size_t at = 0; at < size; at += step) {
    pieces.emplace_back(text.data + at, text.data + std::min(at + step, size));
    json += settings & 64 ? "{\"n\":[1,{\"t\":\"]\"}] , \"t\":\"" : " {\"t\" : \"";
    json += escaped(pieces.back(), settings & 128) + "\"}\n";
  }
  const auto found = take({json.begin(), json.end()}, {"t"});
  CHECK(found && found->members[0].valid.size() == pieces.size());
  const auto strings = member_strings(*found, 0);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    CHECK(found->members[0].valid[i]);
    CHECK(std::string(strings[i].data, strings[i].data + strings[i].size) == pieces[i]);
  }
}

}  // namespace fuzz
