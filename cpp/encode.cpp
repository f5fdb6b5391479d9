#include "encode.hpp"

#include <bit>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

namespace deciban {
namespace {

inline std::uint64_t mix(std::uint64_t h) {
  h *= 0x9E3779B97F4A7C15ull;
  return h ^ (h >> 32);
}

// Items of one, two, four or eight bytes are one word; equality is one comparison. The product's top bits, which pick
// the slot, depend on all bits below, so floats with few digits spread as well as integers do.
template <class Word>
struct Words {
  const unsigned char* data;
  using Item = Word;
  Item operator()(std::int64_t i) const {
    Word word;
    std::memcpy(&word, data + i * static_cast<std::int64_t>(sizeof word), sizeof word);
    return word;
  }
  static std::uint64_t hash(Item item) { return item * 0x9E3779B97F4A7C15ull; }
  static bool same(Item a, Item b) { return a == b; }
};

// Items of any size, compared as bytes.
struct Blobs {
  const unsigned char* data;
  std::int64_t size;
  using Item = const unsigned char*;
  Item operator()(std::int64_t i) const { return data + i * size; }
  std::uint64_t hash(Item item) const {
    std::uint64_t h = 0, word = 0;
    std::int64_t left = size;
    for (; left >= 8; item += 8, left -= 8) {
      std::memcpy(&word, item, 8);
      h = mix(h ^ word);
    }
    word = 0;
    std::memcpy(&word, item, static_cast<std::size_t>(left));
    return mix(h ^ word) * 0x9E3779B97F4A7C15ull;
  }
  bool same(Item a, Item b) const { return std::memcmp(a, b, static_cast<std::size_t>(size)) == 0; }
};

// Open addressing; doubles before it is half full.
template <class Items>
std::vector<std::int64_t> number(const Items& items, std::int64_t n, std::int32_t* code) {
  struct Slot {
    typename Items::Item item;
    std::int32_t code;
  };
  std::vector<Slot> slots(64, Slot{{}, -1});
  std::vector<std::int64_t> first;
  const auto place = [&](const std::vector<Slot>& in, typename Items::Item item) {
    std::uint64_t at = items.hash(item) >> (64 - std::countr_zero(in.size()));
    while (in[at].code >= 0 && !items.same(in[at].item, item)) at = (at + 1) & (in.size() - 1);
    return at;
  };
  for (std::int64_t i = 0; i < n; ++i) {
    const auto item = items(i);
    const std::uint64_t at = place(slots, item);
    if (slots[at].code < 0) {
      if (first.size() == static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        throw std::invalid_argument("more than 2147483647 distinct values");
      slots[at] = {item, static_cast<std::int32_t>(first.size())};
      first.push_back(i);
      code[i] = slots[at].code;
      if (2 * first.size() > slots.size()) {
        std::vector<Slot> wider(2 * slots.size(), Slot{{}, -1});
        for (const Slot& slot : slots)
          if (slot.code >= 0) wider[place(wider, slot.item)] = slot;
        slots.swap(wider);
      }
    } else {
      code[i] = slots[at].code;
    }
  }
  return first;
}

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

void renumber(std::int32_t* code, std::int64_t n, const std::int32_t* place, std::int64_t places) {
  for (std::int64_t i = 0; i < n; ++i) {
    if (code[i] < 0 || code[i] >= places)
      throw std::invalid_argument("code " + std::to_string(code[i]) + " has no place among " + std::to_string(places));
    code[i] = place[code[i]];
  }
}

}  // namespace deciban
