#include "words/tokenizer.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "core/bytes.hpp"
#include "core/hash.hpp"
#include "core/utf8.hpp"

namespace deciban {
namespace {

constexpr std::int64_t kSlack = 64;  // bytes after a text that may be read and written
constexpr std::int64_t kChunk = 64;  // bytes classified together, one bit of an integer each

void check_size(std::int64_t size) {
  if (size > std::numeric_limits<std::uint32_t>::max())
    throw std::invalid_argument("a word of more than 4 GB cannot be counted; is the text what it should be?");
}

template <class T>
void require_room(std::vector<T>& memory, std::int64_t size) {
  if (static_cast<std::int64_t>(memory.size()) < size) memory.resize(static_cast<std::size_t>(size));
}

// Returns the highest bit of every byte that lies between low and high. All bytes are below 128.
inline std::uint64_t bytes_between(std::uint64_t x, std::uint64_t low, std::uint64_t high) {
  return (x + (0x80 - low) * kOnes) & ~(x + (0x7F - high) * kOnes) & kHighBits;
}

// Gathers the highest bits of eight bytes in the lowest byte.
inline std::uint64_t gather_bits(std::uint64_t high_bits) { return high_bits / 0x80 * 0x0102040810204080ull >> 56; }

// Whether a byte is a letter of ASCII or part of a character that has to be decoded.
inline bool may_be_letter(unsigned char c) {
  return c >= 0x80 || c == '_' || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

// One bit per byte of a chunk.
struct ByteClasses {
  std::uint64_t ascii_word;  // letters, digits and underscores
  std::uint64_t non_ascii;
};

// Classifies 64 bytes and copies them, in lower case if asked for.
inline ByteClasses classify(const unsigned char* p, bool lowercase, unsigned char* out) {
  ByteClasses found{0, 0};
  for (int i = 0; i < kChunk; i += 8) {
    const std::uint64_t x = load_eight(p + i), non_ascii = x & kHighBits, ascii = x & ~kHighBits;
    const std::uint64_t letter = bytes_between(ascii | 0x20 * kOnes, 'a', 'z') & ~non_ascii;
    const std::uint64_t other = bytes_between(ascii, '0', '9') | bytes_between(ascii, '_', '_');
    const std::uint64_t capital = letter & ~(ascii << 2);  // letters without bit 0x20, moved to the highest bit
    const std::uint64_t copy = lowercase ? x | capital >> 2 : x;
    std::memcpy(out + i, &copy, sizeof copy);
    found.ascii_word |= gather_bits(letter | (other & ~non_ascii)) << i;
    found.non_ascii |= gather_bits(non_ascii) << i;
  }
  return found;
}

// Calls put with the lower case of a character at p, which is two characters for one capital.
template <class Put>
void put_lower(const Letters& letters, const Document& document, const unsigned char* p, std::uint32_t c, Put put) {
  if (c == kSigma) {
    put(is_final_sigma(letters, document.data, p, document.data + document.size) ? kFinalSigma : kSmallSigma);
  } else {
    put(letters.to_lower(c));
    if (c == kDottedI) put(kDotAbove);
  }
}

bool is_ascii(const Document& document) {
  const unsigned char *p = document.data, *const end = p + document.size;
  for (; end - p >= 8; p += 8)
    if (load_eight(p) & kHighBits) return false;
  return std::all_of(p, end, [](unsigned char c) { return c < 0x80; });
}

}  // namespace

Tokenizer::Tokenizer(const TokenizerOptions& options) : options_(options) {}

Document Tokenizer::to_utf8(const Document& document) {
  const Characters text{document.data, document.size, document.width};
  require_room(utf8_, text.max_bytes());
  return {utf8_.data(), encode_utf8(text, utf8_.data()) - utf8_.data()};
}

// Puts a document in lower case if asked for, and takes off the accents. The plain characters of a lower-case one may
// be capitals, which stay.
Document Tokenizer::without_accents(const Document& document) {
  const Letters& letters = options_.letters;
  const unsigned char *p = document.data, *const end = p + document.size;
  std::size_t size = 0;
  const auto put = [&](std::uint32_t c) {
    require_room(plain_, static_cast<std::int64_t>(2 * size) + kSlack);
    size = static_cast<std::size_t>(encode_utf8(c, plain_.data() + size) - plain_.data());
  };
  const auto strip = [&](std::uint32_t c) { options_.accents.strip(c, put); };
  plain_.resize(std::max<std::size_t>(plain_.size(), kSlack));
  while (p < end) {
    const Character found = decode_utf8(p, end);
    if (lowercase_)
      put_lower(letters, document, p, found.code, strip);
    else
      strip(found.code);
    p += found.size;
  }
  lowercase_ = false;
  return {plain_.data(), static_cast<std::int64_t>(size)};
}

// Returns a document in UTF-8 and without accents if asked for, and makes room for its words.
Document Tokenizer::prepare(const Document& given) {
  Document document = given.width ? to_utf8(given) : given;
  lowercase_ = options_.lowercase;
  if (options_.accents.plain && !is_ascii(document)) document = without_accents(document);
  require_room(words_, document.size / 2 + 2);
  word_count_ = 0;
  ngrams_.clear();
  return document;
}

std::span<const Term> Tokenizer::read_words(const Document& document) {
  find_words(prepare(document));
  return {words_.data(), word_count_};
}

std::span<const Term> Tokenizer::read(const Document& document) {
  if (options_.chars) {
    find_characters(prepare(document));
    join_characters();
  } else {
    const std::span<const Term> words = read_words(document);
    if (options_.positions) number_words();
    if (options_.max_n == 1 && !options_.buckets) return words;
    join_words();
  }
  if (options_.buckets) replace_by_buckets();
  return ngrams_;
}

// Returns the bytes of a chunk that are joiners between two letters. Bytes that are not ASCII belong to a word at this
// stage, so that it does not matter whether they look like joiners.
std::uint64_t Tokenizer::joiner_bits(const unsigned char* p, std::uint64_t letters, bool letter_before,
                                     bool letter_after) const {
  std::uint64_t found = 0;
  for (int i = 0; i < kChunk; i += 8) {
    const std::uint64_t ascii = load_eight(p + i) & ~kHighBits;
    std::uint64_t joiners = 0;
    for (const std::uint32_t c : options_.joiners)
      if (c < 0x80) joiners |= bytes_between(ascii, c, c);
    found |= gather_bits(joiners) << i;
  }
  return found & (letters << 1 | letter_before) & (letters >> 1 | std::uint64_t{letter_after} << 63);
}

// Returns the bytes of the chunk at p (document position `at`) that belong to words: letters and joiners.
inline std::uint64_t Tokenizer::word_bits(const Document& document, std::int64_t at, const unsigned char* p,
                                          std::uint64_t letters, Scan& scan) const {
  if (options_.joiners.empty()) return letters;
  const bool letter_after = at + kChunk < document.size && may_be_letter(document.data[at + kChunk]);
  const std::uint64_t joiners = joiner_bits(p, letters, scan.after_letter, letter_after);
  scan.after_letter = letters >> 63;
  return letters | joiners;
}

// Finds words of two or more word characters. Words with bytes that are not ASCII are decoded and looked at again.
void Tokenizer::find_words(const Document& document) {
  require_room(text_, document.size + kSlack);
  decoded_size_ = 0;
  unsigned char last_chunk[kChunk];
  Scan scan;
  for (std::int64_t at = 0; at < document.size; at += kChunk) {
    const unsigned char* p = document.data + at;
    if (document.size - at < kChunk) {
      std::memset(last_chunk, 0, sizeof last_chunk);
      std::memcpy(last_chunk, p, static_cast<std::size_t>(document.size - at));
      p = last_chunk;
    }
    const ByteClasses classes = classify(p, lowercase_, text_.data() + at);
    const std::uint64_t word = word_bits(document, at, p, classes.ascii_word | classes.non_ascii, scan);
    if (!classes.non_ascii) [[likely]]
      scan_ascii(document, at, word, scan);
    else
      scan_any(document, at, word, classes.non_ascii, scan);
    scan.inside = word >> 63;
  }
  if (scan.inside) end_word(document, scan.begin, document.size, scan.last_non_ascii);
}

// Adds the words that end in a chunk of ASCII. Only the first of them may have begun before the chunk.
inline void Tokenizer::scan_ascii(const Document& document, std::int64_t at, std::uint64_t word, Scan& scan) {
  const std::uint64_t edges = word ^ (word << 1 | scan.inside);
  std::uint64_t begins = edges & word, ends = edges & ~word;
  std::int64_t begin = scan.begin;
  const auto next_begin = [&] {
    begin = begins ? at + std::countr_zero(begins) : begin;
    begins &= begins - 1;
  };
  if (!scan.inside) next_begin();
  if (ends) {
    end_word(document, begin, at + std::countr_zero(ends), scan.last_non_ascii);
    ends &= ends - 1;
    next_begin();
  }
  for (; ends; ends &= ends - 1) {
    add_word(begin, at + std::countr_zero(ends));
    next_begin();
  }
  scan.begin = begin;
}

void Tokenizer::scan_any(const Document& document, std::int64_t at, std::uint64_t word, std::uint64_t non_ascii,
                         Scan& scan) {
  for (std::uint64_t edges = word ^ (word << 1 | scan.inside); edges; edges &= edges - 1) {
    const int bit = std::countr_zero(edges);
    if (word >> bit & 1) {
      scan.begin = at + bit;
      continue;
    }
    if (const std::uint64_t before = non_ascii & ((std::uint64_t{1} << bit) - 1))
      scan.last_non_ascii = at + 63 - std::countl_zero(before);
    end_word(document, scan.begin, at + bit, scan.last_non_ascii);
  }
  scan.last_non_ascii = at + 63 - std::countl_zero(non_ascii);
}

inline void Tokenizer::end_word(const Document& document, std::int64_t begin, std::int64_t end,
                                std::int64_t last_non_ascii) {
  if (last_non_ascii >= begin) [[unlikely]]
    add_decoded_words(document, begin, end);
  else
    add_word(begin, end);
}

// Adds text_[begin, end) unless it is a single character. No branch, because short words follow no pattern.
inline void Tokenizer::add_word(std::int64_t begin, std::int64_t end) {
  const unsigned char* const p = text_.data() + begin;
  words_[word_count_] = {p, hash_padded(p, end - begin), static_cast<std::uint32_t>(end - begin)};
  word_count_ += end - begin >= 2;
  if (end - begin > std::numeric_limits<std::uint32_t>::max()) [[unlikely]]
    check_size(end - begin);
}

// Adds the words of document[first, last), which may be several: some of its characters may not be letters.
void Tokenizer::add_decoded_words(const Document& document, std::int64_t first, std::int64_t last) {
  require_room(decoded_, 2 * document.size + kSlack);  // two bytes may become three in lower case
  const Letters& letters = options_.letters;
  const unsigned char *p = document.data + first, *const end = document.data + last;
  const unsigned char* const end_of_text = document.data + document.size;
  const auto joins = [&](std::uint32_t c) {
    return is_joiner(c) && p < end_of_text && letters.is(decode_utf8(p, end_of_text).code, kWord);
  };
  while (p < end) {
    unsigned char *const begin = decoded_.data() + decoded_size_, *out = begin;
    std::int64_t characters = 0;
    while (p < end) {
      const Character found = decode_utf8(p, end_of_text);
      const unsigned char* const at = p;
      p += found.size;
      std::uint32_t c = lowercase_ ? letters.to_lower(found.code) : found.code;
      if (!letters.is(found.code, kWord) && !(characters && joins(c))) break;
      if (lowercase_ && found.code == kSigma)
        c = is_final_sigma(letters, document.data, at, end_of_text) ? kFinalSigma : kSmallSigma;
      out = encode_utf8(c, out);
      ++characters;
      if (lowercase_ && found.code == kDottedI) {  // its second character is not a letter
        if (!joins(kDotAbove)) break;
        out = encode_utf8(kDotAbove, out);
      }
    }
    if (characters < 2) continue;
    check_size(out - begin);
    words_[word_count_++] = {begin, hash_padded(begin, out - begin), static_cast<std::uint32_t>(out - begin)};
    decoded_size_ += out - begin;
  }
}

// Makes n-grams of words, with a space between two words.
void Tokenizer::join_words() {
  std::int64_t size = 0;
  for (std::size_t i = 0; i < word_count_; ++i) size += std::int64_t{words_[i].size} + 1;
  require_room(joined_, size + kSlack);
  unsigned char* out = joined_.data();
  for (std::size_t i = 0; i < word_count_; ++i) {
    std::memcpy(out, words_[i].data, words_[i].size);
    words_[i].data = out;
    out += words_[i].size;
    *out++ = ' ';
  }
  joined_size_ = out - joined_.data();
  for (std::size_t i = 0; i < word_count_; ++i) {
    std::uint64_t hash = words_[i].hash;
    const std::size_t end = std::min(word_count_, i + static_cast<std::size_t>(options_.max_n));
    for (std::size_t last = i; last < end; ++last) {
      if (last > i) hash = hash_next(hash, words_[last].hash);
      if (static_cast<std::int64_t>(last - i) + 1 < options_.min_n) continue;
      const std::int64_t bytes = words_[last].data + words_[last].size - words_[i].data;
      check_size(bytes);
      const bool is_short = bytes <= static_cast<std::int64_t>(kShortTerm);
      const std::uint64_t term_hash = is_short ? hash_padded(words_[i].data, bytes) : hash;
      ngrams_.push_back({words_[i].data, term_hash, static_cast<std::uint32_t>(bytes)});
    }
  }
}

// Writes the position of every word before it, from 1, with a colon between both.
void Tokenizer::number_words() {
  constexpr std::int64_t kMostDigits = 20;
  std::int64_t size = 0;
  for (std::size_t i = 0; i < word_count_; ++i) size += kMostDigits + 1 + std::int64_t{words_[i].size};
  require_room(joined_, size + kSlack);
  unsigned char* out = joined_.data();
  for (std::size_t i = 0; i < word_count_; ++i) {
    unsigned char* const begin = out;
    char* const digits = reinterpret_cast<char*>(begin);
    out += std::to_chars(digits, digits + kMostDigits, i + 1).ptr - digits;
    *out++ = ':';
    std::memcpy(out, words_[i].data, words_[i].size);
    out += words_[i].size;
    check_size(out - begin);
    words_[i] = {begin, hash_padded(begin, out - begin), static_cast<std::uint32_t>(out - begin)};
  }
}

// Finds all characters; several white-space characters in a row become one space. Within words, all white space does,
// and there is one space before and after all words.
void Tokenizer::find_characters(const Document& document) {
  require_room(text_, 3 * document.size + 2 + kSlack);  // an invalid byte becomes a character of three bytes
  const Letters& letters = options_.letters;
  const unsigned char *p = document.data, *const end = p + document.size;
  unsigned char *const base = text_.data(), *out = base;
  character_ends_.assign(1, 0);
  const auto put = [&](std::uint32_t c) {
    out = encode_utf8(c, out);
    character_ends_.push_back(out - base);
  };
  const auto separate = [&] {
    if (out == base || out[-1] != ' ') put(' ');
  };
  if (options_.within_words) separate();
  while (p < end) {
    const Character found = decode_utf8(p, end);
    const unsigned char* const at = p;
    p += found.size;
    if (letters.is(found.code, kSpace) && options_.within_words) {
      separate();
    } else if (letters.is(found.code, kSpace)) {
      std::int64_t spaces = 1;
      for (Character next; p < end && letters.is((next = decode_utf8(p, end)).code, kSpace); p += next.size) ++spaces;
      put(spaces > 1 ? ' ' : found.code);
    } else if (lowercase_) {
      put_lower(letters, document, at, found.code, put);
    } else {
      put(found.code);
    }
  }
  if (options_.within_words) separate();
}

void Tokenizer::join_characters() {
  const std::size_t characters = character_ends_.size() - 1;
  if (!options_.within_words) return add_character_ngrams(0, characters);
  for (std::size_t begin = 0, i = 1; i < characters; ++i) {
    if (text_[static_cast<std::size_t>(character_ends_[i])] != ' ') continue;
    add_character_ngrams(begin, i + 1);
    begin = i;
  }
}

// Adds the n-grams of a run of characters. A word that is shorter than the shortest n-gram is one term.
void Tokenizer::add_character_ngrams(std::size_t first, std::size_t end) {
  const unsigned char* const base = text_.data();
  const auto size = static_cast<std::int64_t>(end - first);
  const std::int64_t least = options_.within_words ? std::min(options_.min_n, size) : options_.min_n;
  for (std::int64_t n = least; n <= std::min(options_.max_n, size); ++n)
    for (std::size_t i = first, last = first + static_cast<std::size_t>(n); last <= end; ++i, ++last) {
      const unsigned char* const p = base + character_ends_[i];
      const std::int64_t bytes = character_ends_[last] - character_ends_[i];
      check_size(bytes);
      ngrams_.push_back({p, hash_term(p, bytes), static_cast<std::uint32_t>(bytes)});
    }
}

// Replaces every term by the number of its bucket, four bytes.
void Tokenizer::replace_by_buckets() {
  bucket_numbers_.resize(ngrams_.size());
  for (std::size_t i = 0; i < ngrams_.size(); ++i) {
    std::uint32_t& number = bucket_numbers_[i];
    number = static_cast<std::uint32_t>(static_cast<unsigned __int128>(ngrams_[i].hash) * options_.buckets >> 64);
    const auto* bytes = reinterpret_cast<const unsigned char*>(&number);
    ngrams_[i] = {bytes, hash_bytes(bytes, sizeof number), sizeof number};
  }
}

}  // namespace deciban
