// Fuzz input as settings and documents: a head of fixed size, two bytes per document, then text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "check.hpp"
#include "core/strings.hpp"
#include "letters.hpp"
#include "words/count_words.hpp"

namespace fuzz {

constexpr std::size_t kHead = 8, kMaxDocuments = 24;

// Returns the position of the text, which may lie beyond the end.
inline std::size_t text_position(const std::uint8_t* data, std::size_t size) {
  return kHead + 2 * (size > 4 ? data[4] % (kMaxDocuments + 1) : 0);
}

// Copies in memory of exactly their size, so that a sanitizer sees the first byte read beyond them.
class Copies {
 public:
  deciban::Bytes copy(const void* from, std::size_t n) {
    memory_.push_back(std::make_unique<unsigned char[]>(n));
    if (n) std::memcpy(memory_.back().get(), from, n);
    return {memory_.back().get(), static_cast<std::int64_t>(n)};
  }
  template <class T>
  deciban::Bytes copy(const std::vector<T>& from) {
    return copy(from.data(), from.size() * sizeof(T));
  }

 private:
  std::vector<std::unique_ptr<unsigned char[]>> memory_;
};

// The part of the text that is one document.
struct Piece {
  std::size_t begin, size;
  bool missing;
};

enum class MemoryLayout { kSeparate, kStrings, kLargeStrings, kViews };

struct Input {
  deciban::TokenizerOptions options;
  deciban::TermWeighting weighting;
  bool half_known, by_frequency, word_base, gain;
  bool integer_weights;  // their sums are exact
  std::int64_t classes;
  std::vector<std::int32_t> codes;
  std::vector<double> weight, soft;
  std::vector<deciban::Document> documents;
  deciban::Bytes text;  // of all documents

  Input(const std::uint8_t* data, std::size_t size) {
    const std::size_t begin = std::min(size, text_position(data, size));
    std::copy(data, data + begin, head_);
    read_settings();
    std::vector<unsigned char> all(data + begin, data + size);
    // Only for single words: n-grams of this many words would take too long.
    if (head_[6] == 0xFF && !options.chars && options.max_n == 1) add_many_words(all);
    text = copies_.copy(all);
    const std::vector<Piece> pieces = read_documents();
    place_documents(pieces, static_cast<MemoryLayout>(head_[5] & 3), head_[6] % 10);
    check_documents(pieces);
  }

  // Labels of n documents from `first` on.
  deciban::Labels labels(std::size_t first, std::size_t n) const {
    const double* const w = weight.empty() ? nullptr : weight.data() + first;
    const auto rows = static_cast<std::int64_t>(n);
    if (soft.empty()) return {codes.data() + first, w, nullptr, rows, classes};
    return {nullptr, nullptr, soft.data() + first * static_cast<std::size_t>(classes), rows, classes};
  }

  // Weight of a document in a class.
  double weight_of(std::size_t row, std::int64_t cls) const {
    if (!soft.empty()) return soft[row * static_cast<std::size_t>(classes) + static_cast<std::size_t>(cls)];
    return codes[row] != cls ? 0.0 : weight.empty() ? 1.0 : weight[row];
  }

 private:
  bool bit(int byte, int n) const { return (head_[byte] >> n & 1) != 0; }

  void read_settings() {
    static const CharacterTables tables;
    const std::int64_t min_n = 1 + (head_[1] & 3), max_n = std::min<std::int64_t>(4, min_n + (head_[1] >> 2 & 3));
    const std::uint64_t root = head_[2] & 127, buckets = bit(2, 7) ? 1 + root * root : 0;
    options = {bit(0, 0), bit(0, 1), min_n, max_n, buckets, tables.letters(), {}};
    static const AccentTables accents;
    if (bit(5, 4)) options.accents = accents.accents();
    options.within_words = options.chars && bit(5, 5);
    options.positions = !options.chars && !buckets && max_n == 1 && bit(5, 6);
    if (!bit(5, 3)) options.joiners = {'-', '.', '@', '\'', 0x2019, deciban::kDotAbove};
    integer_weights = !bit(0, 4);
    half_known = bit(0, 5), by_frequency = bit(0, 6), word_base = bit(0, 7);
    weighting = {static_cast<deciban::TermWeighting::Kind>((head_[1] >> 4) % 3), bit(1, 6)};
    classes = 1 + head_[3] % 9;
    gain = bit(5, 2);
  }

