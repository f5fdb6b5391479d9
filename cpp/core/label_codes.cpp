#include "core/label_codes.hpp"

#include <cstring>
#include <stdexcept>
#include <string>

#include "core/hash.hpp"
#include "core/numbering.hpp"
#include "core/simd.hpp"
#include "core/validity.hpp"

namespace deciban {
namespace {

// Items of one, two, four or eight bytes, compared as integers.
template <class Word>
struct WordItems {
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
  static bool may_miss() { return false; }
};

// Items of any size, compared as bytes.
struct ByteItems {
  const unsigned char* data;
  std::int64_t size;
  using Item = const unsigned char*;
  Item operator()(std::int64_t i) const { return data + i * size; }
  std::uint64_t hash(Item item) const { return hash_item(item, size); }
  bool same(Item a, Item b) const { return std::memcmp(a, b, static_cast<std::size_t>(size)) == 0; }
  static bool missing(std::int64_t) { return false; }
  static bool may_miss() { return false; }
};

}  // namespace

std::vector<std::int64_t> encode_items(const unsigned char* items, std::int64_t n, std::int64_t size,
                                       std::int32_t* code) {
  switch (size) {
    case 1: return number_items(WordItems<std::uint8_t>{items}, n, code);
    case 2: return number_items(WordItems<std::uint16_t>{items}, n, code);
    case 4: return number_items(WordItems<std::uint32_t>{items}, n, code);
    case 8: return number_items(WordItems<std::uint64_t>{items}, n, code);
    default: return number_items(ByteItems{items, size}, n, code);
  }
}

DECIBAN_CLONES void encode_bits(Bitmap bits, std::int64_t n, std::int32_t* code) {
  using Codes = EightCells<std::int32_t>;
  const int skip = static_cast<int>(bits.first & 7);
  const unsigned char* byte = bits.bits + (bits.first >> 3);
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8, ++byte) {
    const Codes::Lanes eight = Codes::Integer{eight_bits(byte, skip)} >> Codes::lanes & 1;
    std::memcpy(code + i, &eight, sizeof eight);
  }
  for (; i < n; ++i) code[i] = bits[i];
}

void mark_missing_codes(Bitmap valid, std::int64_t n, std::int32_t* code) { mark_missing(valid, n, code); }

void recode_inplace(std::int32_t* code, std::int64_t n, const std::int32_t* new_code, std::int64_t codes) {
  for (std::int64_t i = 0; i < n; ++i) {
    if (code[i] == -1) continue;
    if (code[i] < 0 || code[i] >= codes)
      throw std::invalid_argument("code " + std::to_string(code[i]) + " has no place among " + std::to_string(codes));
    code[i] = new_code[code[i]];
  }
}

std::int64_t merge_sorted(const std::uint64_t* a, std::int64_t size_a, const std::uint64_t* b, std::int64_t size_b,
                          std::int64_t* place_a, std::int64_t* place_b) {
  std::int64_t i = 0, j = 0, at = 0;
  for (; i < size_a && j < size_b; ++at) {
    const bool take_a = a[i] <= b[j], take_b = b[j] <= a[i];
    place_a[i] = place_b[j] = at;  // overwritten later if this number was not taken
    i += take_a;
    j += take_b;
  }
  while (i < size_a) place_a[i++] = at++;
  while (j < size_b) place_b[j++] = at++;
  return at;
}

}  // namespace deciban
