#include "draws/compose.hpp"

#include <stdexcept>
#include <utility>

namespace deciban {
namespace {

// Checks all positions and returns an upper bound for the bytes of all documents.
std::int64_t check_and_measure(const WordList& list, const DrawnWords& drawn) {
  std::int64_t bytes = 0;
  for (std::int64_t i = 0; i < drawn.words; ++i)
    if (drawn.word[i] < 0 || drawn.word[i] >= list.words)
      throw std::invalid_argument("a drawn word is not in the list");
  for (std::int64_t d = 0; d < drawn.documents; ++d) {
    const std::int64_t first = drawn.first[d], count = drawn.count[d];
    if (first < 0 || count < 0 || first > drawn.words || count > drawn.words - first)
      throw std::invalid_argument("a document has more words than were drawn");
    for (std::int64_t i = first; i < first + count; ++i) {
      const std::int64_t word = drawn.word[i];
      bytes += list.start[word + 1] - list.start[word] + 1;
    }
  }
  return bytes;
}

}  // namespace

ComposedTexts compose(const WordList& list, const DrawnWords& drawn, bool spaced, bool distinct) {
  ComposedTexts out;
  out.text = Buffer<unsigned char>(static_cast<std::size_t>(check_and_measure(list, drawn)));
  out.start.reserve(static_cast<std::size_t>(drawn.documents) + 1);
  out.start.push_back(0);
  std::vector<std::int64_t> last_document(distinct ? static_cast<std::size_t>(list.words) : 0, -1);  // by word
  for (std::int64_t d = 0; d < drawn.documents; ++d) {
    bool is_empty = true;
    for (std::int64_t i = drawn.first[d]; i < drawn.first[d] + drawn.count[d]; ++i) {
      const std::int64_t word = drawn.word[i];
      if (distinct && std::exchange(last_document[static_cast<std::size_t>(word)], d) == d) continue;
      if (spaced && !is_empty) out.text.push(' ');
      out.text.append(list.bytes + list.start[word], static_cast<std::size_t>(list.start[word + 1] - list.start[word]));
      is_empty = false;
    }
    out.start.push_back(static_cast<std::int64_t>(out.text.size()));
  }
  return out;
}

}  // namespace deciban
