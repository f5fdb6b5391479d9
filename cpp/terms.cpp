#include "terms.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace deciban {
namespace {

constexpr std::int64_t kSlack = 16;  // bytes behind the buffer's text that may be read

// One to one, so that different words of up to eight bytes have different hashes.
inline std::uint64_t mixed(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0xD6E8FEB86659FD93ull;
  x ^= x >> 32;
  x *= 0xD6E8FEB86659FD93ull;
  return x ^ x >> 32;
}

inline std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a ^ 0x9E3779B97F4A7C15ull) * (b ^ 0xE7037ED1A0B428DBull);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint64_t eight(const unsigned char* p) {
  std::uint64_t word;
  std::memcpy(&word, p, sizeof word);
  return word;
}

// Up to eight bytes, zeros behind them. With slack all eight may be read.
template <bool Slack>
inline std::uint64_t few(const unsigned char* p, std::int64_t n) {
  if constexpr (Slack) return n ? eight(p) & ~std::uint64_t{0} >> (64 - 8 * n) : 0;
  std::uint64_t word = 0;
  if (n) std::memcpy(&word, p, static_cast<std::size_t>(n));
  return word;
}

template <bool Slack>
inline std::uint64_t hash_part(const unsigned char* p, std::int64_t n) {
  if (n <= kShort) [[likely]]
    return mixed(few<Slack>(p, n));
  std::uint64_t h = static_cast<std::uint64_t>(n);
  for (; n > 8; p += 8, n -= 8) h = fold(h, eight(p));
  return mixed(fold(h, few<Slack>(p, n)));
}

inline std::uint64_t joined(std::uint64_t before, std::uint64_t part) { return mixed(fold(before, part)); }

template <bool Slack>
std::uint64_t hash_of(const unsigned char* p, std::int64_t n) {
  const unsigned char* const end = p + n;
  const auto part_end = [&](const unsigned char* from) { return std::find(from, end, static_cast<unsigned char>(' ')); };
  const unsigned char* space = part_end(p);
  std::uint64_t h = hash_part<Slack>(p, space - p);
  while (space != end) {
    p = space + 1;
    space = part_end(p);
    h = joined(h, hash_part<Slack>(p, space - p));
  }
  return h;
}

void check_size(std::int64_t size) {
  if (size > std::numeric_limits<std::uint32_t>::max())
    throw std::invalid_argument("a word of more than 4 GB cannot be counted; is the text what it should be?");
}

}  // namespace

std::uint64_t hash_term(const unsigned char* data, std::int64_t size) { return hash_of<false>(data, size); }

TermReader::TermReader(const Reading& reading) : reading_(reading) {
  for (int c = 0; c < 256; ++c) {
    const bool in = c < 128 && reading.letters.is(static_cast<std::uint32_t>(c), kWord);
    const std::uint32_t small = reading.lowercase ? reading.letters.small(static_cast<std::uint32_t>(c)) : c;
    word_[c] = in ? static_cast<unsigned char>(small) : 0;
  }
}

const std::vector<Term>& TermReader::read(const Document& document) {
  // Two bytes may become three in lower case, and one that is no UTF-8 becomes three.
  const std::int64_t need = 3 * document.size + 2 * kSlack;
  if (static_cast<std::int64_t>(buffer_.size()) < need) buffer_.resize(static_cast<std::size_t>(need));
  terms_.clear();
  numbers_.clear();
  if (reading_.chars) {
    find_characters(document);
    join_characters();
  } else {
    find_words(document);
    join_words();
  }
  // Numbers have stopped moving now.
  if (reading_.buckets)
    for (std::size_t i = 0; i < terms_.size(); ++i)
      terms_[i].data = reinterpret_cast<const unsigned char*>(numbers_.data() + i);
  return terms_;
}

// Runs of at least two word characters.
void TermReader::find_words(const Document& document) {
  const Letters& letters = reading_.letters;
  const unsigned char *p = document.data, *const end = p + document.size;
  unsigned char* const base = buffer_.data();
  unsigned char* out = base;
  tokens_.clear();
  while (p < end) {
    unsigned char* const begin = out;
    std::int64_t characters = 0;
    while (p < end) {
      if (const unsigned char c = word_[*p]) [[likely]] {
        *out++ = c;
        ++p;
        ++characters;
        continue;
      }
      if (*p < 0x80) {
        ++p;
        break;
      }
      const Character found = decode(p, end);
      std::uint32_t c = found.code;
      const unsigned char* const at = p;
      p += found.size;
      if (!letters.is(c, kWord)) break;
      if (reading_.lowercase)
        c = c == kSigma ? (is_final_sigma(letters, document.data, at, end) ? kFinalSigma : kSmallSigma)
                        : letters.small(c);
      out = encode(c, out);
      ++characters;
      if (found.code == kDottedI && reading_.lowercase) break;  // its second character is no letter
    }
    if (characters < 2) {
      out = begin;
      continue;
    }
    check_size(out - begin);
    tokens_.push_back({begin - base, out - base, hash_part<true>(begin, out - begin)});
    *out++ = ' ';
  }
}

void TermReader::add_bucket(std::uint64_t hash) {
  const auto number = static_cast<std::uint32_t>(static_cast<unsigned __int128>(hash) * reading_.buckets >> 64);
  numbers_.push_back(number);
  const auto* bytes = reinterpret_cast<const unsigned char*>(&number);
  terms_.push_back({nullptr, hash_of<false>(bytes, sizeof number), sizeof number});
}

void TermReader::join_words() {
  const unsigned char* const base = buffer_.data();
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    std::uint64_t hash = tokens_[i].hash;
    for (std::int64_t n = 1; n <= reading_.most && i + n <= tokens_.size(); ++n) {
      const Token& last = tokens_[i + n - 1];
      if (n > 1) hash = joined(hash, last.hash);
      if (n < reading_.least) continue;
      const std::int64_t size = last.end - tokens_[i].begin;
      check_size(size);
      if (reading_.buckets)
        add_bucket(hash);
      else
        terms_.push_back({base + tokens_[i].begin, hash, static_cast<std::uint32_t>(size)});
    }
  }
}

// All characters, with a run of white space as one space.
void TermReader::find_characters(const Document& document) {
  const Letters& letters = reading_.letters;
  const unsigned char *p = document.data, *const end = p + document.size;
  unsigned char* const base = buffer_.data();
  unsigned char* out = base;
  ends_.assign(1, 0);
  const auto put = [&](std::uint32_t c) {
    out = encode(c, out);
    ends_.push_back(out - base);
  };
  while (p < end) {
    const Character found = decode(p, end);
    const unsigned char* const at = p;
    p += found.size;
    if (letters.is(found.code, kSpace)) {
      std::int64_t run = 1;
      for (Character next; p < end && letters.is((next = decode(p, end)).code, kSpace); p += next.size) ++run;
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
  const unsigned char* const base = buffer_.data();
  const auto characters = static_cast<std::int64_t>(ends_.size()) - 1;
  for (std::int64_t n = reading_.least; n <= std::min(reading_.most, characters); ++n)
    for (std::int64_t i = 0; i + n <= characters; ++i) {
      const std::int64_t size = ends_[i + n] - ends_[i];
      check_size(size);
      const std::uint64_t hash = hash_of<true>(base + ends_[i], size);
      if (reading_.buckets)
        add_bucket(hash);
      else
        terms_.push_back({base + ends_[i], hash, static_cast<std::uint32_t>(size)});
    }
}

}  // namespace deciban
