// From documents to terms: words, runs of words, or runs of characters, with a hash each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/document.hpp"
#include "words/letters.hpp"

namespace deciban {

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
