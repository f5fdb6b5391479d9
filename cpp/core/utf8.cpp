#include "core/utf8.hpp"

#include "words/letters.hpp"

namespace deciban {
namespace {

constexpr std::int64_t kRun = 16;

// Most letters of most texts are ASCII, whatever the widest of them is.
template <class C>
bool ascii_run(const C* text, unsigned char* out) {
  C any = 0;
  for (std::int64_t i = 0; i < kRun; ++i) any |= text[i];
  if (any >= 0x80) return false;
  for (std::int64_t i = 0; i < kRun; ++i) out[i] = static_cast<unsigned char>(text[i]);
  return true;
}

inline unsigned char* encode_one(std::uint32_t c, unsigned char* out) {
  if (c >= 0x800) return encode(c >= 0xD800 && c < 0xE000 ? '?' : c, out);
  // No branch between one byte and two: letters and spaces follow no pattern.
  out[0] = static_cast<unsigned char>(c < 0x80 ? c : 0xC0 | c >> 6);
  out[1] = static_cast<unsigned char>(0x80 | (c & 0x3F));
  return out + 1 + (c >= 0x80);
}

template <class C>
unsigned char* encode_all(const C* text, std::int64_t size, unsigned char* out) {
  std::int64_t i = 0;
  for (; i + kRun <= size; i += kRun) {
    if (ascii_run(text + i, out)) {
      out += kRun;
      continue;
    }
    for (std::int64_t k = i; k < i + kRun; ++k) out = encode_one(text[k], out);
  }
  for (; i < size; ++i) out = encode_one(text[i], out);
  return out;
}

}  // namespace

unsigned char* encode_utf8(const Characters& text, unsigned char* out) {
  if (text.width == 1) return encode_all(static_cast<const std::uint8_t*>(text.data), text.size, out);
  if (text.width == 2) return encode_all(static_cast<const std::uint16_t*>(text.data), text.size, out);
  return encode_all(static_cast<const std::uint32_t*>(text.data), text.size, out);
}

}  // namespace deciban
