#include "draws/compose.hpp"

#include <stdexcept>
#include <utility>

namespace deciban {
namespace {

// Bytes for all documents, at most; looks at every number on the way.
std::int64_t most_bytes(const WordList& list, const Draws& draws) {
  std::int64_t bytes = 0;
  for (std::int64_t i = 0; i < draws.words; ++i)
    if (draws.word[i] < 0 || draws.word[i] >= list.words) throw std::invalid_argument("a drawn word is not in the list");
  for (std::int64_t d = 0; d < draws.documents; ++d) {
    const std::int64_t first = draws.first[d], count = draws.count[d];
    if (first < 0 || count < 0 || first > draws.words || count > draws.words - first)
      throw std::invalid_argument("a document has more words than were drawn");
    for (std::int64_t i = first; i < first + count; ++i) {
      const std::int64_t word = draws.word[i];
      bytes += list.start[word + 1] - list.start[word] + 1;
    }
  }
  return bytes;
}

}  // namespace

Composed compose(const WordList& list, const Draws& draws, bool spaced, bool distinct) {
  Composed out;
  out.text = Buffer<unsigned char>(static_cast<std::size_t>(most_bytes(list, draws)));
  out.start.reserve(static_cast<std::size_t>(draws.documents) + 1);
  out.start.push_back(0);
  std::vector<std::int64_t> last(distinct ? static_cast<std::size_t>(list.words) : 0, -1);  // document with a word
  for (std::int64_t d = 0; d < draws.documents; ++d) {
    bool begun = false;
    for (std::int64_t i = draws.first[d]; i < draws.first[d] + draws.count[d]; ++i) {
      const std::int64_t word = draws.word[i];
      if (distinct && std::exchange(last[static_cast<std::size_t>(word)], d) == d) continue;
      if (spaced && begun) out.text.push(' ');
      out.text.append(list.bytes + list.start[word], static_cast<std::size_t>(list.start[word + 1] - list.start[word]));
      begun = true;
    }
    out.start.push_back(static_cast<std::int64_t>(out.text.size()));
  }
  return out;
}

}  // namespace deciban
