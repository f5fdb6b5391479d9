// Hash functions. A hash is used by its highest bits.
// Model files keep their words in the order of hash_term: it must never change.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/bytes.hpp"

namespace deciban {

constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15ull;  // 2^64 divided by the golden ratio

// Fibonacci hashing: the highest bits of the product depend on all bits of the word, so floats with few digits spread
// as well as integers do.
inline std::uint64_t hash_word(std::uint64_t word) { return word * kGolden; }

// Returns the two halves of the 128-bit product, combined.
inline std::uint64_t multiply_fold(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

// Combines a hash with the next word, or with the hash of the next part.
inline std::uint64_t hash_next(std::uint64_t hash, std::uint64_t word) {
  return multiply_fold(hash ^ kGolden, word ^ 0xE7037ED1A0B428DBull);
}

// Hash of n bytes that are compared with others of the same length.
inline std::uint64_t hash_item(const unsigned char* p, std::int64_t n) {
  std::uint64_t hash = 0;
  for (; n >= 8; p += 8, n -= 8) hash = hash_next(hash, load_eight(p));
  if (n == 0) return hash;
  std::uint64_t rest = 0;
  std::memcpy(&rest, p, static_cast<std::size_t>(n));
  return hash_next(hash, rest);
}

// A bijection of 64 bits: different words of up to eight bytes have different hashes.
inline std::uint64_t scramble(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0xD6E8FEB86659FD93ull;
  x ^= x >> 32;
  x *= 0xD6E8FEB86659FD93ull;
  return x ^ x >> 32;
}

// Both halves of the product enter, so that words with one hash cannot be constructed byte by byte.
inline std::uint64_t hash_sixteen(SixteenBytes bytes) {
  return scramble(bytes.low ^ multiply_fold(bytes.high, kGolden));
}

// Padded: sixteen bytes may be read at any position within the n bytes.
template <bool Padded>
inline std::uint64_t hash_any_size(const unsigned char* p, std::int64_t n) {
  const auto load = [](const unsigned char* at, std::int64_t size) {
    return Padded ? first_bytes(at, size) : copy_first_bytes(at, size);
  };
  if (n <= 16) [[likely]]
    return hash_sixteen(load(p, n));
  std::uint64_t hash = static_cast<std::uint64_t>(n);
  for (; n > 16; p += 8, n -= 8) hash = hash_next(hash, load_eight(p));
  return hash_next(hash, hash_sixteen(load(p, n)));
}

// Reads exactly n bytes.
inline std::uint64_t hash_bytes(const unsigned char* p, std::int64_t n) { return hash_any_size<false>(p, n); }

// Equals hash_bytes, but is faster and may read up to sixteen bytes beyond the end.
inline std::uint64_t hash_padded(const unsigned char* p, std::int64_t n) { return hash_any_size<true>(p, n); }

// Hash of the bytes of a string after the first sixteen. Not inlined, so that the loop over short strings stays short.
[[gnu::noinline]] inline std::uint64_t hash_tail(std::uint64_t hash, const unsigned char* data, std::int64_t size) {
  std::int64_t at = 16;
  for (; at + 8 <= size; at += 8) hash = hash_next(hash, load_eight(data + at));
  return at < size ? hash_next(hash, load_eight(data + size - 8)) : hash;
}

// Hash of a string whose first sixteen bytes are loaded already.
inline std::uint64_t hash_string(SixteenBytes first, const unsigned char* data, std::int64_t size) {
  const std::uint64_t hash = hash_next(first.low, first.high + static_cast<std::uint64_t>(size) * kGolden);
  return size <= 16 ? hash : hash_tail(hash, data, size);
}

// Terms of up to this many bytes are identified by hash and length.
constexpr std::uint32_t kShortTerm = 8;

// Hash of a term. For up to eight bytes it is a bijection; for more it combines the hashes of the parts between spaces,
// so that the hash of an n-gram follows from the hashes of its words.
inline std::uint64_t hash_term(const unsigned char* data, std::int64_t size) {
  if (size <= static_cast<std::int64_t>(kShortTerm)) return hash_bytes(data, size);
  const unsigned char *part = data, *const end = data + size;
  const unsigned char* space = std::find(part, end, static_cast<unsigned char>(' '));
  std::uint64_t hash = hash_bytes(part, space - part);
  while (space != end) {
    part = space + 1;
    space = std::find(part, end, static_cast<unsigned char>(' '));
    hash = hash_next(hash, hash_bytes(part, space - part));
  }
  return hash;
}

}  // namespace deciban
