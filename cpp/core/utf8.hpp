// UTF-8: decoding, encoding, and conversion of Python's strings.
#pragma once

#include <cstdint>

namespace deciban {

constexpr std::uint32_t kReplacement = 0xFFFD;

struct Character {
  std::uint32_t code;
  int size;  // bytes
};

// Decodes the character at p. Invalid bytes give U+FFFD, in the same portions as Python's errors="replace".
inline Character decode_utf8(const unsigned char* p, const unsigned char* end) {
  const unsigned first = *p;
  if (first < 0x80) return {first, 1};
  int more;
  std::uint32_t code;
  unsigned low = 0x80, high = 0xBF;  // range of the next byte
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

// Decodes the character that ends before p.
inline Character decode_utf8_before(const unsigned char* begin, const unsigned char* p) {
  const unsigned char* at = p - 1;
  while (at > begin && p - at < 4 && (*at & 0xC0) == 0x80) --at;
  const Character found = decode_utf8(at, p);
  return at + found.size == p ? found : Character{kReplacement, 1};
}

// Writes one to four bytes and returns their end.
inline unsigned char* encode_utf8(std::uint32_t code, unsigned char* out) {
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

// Writes one character of a Python string and returns its end; may write one byte beyond it. Surrogates become question
// marks, as with Python's errors="replace".
inline unsigned char* encode_character(std::uint32_t code, unsigned char* out) {
  if (code >= 0x800) return encode_utf8(code >= 0xD800 && code < 0xE000 ? '?' : code, out);
  // No branch between one byte and two: letters and spaces follow no pattern.
  out[0] = static_cast<unsigned char>(code < 0x80 ? code : 0xC0 | code >> 6);
  out[1] = static_cast<unsigned char>(0x80 | (code & 0x3F));
  return out + 1 + (code >= 0x80);
}

constexpr std::int64_t kAsciiBlock = 16;

// Copies a block of characters if all are ASCII.
template <class C>
bool copy_ascii(const C* text, unsigned char* out) {
  C any = 0;
  for (std::int64_t i = 0; i < kAsciiBlock; ++i) any |= text[i];
  if (any >= 0x80) return false;
  for (std::int64_t i = 0; i < kAsciiBlock; ++i) out[i] = static_cast<unsigned char>(text[i]);
  return true;
}

template <class C>
unsigned char* encode_characters(const C* text, std::int64_t size, unsigned char* out) {
  std::int64_t i = 0;
  for (; i + kAsciiBlock <= size; i += kAsciiBlock) {
    if (copy_ascii(text + i, out)) {
      out += kAsciiBlock;
      continue;
    }
    for (std::int64_t k = i; k < i + kAsciiBlock; ++k) out = encode_character(text[k], out);
  }
  for (; i < size; ++i) out = encode_character(text[i], out);
  return out;
}

// A string in Python's memory: characters of one, two or four bytes.
struct Characters {
  const void* data;
  std::int64_t size;
  int width;  // bytes per character

  // Upper bound of what encode_utf8 writes.
  std::int64_t max_bytes() const { return size * (width == 1 ? 2 : width == 2 ? 3 : 4) + 1; }
};

// Writes a string and returns its end.
inline unsigned char* encode_utf8(const Characters& text, unsigned char* out) {
  if (text.width == 1) return encode_characters(static_cast<const std::uint8_t*>(text.data), text.size, out);
  if (text.width == 2) return encode_characters(static_cast<const std::uint16_t*>(text.data), text.size, out);
  return encode_characters(static_cast<const std::uint32_t*>(text.data), text.size, out);
}

}  // namespace deciban
