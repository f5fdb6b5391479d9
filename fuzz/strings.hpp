// String columns with wrong offsets: a column is refused, or its strings lie inside the memory.
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

// Returns whether f() accepts its column.
inline bool is_accepted(const std::function<void()>& f) {
  try {
    f();
  } catch (const std::invalid_argument&) {
    return false;
  }
  return true;
}

// Checks that the strings and their codes agree, and that `list` and `encode` refuse the same columns.
inline void check_column(const std::vector<deciban::Bytes>& memory, std::int64_t rows,
                         const std::function<std::vector<deciban::Document>()>& list,
                         const std::function<std::vector<std::int64_t>(std::int32_t*)>& encode) {
  std::vector<deciban::Document> texts;
  std::vector<std::int32_t> code(static_cast<std::size_t>(rows));
  std::vector<std::int64_t> first;
  const bool listed = is_accepted([&] { texts = list(); });
  CHECK(listed == is_accepted([&] { first = encode(code.data()); }));
  if (!listed) return;
  std::map<std::string, std::int32_t> number;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    CHECK((code[i] < 0) == (texts[i].data == nullptr));
    if (code[i] < 0) continue;
    const unsigned char *const begin = texts[i].data, *const end = begin + texts[i].size;
    const auto contains = [&](deciban::Bytes m) { return m.data <= begin && end <= m.data + m.size; };
    CHECK(begin == end || std::any_of(memory.begin(), memory.end(), contains));
    const auto [at, is_new] = number.emplace(std::string(begin, end), static_cast<std::int32_t>(number.size()));
    CHECK(at->second == code[i]);
    CHECK(!is_new || first.at(static_cast<std::size_t>(code[i])) == static_cast<std::int64_t>(i));
  }
  CHECK(first.size() == number.size());
}

// Takes every byte as an offset, negative from 128 on. Most long columns of these are malformed, short ones often not.
template <class Offset>
void check_offsets(deciban::Bytes text, deciban::StringRows rows, Copies& copies) {
  std::vector<Offset> values;
  for (std::int64_t i = 0; i < std::min<std::int64_t>(text.size, 40); ++i)
    values.push_back(static_cast<signed char>(text.data[i]));
  if (rows.first % 2) std::sort(values.begin(), values.end());
  const deciban::Bytes offsets = copies.copy(values);
  constexpr bool wide = sizeof(Offset) == 8;
  check_column(
      {text}, rows.n, [&] { return list_strings(offsets, wide, text, rows); },
      [&](std::int32_t* code) { return encode_strings(offsets, wide, text, rows, code); });
}

// Takes every four bytes as size, prefix, buffer and offset of a view.
inline void check_views(deciban::Bytes text, deciban::StringRows rows, Copies& copies) {
  std::vector<std::int32_t> values;
  for (std::int64_t i = 0; i + 4 <= std::min<std::int64_t>(text.size, 64); i += 4) {
    const unsigned char* p = text.data + i;
    const std::int32_t size = p[0] < 0xF8 ? p[0] & 31 : -p[0];
    values.insert(values.end(), {size, p[1], (p[2] & 3) - (p[2] > 0xF8), p[3] < 0xF8 ? p[3] : -p[3]});
  }
  const deciban::Bytes views = copies.copy(values);
  const deciban::Bytes half = copies.copy(text.data, static_cast<std::size_t>(text.size / 2));
  const std::vector<deciban::Bytes> buffers{text, views, half};
  check_column(
      buffers, rows.n, [&] { return list_views(views, buffers, rows); },
      [&](std::int32_t* code) { return encode_views(views, buffers, rows, code); });
}

inline void check_strings(deciban::Bytes text, std::uint8_t choice) {
  Copies copies;
  const auto bytes = static_cast<std::size_t>(std::min<std::int64_t>(text.size, 4));
  const deciban::Bytes valid = choice & 0x80 ? copies.copy(text.data, bytes) : deciban::Bytes{nullptr, 0};
  const deciban::StringRows rows{valid, choice >> 2 & 3, choice >> 4 & 7};
  check_offsets<std::int32_t>(text, rows, copies);
  check_offsets<std::int64_t>(text, rows, copies);
  check_views(text, rows, copies);
}

}  // namespace fuzz
