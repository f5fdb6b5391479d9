#include "core/label_codes.hpp"

#include <cstring>
#include <stdexcept>
#include <string>

#include "core/numbering.hpp"
#include "core/simd.hpp"
#include "core/hash.hpp"
#include "core/validity.hpp"

namespace deciban {
namespace {

// Items of one, two, four or eight bytes are one word; equality is one comparison.
template <class Word>
struct Words {
  const unsigned char* data;
  using Item = Word;
  Item operator()(std::int64_t i) const {
    Word word;
    std::memcpy(&word, data + i * static_cast<std::int64_t>(sizeof word), sizeof word);
    return word;
  }
  static std::uint64_t hash(Item item) { return hash_word(item); }
  static bool same(Item a, Item b) { return a == b; }
  static bool missing(std::int64_t) { return false; }
  static bool has_holes() { return false; }
};

// Items of any size, compared as bytes.
struct Blobs {
  const unsigned char* data;
  std::int64_t size;
  using Item = const unsigned char*;
  Item operator()(std::int64_t i) const { return data + i * size; }
  std::uint64_t hash(Item item) const { return hash_item(item, size); }
  bool same(Item a, Item b) const { return std::memcmp(a, b, static_cast<std::size_t>(size)) == 0; }
  static bool missing(std::int64_t) { return false; }
  static bool has_holes() { return false; }
};

}  // namespace

std::vector<std::int64_t> encode(const unsigned char* items, std::int64_t n, std::int64_t size, std::int32_t* code) {
  switch (size) {
    case 1: return number(Words<std::uint8_t>{items}, n, code);
    case 2: return number(Words<std::uint16_t>{items}, n, code);
    case 4: return number(Words<std::uint32_t>{items}, n, code);
    case 8: return number(Words<std::uint64_t>{items}, n, code);
    default: return number(Blobs{items, size}, n, code);
  }
}

DECIBAN_CLONES void bit_codes(Valid bits, std::int64_t n, std::int32_t* code) {
  using Codes = Eight<std::int32_t>;
  const int skip = static_cast<int>(bits.first & 7);
  const unsigned char* byte = bits.bits + (bits.first >> 3);
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8, ++byte) {
    const Codes::Lanes cells = Codes::Whole{eight_bits(byte, skip)} >> Codes::lanes & 1;
    std::memcpy(code + i, &cells, sizeof cells);
  }
  for (; i < n; ++i) code[i] = bits[i];
}

void mark_missing(Valid valid, std::int64_t n, std::int32_t* code) { mark_holes(valid, n, code); }

void renumber(std::int32_t* code, std::int64_t n, const std::int32_t* place, std::int64_t places) {
  for (std::int64_t i = 0; i < n; ++i) {
    if (code[i] == -1) continue;
    if (code[i] < 0 || code[i] >= places)
      throw std::invalid_argument("code " + std::to_string(code[i]) + " has no place among " + std::to_string(places));
    code[i] = place[code[i]];
  }
}

std::int64_t merge_sorted(const std::uint64_t* a, std::int64_t n, const std::uint64_t* b, std::int64_t m,
                          std::int64_t* place_a, std::int64_t* place_b) {
  std::int64_t i = 0, j = 0, at = 0;
  for (; i < n && j < m; ++at) {
    const bool left = a[i] <= b[j], right = b[j] <= a[i];
    place_a[i] = place_b[j] = at;  // overwritten unless it is this one's turn
    i += left;
    j += right;
  }
  while (i < n) place_a[i++] = at++;
  while (j < m) place_b[j++] = at++;
  return at;
}

}  // namespace deciban
