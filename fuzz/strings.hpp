// Columns of strings that lie about where their strings are: refused, or inside the memory that is there.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "core/strings.hpp"
#include "input.hpp"

namespace fuzz {

// Whether the strings and their numbers agree; `list` and `encode` must refuse the same columns.
inline void check_column(const std::vector<deciban::Bytes>& memory, std::int64_t rows,
                         const std::function<std::vector<deciban::Document>()>& list,
                         const std::function<std::vector<std::int64_t>(std::int32_t*)>& encode) {
  std::vector<deciban::Document> texts;
  std::vector<std::int32_t> code(static_cast<std::size_t>(rows));
  std::vector<std::int64_t> first;
  bool listed = true, encoded = true;
  try {
    texts = list();
  } catch (const std::invalid_argument&) {
    listed = false;
  }
  try {
    first = encode(code.data());
  } catch (const std::invalid_argument&) {
    encoded = false;
  }
  CHECK(listed == encoded);
  if (!listed) return;
  std::map<std::string, std::int32_t> number;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    CHECK((code[i] < 0) == (texts[i].data == nullptr));
    if (code[i] < 0) continue;
    const unsigned char *const begin = texts[i].data, *const end = begin + texts[i].size;
    CHECK(begin == end || std::any_of(memory.begin(), memory.end(), [&](deciban::Bytes m) {
            return m.data <= begin && end <= m.data + m.size;
          }));
    const auto [at, is_new] = number.emplace(std::string(begin, end), static_cast<std::int32_t>(number.size()));
    CHECK(at->second == code[i]);
    CHECK(!is_new || first.at(static_cast<std::size_t>(code[i])) == static_cast<std::int64_t>(i));
  }
  CHECK(first.size() == number.size());
}

// Every byte is an offset, negative if it is large; most long columns of these are malformed, short ones often not.
template <class Offset>
void check_offsets(deciban::Bytes text, deciban::Rows1d rows, Copies& copies) {
  std::vector<Offset> raw;
  for (std::int64_t i = 0; i < std::min<std::int64_t>(text.size, 40); ++i)
    raw.push_back(static_cast<signed char>(text.data[i]));
  if (rows.first % 2) std::sort(raw.begin(), raw.end());
  const deciban::Bytes offsets = copies.of(raw);
  constexpr bool wide = sizeof(Offset) == 8;
  check_column({text}, rows.n, [&] { return list_strings(offsets, wide, text, rows); },
               [&](std::int32_t* code) { return encode_strings(offsets, wide, text, rows, code); });
}

inline void check_views(deciban::Bytes text, deciban::Rows1d rows, Copies& copies) {
  std::vector<std::int32_t> raw;
  for (std::int64_t i = 0; i + 4 <= std::min<std::int64_t>(text.size, 64); i += 4) {
    const unsigned char* p = text.data + i;
    const std::int32_t size = p[0] < 0xF8 ? p[0] & 31 : -p[0];
    raw.insert(raw.end(), {size, p[1], (p[2] & 3) - (p[2] > 0xF8), p[3] < 0xF8 ? p[3] : -p[3]});
  }
  const deciban::Bytes views = copies.of(raw);
  const std::vector<deciban::Bytes> buffers{text, views, copies.of(text.data, static_cast<std::size_t>(text.size / 2))};
  check_column(buffers, rows.n, [&] { return list_views(views, buffers, rows); },
               [&](std::int32_t* code) { return encode_views(views, buffers, rows, code); });
}

inline void check_strings(deciban::Bytes text, std::uint8_t choice) {
  Copies copies;
  const auto bits = static_cast<std::size_t>(std::min<std::int64_t>(text.size, 4));
  const deciban::Bytes valid = choice & 0x80 ? copies.of(text.data, bits) : deciban::Bytes{nullptr, 0};
  const deciban::Rows1d rows{valid, choice >> 2 & 3, choice >> 4 & 7};
  check_offsets<std::int32_t>(text, rows, copies);
  check_offsets<std::int64_t>(text, rows, copies);
  check_views(text, rows, copies);
}

}  // namespace fuzz
