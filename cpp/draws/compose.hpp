// From the numbers of words back to documents.
#pragma once

#include <cstdint>
#include <vector>

#include "core/buffer.hpp"

namespace deciban {

// Words one after the other: where each begins, and the end of the last.
struct WordList {
  const std::int64_t* start;
  const unsigned char* bytes;
  std::int64_t words;
};

// Document i has `count[i]` of the drawn words, from `first[i]` on. They may be of any order and overlap.
struct Draws {
  const std::int32_t* word;
  std::int64_t words;
  const std::int64_t* first;
  const std::int64_t* count;
  std::int64_t documents;
};

struct Composed {
  std::vector<std::int64_t> start;  // of every document, and the end of the last
  Buffer<unsigned char> text;
};

// The words of every document, with spaces between them if they are `spaced`; `distinct`: each word once.
Composed compose(const WordList& list, const Draws& draws, bool spaced, bool distinct);

}  // namespace deciban
