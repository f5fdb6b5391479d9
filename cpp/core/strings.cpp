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

[[noreturn]] void malformed(std::int64_t row) {
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

struct Texts {
  using Item = Text;
  Bytes valid;
  std::int64_t first;

  bool has_holes() const { return valid.data; }
  bool missing(std::int64_t i) const {
    const std::int64_t bit = first + i;
    return valid.data && !(valid.data[bit >> 3] >> (bit & 7) & 1);
  }
  static std::uint64_t hash(const Text& t) { return hash_string(t.first, t.data, t.size); }
  static bool same(const Text& a, const Text& b) {
    if (a.size != b.size || a.first != b.first) return false;
    return a.size <= 16 || same_rest(a, b);
  }

 private:
  [[gnu::noinline]] static bool same_rest(const Text& a, const Text& b) {
    return std::memcmp(a.data + 16, b.data + 16, static_cast<std::size_t>(a.size - 16)) == 0;
  }
};

template <class Offset>
struct Consecutive : Texts {
  Bytes offsets, data;
  Text operator()(std::int64_t i) const {
    Offset ends[2];
    std::memcpy(ends, offsets.data + (first + i) * static_cast<std::int64_t>(sizeof(Offset)), sizeof ends);
    if (ends[0] < 0 || ends[1] < ends[0] || ends[1] > data.size) malformed(i);
    return {data.data + ends[0], ends[1] - ends[0], data.size - ends[0]};
  }
};

struct Views : Texts {
  Bytes views;
  const std::vector<Bytes>* buffers;
  Text operator()(std::int64_t i) const {
    const unsigned char* view = views.data + (first + i) * 16;
    std::int32_t part[4];
    std::memcpy(part, view, sizeof part);
    const std::int32_t size = part[0], buffer = part[2], at = part[3];
    if (size < 0) malformed(i);
    if (size <= 12) return {view + 4, size, views.size - (first + i) * 16 - 4};
    if (buffer < 0 || buffer >= static_cast<std::int64_t>(buffers->size()) || at < 0 ||
        at > (*buffers)[buffer].size - size)
      malformed(i);
    return {(*buffers)[buffer].data + at, size, (*buffers)[buffer].size - at};
  }
};

void check_rows(const Rows1d& rows, Bytes items, std::int64_t item, std::int64_t more) {
  constexpr std::int64_t most = std::int64_t{1} << 56;
  if (rows.first < 0 || rows.n < 0 || rows.first > most || rows.n > most ||
      (rows.n && (rows.first + rows.n + more) * item > items.size) ||
      (rows.valid.data && rows.first + rows.n > rows.valid.size * 8))
    throw std::invalid_argument("string column is malformed: it has fewer rows than it says; rebuild the table");
}

template <class Offset>
std::vector<std::int64_t> encode_offsets(Bytes offsets, Bytes data, Rows1d rows, std::int32_t* code) {
  check_rows(rows, offsets, sizeof(Offset), 1);
  return number(Consecutive<Offset>{{rows.valid, rows.first}, offsets, data}, rows.n, code);
}

template <class Items>
std::vector<Document> listed(const Items& items, std::int64_t n) {
  std::vector<Document> out(static_cast<std::size_t>(n), Document{nullptr, 0});
  for (std::int64_t i = 0; i < n; ++i) {
    if (items.missing(i)) continue;
    const Text text = items(i);
    out[static_cast<std::size_t>(i)] = present(text.data, text.size);
  }
  return out;
}

}  // namespace

std::vector<std::int64_t> encode_strings(Bytes offsets, bool wide, Bytes data, Rows1d rows, std::int32_t* code) {
  return wide ? encode_offsets<std::int64_t>(offsets, data, rows, code)
              : encode_offsets<std::int32_t>(offsets, data, rows, code);
}

std::vector<std::int64_t> encode_views(Bytes views, const std::vector<Bytes>& buffers, Rows1d rows,
                                       std::int32_t* code) {
  check_rows(rows, views, 16, 0);
  return number(Views{{rows.valid, rows.first}, views, &buffers}, rows.n, code);
}

std::vector<Document> list_strings(Bytes offsets, bool wide, Bytes data, Rows1d rows) {
  check_rows(rows, offsets, wide ? 8 : 4, 1);
  if (wide) return listed(Consecutive<std::int64_t>{{rows.valid, rows.first}, offsets, data}, rows.n);
  return listed(Consecutive<std::int32_t>{{rows.valid, rows.first}, offsets, data}, rows.n);
}

std::vector<Document> list_views(Bytes views, const std::vector<Bytes>& buffers, Rows1d rows) {
  check_rows(rows, views, 16, 0);
  return listed(Views{{rows.valid, rows.first}, views, &buffers}, rows.n);
}

}  // namespace deciban
