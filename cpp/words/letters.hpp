// Classes of characters and lower case, as Python defines them.
#pragma once

#include <cstdint>

#include "core/utf8.hpp"

namespace deciban {

// Bits. kCased and kIgnorable are Unicode's properties Cased and Case_Ignorable.
enum CharacterClass : std::uint8_t { kWord = 1, kSpace = 2, kCased = 4, kIgnorable = 8 };

constexpr std::uint32_t kDottedI = 0x130, kDotAbove = 0x307;  // the one capital whose lower case is two characters
constexpr std::uint32_t kSigma = 0x3A3, kSmallSigma = 0x3C3, kFinalSigma = 0x3C2;

// Tables over the first `size` code points. Code points beyond have no class.
struct Letters {
  const std::uint8_t* classes;
  const std::int32_t* lower;
  std::int64_t size;

  bool is(std::uint32_t c, int character_class) const {
    return c < static_cast<std::uint64_t>(size) && (classes[c] & character_class);
  }
  std::uint32_t to_lower(std::uint32_t c) const {
    return c < static_cast<std::uint64_t>(size) ? static_cast<std::uint32_t>(lower[c]) : c;
  }
};

// Whether a capital sigma at p (two bytes) ends a word: the nearest character before it that is not ignorable is cased,
// and the nearest one after it is not.
inline bool is_final_sigma(const Letters& letters, const unsigned char* begin, const unsigned char* p,
                           const unsigned char* end) {
  const unsigned char* before = p;
  Character c{0, 0};
  while (before > begin && letters.is((c = decode_utf8_before(begin, before)).code, kIgnorable)) before -= c.size;
  if (before == begin || !letters.is(c.code, kCased)) return false;
  const unsigned char* after = p + 2;
  while (after < end && letters.is((c = decode_utf8(after, end)).code, kIgnorable)) after += c.size;
  return after == end || !letters.is(c.code, kCased);
}

// Replaces characters by those that they are made of, without accents: the plain character of a code point is itself,
// another one, or if `plain` is −1 − k a sequence: sequences[k] characters from sequences[k + 1] on. Code points beyond
// `size` are plain.
struct Accents {
  const std::int32_t* plain = nullptr;  // null: accents stay
  const std::int32_t* sequences = nullptr;
  std::int64_t size = 0;

  // Calls put with every plain character of a code point.
  template <class Put>
  void strip(std::uint32_t c, Put put) const {
    if (c >= static_cast<std::uint64_t>(size)) return put(c);
    if (plain[c] >= 0) return put(static_cast<std::uint32_t>(plain[c]));
    const std::int32_t* const sequence = sequences + (-1 - std::int64_t{plain[c]});
    for (std::int32_t i = 1; i <= sequence[0]; ++i) put(static_cast<std::uint32_t>(sequence[i]));
  }
};

}  // namespace deciban
