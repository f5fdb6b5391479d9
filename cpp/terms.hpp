// From documents to terms: words, runs of words, or runs of characters, with a hash each.
#pragma once

#include <cstdint>
#include <vector>

#include "letters.hpp"

namespace deciban {

// A document as UTF-8; missing where data is null.
struct Document {
  const unsigned char* data;
  std::int64_t size;
};

struct Reading {
  bool chars;                // runs of characters instead of words
  bool lowercase;
  std::int64_t least, most;  // words, or characters, in a run
  std::uint64_t buckets;     // terms stand for one of so many numbers; 0: for themselves
  Letters letters;
};

struct Term {
  const unsigned char* data;
  std::uint64_t hash;
  std::uint32_t size;
};

// The hash of a term, made of its parts between spaces. One of a part of up to eight bytes belongs to no other such
// part, so short words are told apart by hash and length alone.
constexpr std::uint32_t kShort = 8;
std::uint64_t hash_term(const unsigned char* data, std::int64_t size);

// Reads documents one after the other, in memory that is used again.
class TermReader {
 public:
  explicit TermReader(const Reading& reading);

  // The terms of a document, valid until the next.
  const std::vector<Term>& read(const Document& document);

 private:
  struct Token {
    std::int64_t begin, end;
    std::uint64_t hash;
  };

  void find_words(const Document& document);
  void find_characters(const Document& document);
  void join_words();
  void join_characters();
  void add_bucket(std::uint64_t hash);

  Reading reading_;
  unsigned char word_[256];            // a letter or digit of ASCII, in lower case if that is asked for; 0: no such
  std::vector<unsigned char> buffer_;  // words with a space behind each, or all characters
  std::vector<Token> tokens_;
  std::vector<std::int64_t> ends_;     // of characters
  std::vector<std::uint32_t> numbers_;
  std::vector<Term> terms_;
};

}  // namespace deciban
