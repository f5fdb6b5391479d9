// Documents made of drawn words.
#pragma once

#include <cstdint>
#include <vector>

#include "core/buffer.hpp"

namespace deciban {

// Word i is bytes[start[i], start[i + 1]).
struct WordList {
  const std::int64_t* start;
  const unsigned char* bytes;
  std::int64_t words;
};

// Document i has the drawn words first[i] to first[i] + count[i]. Documents may overlap.
struct DrawnWords {
  const std::int32_t* word;
  std::int64_t words;
  const std::int64_t* first;
  const std::int64_t* count;
  std::int64_t documents;
};

struct ComposedTexts {
  std::vector<std::int64_t> start;  // documents + 1
  Buffer<unsigned char> text;
};

// Writes the words of every document. `spaced` puts spaces between them; `distinct` writes every word once.
ComposedTexts compose(const WordList& list, const DrawnWords& drawn, bool spaced, bool distinct);

}  // namespace deciban
