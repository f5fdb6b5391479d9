#include "words/tokenizer.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "core/bytes.hpp"
#include "core/hash.hpp"
#include "core/utf8.hpp"

namespace deciban {
namespace {

constexpr std::int64_t kSlack = 64;  // bytes behind a text in the buffer that may be read and written
constexpr std::int64_t kChunk = 64;  // bytes looked at together

void check_size(std::int64_t size) {
  if (size > std::numeric_limits<std::uint32_t>::max())
    throw std::invalid_argument("a word of more than 4 GB cannot be counted; is the text what it should be?");
}

template <class T>
void at_least(std::vector<T>& memory, std::int64_t size) {
  if (static_cast<std::int64_t>(memory.size()) < size) memory.resize(static_cast<std::size_t>(size));
}

// Of words with one more byte each.
std::int64_t total_size(const Term* words, std::size_t n) {
  std::int64_t size = 0;
  for (std::size_t i = 0; i < n; ++i) size += std::int64_t{words[i].size} + 1;
  return size;
}

// Bytes between low and high, at most 127, as their highest bits; `x` has none of these.
inline std::uint64_t between(std::uint64_t x, std::uint64_t low, std::uint64_t high) {
  return (x + (0x80 - low) * kOnes) & ~(x + (0x7F - high) * kOnes) & kHighBits;
}

inline std::uint64_t bits_of(std::uint64_t high_bits) { return high_bits / 0x80 * 0x0102040810204080ull >> 56; }

// What is not ASCII has yet to be decoded.
inline bool may_be_letter(unsigned char c) {
  return c >= 0x80 || c == '_' || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

struct Chunk {
  std::uint64_t word, foreign;  // a bit per byte: letters, digits and underscores of ASCII; what is not ASCII
};

// Looks at 64 bytes and copies them, in lower case if asked for.
inline Chunk look_at(const unsigned char* p, bool lowercase, unsigned char* out) {
  Chunk found{0, 0};
  for (int i = 0; i < kChunk; i += 8) {
    const std::uint64_t x = load_eight(p + i), foreign = x & kHighBits, ascii = x & ~kHighBits;
    const std::uint64_t letter = between(ascii | 0x20 * kOnes, 'a', 'z') & ~foreign;
    const std::uint64_t other = between(ascii, '0', '9') | between(ascii, '_', '_');
    const std::uint64_t capital = letter & ~(ascii << 2);  // without the bit that makes it small
    const std::uint64_t small = lowercase ? x | capital >> 2 : x;
    std::memcpy(out + i, &small, sizeof small);
    found.word |= bits_of(letter | (other & ~foreign)) << i;
    found.foreign |= bits_of(foreign) << i;
  }
  return found;
}

}  // namespace

TermReader::TermReader(const Reading& reading) : reading_(reading) {}

Document TermReader::encoded(const Document& document) {
  const Characters text{document.data, document.size, document.width};
  at_least(utf8_, text.max_bytes());
  return {utf8_.data(), encode_utf8(text, utf8_.data()) - utf8_.data()};
}

std::span<const Term> TermReader::read(const Document& given) {
  const Document document = given.width ? encoded(given) : given;
  at_least(words_, document.size / 2 + 2);
  found_ = 0;
  runs_.clear();
  if (reading_.chars) {
    find_characters(document);
    join_characters();
  } else {
    find_words(document);
    if (reading_.most == 1 && !reading_.buckets) return {words_.data(), found_};
    join_words();
  }
  if (reading_.buckets) number_buckets();
  return runs_;
}

// Of 64 bytes, which are joiners between two letters; whether the byte before them is one, and that behind. What is not
// ASCII belongs to a run anyway, so its bytes may be taken for anything.
std::uint64_t TermReader::joined_bytes(const unsigned char* p, std::uint64_t letters, bool before, bool behind) const {
  std::uint64_t found = 0;
  for (int i = 0; i < kChunk; i += 8) {
    const std::uint64_t ascii = load_eight(p + i) & ~kHighBits;
    std::uint64_t here = 0;
    for (const std::uint32_t c : reading_.joiners)
      if (c < 0x80) here |= between(ascii, c, c);
    found |= bits_of(here) << i;
  }
  return found & (letters << 1 | before) & (letters >> 1 | std::uint64_t{behind} << 63);
}

// Runs of two or more word characters, and joiners between them. Those with anything but ASCII in them are looked at
// again.
void TermReader::find_words(const Document& document) {
  at_least(text_, document.size + kSlack);
  foreign_end_ = 0;
  unsigned char last[kChunk];
  std::int64_t begin = 0, last_foreign = -1;
  std::uint64_t inside = 0;  // whether the byte before belongs to a run
  bool after_letter = false;
  const auto end_at = [&](std::int64_t end) {
    if (last_foreign >= begin) [[unlikely]]
      add_foreign(document, begin, end);
    else
      add_word(begin, end);
  };
  for (std::int64_t at = 0; at < document.size; at += kChunk) {
    const unsigned char* p = document.data + at;
    if (document.size - at < kChunk) {
      std::memset(last, 0, sizeof last);
      std::memcpy(last, p, static_cast<std::size_t>(document.size - at));
      p = last;
    }
    const Chunk chunk = look_at(p, reading_.lowercase, text_.data() + at);
    std::uint64_t run = chunk.word | chunk.foreign;
    if (!reading_.joiners.empty()) {
      const bool before_letter = at + kChunk < document.size && may_be_letter(document.data[at + kChunk]);
      const std::uint64_t joined = joined_bytes(p, run, after_letter, before_letter);
      after_letter = run >> 63;
      run |= joined;
    }
    if (!chunk.foreign) [[likely]] {
      const std::uint64_t edges = run ^ (run << 1 | inside);
      std::uint64_t begins = edges & run, ends = edges & ~run;
      const auto next_begin = [&] {
        begin = begins ? at + std::countr_zero(begins) : begin;
        begins &= begins - 1;
      };
      if (!inside) next_begin();
      if (ends) {
        end_at(at + std::countr_zero(ends));
        ends &= ends - 1;
        next_begin();
      }
      for (; ends; ends &= ends - 1) {
        add_word(begin, at + std::countr_zero(ends));
        next_begin();
      }
      inside = run >> 63;
      continue;
    }
    for (std::uint64_t edges = run ^ (run << 1 | inside); edges; edges &= edges - 1) {
      const int bit = std::countr_zero(edges);
      if (run >> bit & 1) {
        begin = at + bit;
        continue;
      }
      if (const std::uint64_t before = chunk.foreign & ((std::uint64_t{1} << bit) - 1))
        last_foreign = at + 63 - std::countl_zero(before);
      end_at(at + bit);
    }
    last_foreign = at + 63 - std::countl_zero(chunk.foreign);
    inside = run >> 63;
  }
  if (inside) end_at(document.size);
}

// A word that is in the buffer. Whether it is too short is no pattern that a branch could follow.
inline void TermReader::add_word(std::int64_t begin, std::int64_t end) {
  const unsigned char* const p = text_.data() + begin;
  words_[found_] = {p, hash_padded(p, end - begin), static_cast<std::uint32_t>(end - begin)};
  found_ += end - begin >= 2;
  if (end - begin > std::numeric_limits<std::uint32_t>::max()) [[unlikely]]
    check_size(end - begin);
}

void TermReader::add_foreign(const Document& document, std::int64_t first, std::int64_t last) {
  at_least(foreign_, 2 * document.size + kSlack);  // in lower case two bytes may become three
  const Letters& letters = reading_.letters;
  const unsigned char *p = document.data + first, *const end = document.data + last;
  const unsigned char* const end_of_text = document.data + document.size;
  const auto holds = [&](std::uint32_t c) {
    return joins(c) && p < end_of_text && letters.is(decode_utf8(p, end_of_text).code, kWord);
  };
  while (p < end) {
    unsigned char *const begin = foreign_.data() + foreign_end_, *out = begin;
    std::int64_t characters = 0;
    while (p < end) {
      const Character found = decode_utf8(p, end_of_text);
      const unsigned char* const at = p;
      p += found.size;
      std::uint32_t c = reading_.lowercase ? letters.small(found.code) : found.code;
      if (!letters.is(found.code, kWord) && !(characters && holds(c))) break;
      if (reading_.lowercase && found.code == kSigma)
        c = is_final_sigma(letters, document.data, at, end_of_text) ? kFinalSigma : kSmallSigma;
      out = encode_utf8(c, out);
      ++characters;
      if (reading_.lowercase && found.code == kDottedI) {  // its second character is no letter
        if (!holds(kDotAbove)) break;
        out = encode_utf8(kDotAbove, out);
      }
    }
    if (characters < 2) continue;
    check_size(out - begin);
    words_[found_++] = {begin, hash_padded(begin, out - begin), static_cast<std::uint32_t>(out - begin)};
    foreign_end_ += out - begin;
  }
}

// Runs of words, with a space between two.
void TermReader::join_words() {
  at_least(joined_, total_size(words_.data(), found_) + kSlack);
  unsigned char* out = joined_.data();
  for (std::size_t i = 0; i < found_; ++i) {
    std::memcpy(out, words_[i].data, words_[i].size);
    words_[i].data = out;
    out += words_[i].size;
    *out++ = ' ';
  }
  joined_end_ = out - joined_.data();
  for (std::size_t i = 0; i < found_; ++i) {
    std::uint64_t hash = words_[i].hash;
    const std::size_t end = std::min(found_, i + static_cast<std::size_t>(reading_.most));
    for (std::size_t last = i; last < end; ++last) {
      if (last > i) hash = hash_next(hash, words_[last].hash);
      if (static_cast<std::int64_t>(last - i) + 1 < reading_.least) continue;
      const std::int64_t size = words_[last].data + words_[last].size - words_[i].data;
      check_size(size);
      const bool is_short = size <= static_cast<std::int64_t>(kShortTerm);
      runs_.push_back({words_[i].data, is_short ? hash_padded(words_[i].data, size) : hash, static_cast<std::uint32_t>(size)});
    }
  }
}

// All characters, with a run of white space as one space.
void TermReader::find_characters(const Document& document) {
  at_least(text_, 3 * document.size + kSlack);  // a byte that is no UTF-8 becomes a character of three
  const Letters& letters = reading_.letters;
  const unsigned char *p = document.data, *const end = p + document.size;
  unsigned char *const base = text_.data(), *out = base;
  ends_.assign(1, 0);
  const auto put = [&](std::uint32_t c) {
    out = encode_utf8(c, out);
    ends_.push_back(out - base);
  };
  while (p < end) {
    const Character found = decode_utf8(p, end);
    const unsigned char* const at = p;
    p += found.size;
    if (letters.is(found.code, kSpace)) {
      std::int64_t run = 1;
      for (Character next; p < end && letters.is((next = decode_utf8(p, end)).code, kSpace); p += next.size) ++run;
      put(run > 1 ? ' ' : found.code);
    } else if (!reading_.lowercase) {
      put(found.code);
    } else if (found.code == kSigma) {
      put(is_final_sigma(letters, document.data, at, end) ? kFinalSigma : kSmallSigma);
    } else {
      put(letters.small(found.code));
      if (found.code == kDottedI) put(kDotAbove);
    }
  }
}

void TermReader::join_characters() {
  const unsigned char* const base = text_.data();
  const auto characters = static_cast<std::int64_t>(ends_.size()) - 1;
  for (std::int64_t n = reading_.least; n <= std::min(reading_.most, characters); ++n)
    for (std::int64_t i = 0; i + n <= characters; ++i) {
      const unsigned char* const p = base + ends_[i];
      const std::int64_t size = ends_[i + n] - ends_[i];
      check_size(size);
      runs_.push_back({p, hash_term(p, size), static_cast<std::uint32_t>(size)});
    }
}

// Terms become the numbers of buckets, four bytes each.
void TermReader::number_buckets() {
  numbers_.resize(runs_.size());
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    numbers_[i] = static_cast<std::uint32_t>(static_cast<unsigned __int128>(runs_[i].hash) * reading_.buckets >> 64);
    const auto* bytes = reinterpret_cast<const unsigned char*>(&numbers_[i]);
    runs_[i] = {bytes, hash_bytes(bytes, sizeof numbers_[i]), sizeof numbers_[i]};
  }
}

}  // namespace deciban
