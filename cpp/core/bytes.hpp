// Bytes handled eight at a time, as one integer.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace deciban {

static_assert(std::endian::native == std::endian::little, "the first byte of eight must be the lowest");

constexpr std::uint64_t kOnes = 0x0101010101010101ull;  // 1 in every byte
constexpr std::uint64_t kHighBits = 0x80 * kOnes;       // the highest bit of every byte

inline std::uint64_t load_eight(const unsigned char* p) {
  std::uint64_t word;
  std::memcpy(&word, p, sizeof word);
  return word;
}

// Sixteen bytes as two integers.
struct SixteenBytes {
  std::uint64_t low, high;

  friend bool operator==(const SixteenBytes&, const SixteenBytes&) = default;
};

// Masks that keep the first n of sixteen bytes: entry n + 8 is for the low eight, entry n for the high eight.
struct PrefixMasks {
  std::uint64_t mask[25];
  constexpr PrefixMasks() : mask{} {
    constexpr std::uint64_t all = ~std::uint64_t{0};
    for (int n = 0; n <= 24; ++n) mask[n] = n <= 8 ? 0 : n >= 16 ? all : ~(all << 8 * (n - 8));
  }
};
inline constexpr PrefixMasks kPrefixMasks;

// Returns the first n (0 to 16) bytes at p, the rest zero. All sixteen must be readable. A table of masks instead of a
// branch, because the lengths of words follow no pattern.
inline SixteenBytes first_bytes(const unsigned char* p, std::int64_t n) {
  return {load_eight(p) & kPrefixMasks.mask[n + 8], load_eight(p + 8) & kPrefixMasks.mask[n]};
}

// Returns the first n (0 to 16) bytes at p, the rest zero. Reads no others, so p may be near the end of its memory.
inline SixteenBytes copy_first_bytes(const unsigned char* p, std::int64_t n) {
  unsigned char copy[16] = {};
  if (n) std::memcpy(copy, p, static_cast<std::size_t>(n));
  return {load_eight(copy), load_eight(copy + 8)};
}

}  // namespace deciban
