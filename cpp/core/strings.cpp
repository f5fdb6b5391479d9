#include "core/strings.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "core/bytes.hpp"
#include "core/hash.hpp"
#include "core/numbering.hpp"

namespace deciban {
namespace {

[[noreturn]] void throw_malformed(std::int64_t row) {
  throw std::invalid_argument("string column is malformed: the string of row " + std::to_string(row) +
                              " lies outside its memory; rebuild the table");
}

// A string and its first sixteen bytes, which for most strings are all of it.
struct Text {
  const unsigned char* data;
  std::int64_t size;
  SixteenBytes first;

  // `readable` is the number of bytes from p to the end of the memory.
  Text(const unsigned char* p, std::int64_t n, std::int64_t readable)
      : data(p), size(n), first(readable < 16 ? load_last(p, n) : first_bytes(p, std::min<std::int64_t>(n, 16))) {}
  Text() = default;

 private:
  // Loads one of the last strings of the memory. Not inlined, so that the loop over the other strings stays short.
  [[gnu::noinline]] static SixteenBytes load_last(const unsigned char* p, std::int64_t n) {
    return copy_first_bytes(p, std::min<std::int64_t>(n, 16));
  }
};

struct TextItems {
  using Item = Text;
  Bytes valid;
  std::int64_t first;

  bool may_miss() const { return valid.data; }
  bool missing(std::int64_t i) const {
    const std::int64_t bit = first + i;
    return valid.data && !(valid.data[bit >> 3] >> (bit & 7) & 1);
  }
  static std::uint64_t hash(const Text& t) { return hash_string(t.first, t.data, t.size); }
  static bool same(const Text& a, const Text& b) {
    if (a.size != b.size || a.first != b.first) return false;
    return a.size <= 16 || same_tail(a, b);
  }

 private:
  [[gnu::noinline]] static bool same_tail(const Text& a, const Text& b) {
    return std::memcmp(a.data + 16, b.data + 16, static_cast<std::size_t>(a.size - 16)) == 0;
  }
};

template <class Offset>
struct OffsetItems : TextItems {
  Bytes offsets, data;
  Text operator()(std::int64_t i) const {
    Offset ends[2];
    std::memcpy(ends, offsets.data + (first + i) * static_cast<std::int64_t>(sizeof(Offset)), sizeof ends);
    if (ends[0] < 0 || ends[1] < ends[0] || ends[1] > data.size) throw_malformed(i);
    return {data.data + ends[0], ends[1] - ends[0], data.size - ends[0]};
  }
};

struct ViewItems : TextItems {
  Bytes views;
  const std::vector<Bytes>* buffers;
  Text operator()(std::int64_t i) const {
    const unsigned char* view = views.data + (first + i) * 16;
    std::int32_t part[4];
    std::memcpy(part, view, sizeof part);
    const std::int32_t size = part[0], buffer = part[2], at = part[3];
    if (size < 0) throw_malformed(i);
    if (size <= 12) return {view + 4, size, views.size - (first + i) * 16 - 4};
    if (buffer < 0 || buffer >= static_cast<std::int64_t>(buffers->size()) || at < 0 ||
        at > (*buffers)[buffer].size - size)
      throw_malformed(i);
    return {(*buffers)[buffer].data + at, size, (*buffers)[buffer].size - at};
  }
};

// Checks that rows.n rows of item_size bytes, and `extra` items more, lie in the memory.
void check_rows(const StringRows& rows, Bytes items, std::int64_t item_size, std::int64_t extra) {
  constexpr std::int64_t limit = std::int64_t{1} << 56;  // no product below overflows
  if (rows.first < 0 || rows.n < 0 || rows.first > limit || rows.n > limit ||
      (rows.n && (rows.first + rows.n + extra) * item_size > items.size) ||
      (rows.valid.data && rows.first + rows.n > rows.valid.size * 8))
    throw std::invalid_argument("string column is malformed: it has fewer rows than it says; rebuild the table");
}

template <class Items>
std::vector<Document> list_items(const Items& items, std::int64_t n) {
  std::vector<Document> out(static_cast<std::size_t>(n), Document{nullptr, 0});
  for (std::int64_t i = 0; i < n; ++i) {
    if (items.missing(i)) continue;
    const Text text = items(i);
    out[static_cast<std::size_t>(i)] = present_document(text.data, text.size);
  }
  return out;
}

// Calls f(items) with offsets of the right width.
template <class F>
auto with_offsets(Bytes offsets, bool wide, Bytes data, const StringRows& rows, F f) {
  check_rows(rows, offsets, wide ? 8 : 4, 1);
  if (wide) return f(OffsetItems<std::int64_t>{{rows.valid, rows.first}, offsets, data});
  return f(OffsetItems<std::int32_t>{{rows.valid, rows.first}, offsets, data});
}

ViewItems view_items(Bytes views, const std::vector<Bytes>& buffers, const StringRows& rows) {
  check_rows(rows, views, 16, 0);
  return {{rows.valid, rows.first}, views, &buffers};
}

}  // namespace

std::vector<std::int64_t> encode_strings(Bytes offsets, bool wide, Bytes data, StringRows rows, std::int32_t* code) {
  return with_offsets(offsets, wide, data, rows, [&](const auto& items) { return number_items(items, rows.n, code); });
}

std::vector<Document> list_strings(Bytes offsets, bool wide, Bytes data, StringRows rows) {
  return with_offsets(offsets, wide, data, rows, [&](const auto& items) { return list_items(items, rows.n); });
}

std::vector<std::int64_t> encode_views(Bytes views, const std::vector<Bytes>& buffers, StringRows rows,
                                       std::int32_t* code) {
  return number_items(view_items(views, buffers, rows), rows.n, code);
}

std::vector<Document> list_views(Bytes views, const std::vector<Bytes>& buffers, StringRows rows) {
  return list_items(view_items(views, buffers, rows), rows.n);
}

}  // namespace deciban