  // Reads the labels of all documents and returns their pieces of the text. The last one has the rest of the text.
  std::vector<Piece> read_documents() {
    const bool is_soft = bit(0, 2), has_weights = bit(0, 3);
    const std::size_t n = head_[4] % (kMaxDocuments + 1);
    std::vector<Piece> pieces;
    for (std::size_t i = 0, at = 0; i < n; ++i) {
      const std::uint8_t length = head_[kHead + 2 * i], other = head_[kHead + 2 * i + 1];
      const auto left = static_cast<std::size_t>(text.size) - at;
      const std::size_t wanted = length < 0xE0 ? length : std::size_t{256} << (length & 7);
      pieces.push_back({at, i + 1 == n ? left : std::min(left, wanted), other >> 6 == 3});
      at += pieces.back().size;
      const double w = (other >> 4 & 3) * (integer_weights ? 1.0 : 0.3);
      if (has_weights) weight.push_back(w);
      codes.push_back(other % (static_cast<std::int32_t>(classes) + 1) - 1);
      if (is_soft)
        for (std::int64_t c = 0; c < classes; ++c) soft.push_back(other >> c % 4 & 1 ? w : 0.0);
    }
    return pieces;
  }

  // Adds more distinct words than a table has room for at first, which mutations alone seldom do.
  static void add_many_words(std::vector<unsigned char>& text) {
    for (int i = 0; i < 2500; ++i) {
      const std::string word = ' ' + std::to_string(10000 + 7 * i);
      text.insert(text.end(), word.begin(), word.end());
    }
  }

  // Puts the documents into memory. A column begins with `first` rows that are not read.
  void place_documents(const std::vector<Piece>& pieces, MemoryLayout layout, std::size_t first) {
    const std::size_t n = pieces.size();
    if (layout == MemoryLayout::kSeparate) {
      for (const Piece& p : pieces) {
        const deciban::Bytes bytes = copies_.copy(text.data + p.begin, p.size);
        documents.push_back(p.missing ? deciban::Document{nullptr, 0}
                                      : deciban::present_document(bytes.data, bytes.size));
      }
      return;
    }
    std::vector<std::uint8_t> valid((first + n + 7) / 8);
    for (std::size_t i = 0, bit = first; i < n; ++i, ++bit)
      valid[bit / 8] = static_cast<std::uint8_t>(valid[bit / 8] | !pieces[i].missing << bit % 8);
    const deciban::StringRows rows{copies_.copy(valid), static_cast<std::int64_t>(first), static_cast<std::int64_t>(n)};
    if (layout == MemoryLayout::kViews)
      documents = list_views(make_views(pieces, first), {text, {nullptr, 0}, text}, rows);
    else if (layout == MemoryLayout::kLargeStrings)
      documents = list_strings(make_offsets<std::int64_t>(pieces, first), true, text, rows);
    else
      documents = list_strings(make_offsets<std::int32_t>(pieces, first), false, text, rows);
  }

  template <class Offset>
  deciban::Bytes make_offsets(const std::vector<Piece>& pieces, std::size_t first) {
    std::vector<Offset> out(first + 1, 0);
    for (const Piece& p : pieces) out.push_back(static_cast<Offset>(p.begin + p.size));
    return copies_.copy(out);
  }

  deciban::Bytes make_views(const std::vector<Piece>& pieces, std::size_t first) {
    std::vector<unsigned char> out(16 * first, 0xFF);
    for (const Piece& p : pieces) {
      unsigned char view[16] = {};
      const std::int32_t long_view[4] = {static_cast<std::int32_t>(p.size), 0, out.size() % 32 ? 2 : 0,
                                         static_cast<std::int32_t>(p.begin)};
      std::memcpy(view, long_view, p.size > 12 ? 16 : 4);
      if (p.size && p.size <= 12) std::memcpy(view + 4, text.data + p.begin, p.size);
      out.insert(out.end(), view, view + sizeof view);
    }
    return copies_.copy(out);
  }

  void check_documents(const std::vector<Piece>& pieces) const {
    CHECK(documents.size() == pieces.size());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      CHECK((documents[i].data == nullptr) == pieces[i].missing);
      CHECK(pieces[i].missing || documents[i].size == static_cast<std::int64_t>(pieces[i].size));
      CHECK(pieces[i].missing || !std::memcmp(documents[i].data, text.data + pieces[i].begin, pieces[i].size));
    }
  }

  std::uint8_t head_[kHead + 2 * kMaxDocuments] = {};
  Copies copies_;
};

}  // namespace fuzz
