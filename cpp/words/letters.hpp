// Characters: UTF-8 in and out, and what each is in the eyes of Python.
#pragma once

#include <cstdint>

namespace deciban {

enum Letter : std::uint8_t { kWord = 1, kSpace = 2, kCased = 4, kIgnorable = 8 };

constexpr std::uint32_t kReplacement = 0xFFFD;
constexpr std::uint32_t kDottedI = 0x130, kDotAbove = 0x307;  // the one capital whose lower case is two characters
constexpr std::uint32_t kSigma = 0x3A3, kSmallSigma = 0x3C3, kFinalSigma = 0x3C2;

// Tables over the first `size` code points; what lies beyond is no letter.
struct Letters {
  const std::uint8_t* kind;
  const std::int32_t* lower;
  std::int64_t size;

  bool is(std::uint32_t c, int what) const { return c < static_cast<std::uint64_t>(size) && (kind[c] & what); }
  std::uint32_t small(std::uint32_t c) const {
    return c < static_cast<std::uint64_t>(size) ? static_cast<std::uint32_t>(lower[c]) : c;
  }
};

struct Character {
  std::uint32_t code;
  int size;  // bytes
};

// The character at p. What is not UTF-8 is U+FFFD, in the same portions as Python's decoding with errors="replace".
inline Character decode(const unsigned char* p, const unsigned char* end) {
  const unsigned first = *p;
  if (first < 0x80) return {first, 1};
  int more;
  std::uint32_t code;
  unsigned low = 0x80, high = 0xBF;
  if (first >= 0xC2 && first <= 0xDF) {
    more = 1, code = first & 0x1F;
  } else if (first >= 0xE0 && first <= 0xEF) {
    more = 2, code = first & 0x0F;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
  } else if (first >= 0xF0 && first <= 0xF4) {
    more = 3, code = first & 0x07;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
  } else {
    return {kReplacement, 1};
  }
  int n = 1;
  for (; n <= more; ++n) {
    if (end - p <= n || p[n] < low || p[n] > high) return {kReplacement, n};
    code = code << 6 | (p[n] & 0x3F);
    low = 0x80, high = 0xBF;
  }
  return {code, n};
}

// The character that ends before p.
inline Character decode_before(const unsigned char* begin, const unsigned char* p) {
  const unsigned char* at = p - 1;
  while (at > begin && p - at < 4 && (*at & 0xC0) == 0x80) --at;
  const Character found = decode(at, p);
  return at + found.size == p ? found : Character{kReplacement, 1};
}

inline unsigned char* encode(std::uint32_t code, unsigned char* out) {
  const auto tail = [&](int shift) { return static_cast<unsigned char>(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) {
    *out++ = static_cast<unsigned char>(code);
  } else if (code < 0x800) {
    *out++ = static_cast<unsigned char>(0xC0 | code >> 6);
    *out++ = tail(0);
  } else if (code < 0x10000) {
    *out++ = static_cast<unsigned char>(0xE0 | code >> 12);
    *out++ = tail(6);
    *out++ = tail(0);
  } else {
    *out++ = static_cast<unsigned char>(0xF0 | code >> 18);
    *out++ = tail(12);
    *out++ = tail(6);
    *out++ = tail(0);
  }
  return out;
}

// Whether a capital sigma at p, two bytes, ends a word: a cased letter before it and none behind, whatever may be
// ignored in between.
inline bool is_final_sigma(const Letters& letters, const unsigned char* begin, const unsigned char* p,
                           const unsigned char* end) {
  const unsigned char* before = p;
  Character c{0, 0};
  while (before > begin && letters.is((c = decode_before(begin, before)).code, kIgnorable)) before -= c.size;
  if (before == begin || !letters.is(c.code, kCased)) return false;
  const unsigned char* after = p + 2;
  while (after < end && letters.is((c = decode(after, end)).code, kIgnorable)) after += c.size;
  return after == end || !letters.is(c.code, kCased);
}

}  // namespace deciban
