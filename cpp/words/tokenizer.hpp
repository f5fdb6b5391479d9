// From documents to terms: words, runs of words, or runs of characters, with a hash each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "words/letters.hpp"

namespace deciban {

// A document as UTF-8, or as Python keeps characters; missing where data is null.
struct Document {
  const unsigned char* data;
  std::int64_t size;  // bytes, or characters
  int width = 0;      // bytes of every character: 1, 2 or 4; 0: it is UTF-8
  bool is_bytes = false;  // Python's, which are no string there
};

// Texts of a list lie anywhere; where they are short, each would be waited for.
inline void prefetch(const Document& document) {
  const auto address = reinterpret_cast<std::uintptr_t>(document.data);
  __builtin_prefetch(reinterpret_cast<const void*>(address));
  __builtin_prefetch(reinterpret_cast<const void*>(address + 64));  // may lie outside: it is not read
}

struct Reading {
  bool chars;                // runs of characters instead of words
  bool lowercase;
  std::int64_t least, most;  // words, or characters, in a run
  std::uint64_t buckets;     // terms stand for one of so many numbers; 0: for themselves
  Letters letters;
  std::vector<std::uint32_t> joiners;  // between two letters these hold a word together
};

struct Term {
  const unsigned char* data;
  std::uint64_t hash;
  std::uint32_t size;
};

// The hash of a term: one to one for up to eight bytes, so that short terms are told apart by hash and length alone; that
// of a longer one is made of the hashes of its parts between spaces.
constexpr std::uint32_t kShort = 8;
std::uint64_t hash_term(const unsigned char* data, std::int64_t size);

// Reads documents one after the other, in memory that is used again.
class TermReader {
 public:
  explicit TermReader(const Reading& reading);

  // The terms of a document, valid until the next.
  std::span<const Term> read(const Document& document);

  // Whether terms are runs of words, all of which lie in the text that joined() is then.
  bool joins() const { return !reading_.chars && !reading_.buckets && reading_.most > 1; }
  std::span<const unsigned char> joined() const { return {joined_.data(), static_cast<std::size_t>(joined_end_)}; }

 private:
  Document encoded(const Document& document);
  void find_words(const Document& document);
  std::uint64_t joined_bytes(const unsigned char* p, std::uint64_t letters, bool before, bool behind) const;
  bool joins(std::uint32_t c) const { return std::ranges::find(reading_.joiners, c) != reading_.joiners.end(); }
  void add_word(std::int64_t begin, std::int64_t end);
  void add_foreign(const Document& document, std::int64_t begin, std::int64_t end);
  void join_words();
  void find_characters(const Document& document);
  void join_characters();
  void number_buckets();

  Reading reading_;
  std::vector<unsigned char> utf8_;     // the document, where it was not
  std::vector<unsigned char> text_;     // the document in lower case
  std::vector<unsigned char> foreign_;  // its words that are not ASCII
  std::int64_t foreign_end_ = 0;
  std::vector<unsigned char> joined_;   // all its words, with a space behind each
  std::int64_t joined_end_ = 0;
  std::vector<Term> words_;            // as many as there could be, and how many there are
  std::size_t found_ = 0;
  std::vector<std::int64_t> ends_;     // of characters
  std::vector<Term> runs_;
  std::vector<std::uint32_t> numbers_;
};

}  // namespace deciban
