// From documents to terms: words, n-grams of words, or n-grams of characters, with their hashes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/document.hpp"
#include "words/letters.hpp"

namespace deciban {

struct TokenizerOptions {
  bool chars;  // n-grams of characters instead of words
  bool lowercase;
  std::int64_t min_n, max_n;  // words, or characters, of an n-gram
  std::uint64_t buckets;      // number of buckets that terms are hashed into; 0: terms stay as they are
  Letters letters;
  std::vector<std::uint32_t> joiners;  // characters that join two letters to one word
  Accents accents{};                   // to be taken off after the change to lower case
  bool within_words = false;           // n-grams of characters lie within a word with a space before and after it
  bool positions = false;              // terms are single words with their positions: 3:word is the third word

  // Whether terms are n-grams of words, with their text.
  bool joins_words() const { return !chars && !buckets && max_n > 1; }
};

struct Term {
  const unsigned char* data;
  std::uint64_t hash;
  std::uint32_t size;
};

// Reads one document after the other, in memory that is used again.
class Tokenizer {
 public:
  explicit Tokenizer(const TokenizerOptions& options);

  // Returns the terms of a document, valid until the next call.
  std::span<const Term> read(const Document& document);

  // Returns the single words of a document, valid until the next call.
  std::span<const Term> read_words(const Document& document);

  // The text of the terms of the last document, if they are n-grams of words.
  std::span<const unsigned char> joined_text() const {
    return {joined_.data(), static_cast<std::size_t>(joined_size_)};
  }

 private:
  // Position in the scan for words.
  struct Scan {
    std::int64_t begin = 0;            // of the current word
    std::int64_t last_non_ascii = -1;  // position of the last byte that is not ASCII
    std::uint64_t inside = 0;          // 1 if the last byte belongs to a word
    bool after_letter = false;         // whether the last byte is a letter, for joiners
  };

  Document prepare(const Document& document);
  Document to_utf8(const Document& document);
  Document without_accents(const Document& document);
  void find_words(const Document& document);
  std::uint64_t word_bits(const Document& document, std::int64_t at, const unsigned char* p, std::uint64_t letters,
                          Scan& scan) const;
  std::uint64_t joiner_bits(const unsigned char* p, std::uint64_t letters, bool letter_before, bool letter_after) const;
  void scan_ascii(const Document& document, std::int64_t at, std::uint64_t word, Scan& scan);
  void scan_any(const Document& document, std::int64_t at, std::uint64_t word, std::uint64_t non_ascii, Scan& scan);
  void end_word(const Document& document, std::int64_t begin, std::int64_t end, std::int64_t last_non_ascii);
  bool is_joiner(std::uint32_t c) const { return std::ranges::find(options_.joiners, c) != options_.joiners.end(); }
  void add_word(std::int64_t begin, std::int64_t end);
  void add_decoded_words(const Document& document, std::int64_t begin, std::int64_t end);
  void join_words();
  void number_words();
  void find_characters(const Document& document);
  void join_characters();
  void add_character_ngrams(std::size_t first, std::size_t end);
  void replace_by_buckets();

  TokenizerOptions options_;
  bool lowercase_ = false;              // whether the current document is still to be put in lower case
  std::vector<unsigned char> plain_;    // the document in lower case if asked for, without accents
  std::vector<unsigned char> utf8_;     // the document, converted to UTF-8
  std::vector<unsigned char> text_;     // the document, in lower case if asked for
  std::vector<unsigned char> decoded_;  // words that are not all ASCII, one after the other
  std::int64_t decoded_size_ = 0;
  std::vector<unsigned char> joined_;  // all words, each followed by a space or after its position
  std::int64_t joined_size_ = 0;
  std::vector<Term> words_;  // room for the most words a document can have
  std::size_t word_count_ = 0;
  std::vector<std::int64_t> character_ends_;
  std::vector<Term> ngrams_;
  std::vector<std::uint32_t> bucket_numbers_;
};

}  // namespace deciban
