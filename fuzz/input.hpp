// Bytes as settings and documents: a head of fixed size, two bytes per document, and the rest is text.
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

constexpr std::size_t kHead = 8, kMostDocuments = 24;

// Where the text begins; it may lie beyond the end.
inline std::size_t text_at(const std::uint8_t* data, std::size_t size) {
  return kHead + 2 * (size > 4 ? data[4] % (kMostDocuments + 1) : 0);
}

// Memory of exactly this size, so that a sanitizer sees the first byte read beyond it.
class Copies {
 public:
  deciban::Bytes of(const void* from, std::size_t n) {
    kept_.push_back(std::make_unique<unsigned char[]>(n));
    if (n) std::memcpy(kept_.back().get(), from, n);
    return {kept_.back().get(), static_cast<std::int64_t>(n)};
  }
  template <class T>
  deciban::Bytes of(const std::vector<T>& from) {
    return of(from.data(), from.size() * sizeof(T));
  }

 private:
  std::vector<std::unique_ptr<unsigned char[]>> kept_;
};

struct Piece {
  std::size_t begin, size;
  bool missing;
};

enum class Place { kApart, kStrings, kWideStrings, kViews };  // how the documents lie in memory

struct Input {
  deciban::Reading reading;
  deciban::Weighing::Kind kind;
  bool normalise, half_known, by_frequency, word_base, gain;
  bool whole_weights;  // sums of them are exact
  std::int64_t classes;
  std::vector<std::int32_t> codes;
  std::vector<double> weight, soft;
  std::vector<deciban::Document> documents;
  deciban::Bytes text;  // all of it
  Copies copies;

  Input(const std::uint8_t* data, std::size_t size) {
    static const Tables tables;
    std::uint8_t head[kHead + 2 * kMostDocuments] = {};
    const std::size_t begin = std::min(size, text_at(data, size));
    std::copy(data, data + begin, head);

    const auto bit = [&](int byte, int n) { return (head[byte] >> n & 1) != 0; };
    const std::int64_t least = 1 + (head[1] & 3), most = std::min<std::int64_t>(4, least + (head[1] >> 2 & 3));
    const std::uint64_t root = head[2] & 127, buckets = bit(2, 7) ? 1 + root * root : 0;
    reading = {bit(0, 0), bit(0, 1), least, most, buckets, tables.letters(), {}};
    if (!bit(5, 3)) reading.joiners = {'-', '.', '@', '\'', 0x2019, deciban::kDotAbove};
    const bool is_soft = bit(0, 2), has_weights = bit(0, 3);
    whole_weights = !bit(0, 4);
    half_known = bit(0, 5), by_frequency = bit(0, 6), word_base = bit(0, 7);
    kind = static_cast<deciban::Weighing::Kind>((head[1] >> 4) % 3);
    normalise = bit(1, 6);
    classes = 1 + head[3] % 9;
    gain = bit(5, 2);

    std::vector<unsigned char> all(data + begin, data + size);
    if (head[6] == 0xFF && !reading.chars && most == 1) add_many(all);  // runs of them would only take longer
    text = copies.of(all);

    const std::size_t n = head[4] % (kMostDocuments + 1);
    std::vector<Piece> pieces;  // the last has what is left of the text
    for (std::size_t i = 0, at = 0; i < n; ++i) {
      const std::uint8_t length = head[kHead + 2 * i], other = head[kHead + 2 * i + 1];
      const auto left = static_cast<std::size_t>(text.size) - at;
      const std::size_t wanted = length < 0xE0 ? length : std::size_t{256} << (length & 7);
      pieces.push_back({at, i + 1 == n ? left : std::min(left, wanted), other >> 6 == 3});
      at += pieces.back().size;
      const double w = (other >> 4 & 3) * (whole_weights ? 1.0 : 0.3);
      if (has_weights) weight.push_back(w);
      codes.push_back(other % (static_cast<std::int32_t>(classes) + 1) - 1);
      if (is_soft)
        for (std::int64_t c = 0; c < classes; ++c) soft.push_back(other >> c % 4 & 1 ? w : 0.0);
    }
    place(pieces, static_cast<Place>(head[5] & 3), head[6] % 10);
    CHECK(documents.size() == n);
    for (std::size_t i = 0; i < n; ++i) {
      CHECK((documents[i].data == nullptr) == pieces[i].missing);
      CHECK(pieces[i].missing || documents[i].size == static_cast<std::int64_t>(pieces[i].size));
      CHECK(pieces[i].missing || !std::memcmp(documents[i].data, text.data + pieces[i].begin, pieces[i].size));
    }
  }

  deciban::Labels labels(std::size_t first, std::size_t n) const {
    const double* const w = weight.empty() ? nullptr : weight.data() + first;
    const auto rows = static_cast<std::int64_t>(n);
    if (soft.empty()) return {codes.data() + first, w, nullptr, rows, classes};
    return {nullptr, nullptr, soft.data() + first * static_cast<std::size_t>(classes), rows, classes};
  }

  // The weight of a document in a class.
  double weight_of(std::size_t row, std::int64_t cls) const {
    if (!soft.empty()) return soft[row * static_cast<std::size_t>(classes) + static_cast<std::size_t>(cls)];
    return codes[row] != cls ? 0.0 : weight.empty() ? 1.0 : weight[row];
  }

 private:
  // More different words than a table begins with room for; mutations alone seldom get there.
  static void add_many(std::vector<unsigned char>& text) {
    for (int i = 0; i < 2500; ++i) {
      const std::string word = ' ' + std::to_string(10000 + 7 * i);
      text.insert(text.end(), word.begin(), word.end());
    }
  }

  // A column may begin with `first` rows that are not asked for.
  void place(const std::vector<Piece>& pieces, Place how, std::size_t first) {
    const std::size_t n = pieces.size();
    if (how == Place::kApart) {
      for (const Piece& p : pieces) {
        const deciban::Bytes copy = copies.of(text.data + p.begin, p.size);
        documents.push_back(p.missing ? deciban::Document{nullptr, 0} : deciban::present(copy.data, copy.size));
      }
      return;
    }
    std::vector<std::uint8_t> valid((first + n + 7) / 8);
    for (std::size_t i = 0, bit = first; i < n; ++i, ++bit)
      valid[bit / 8] = static_cast<std::uint8_t>(valid[bit / 8] | !pieces[i].missing << bit % 8);
    const deciban::Rows1d rows{copies.of(valid), static_cast<std::int64_t>(first), static_cast<std::int64_t>(n)};
    if (how == Place::kViews)
      documents = list_views(views(pieces, first), {text, {nullptr, 0}, text}, rows);
    else if (how == Place::kWideStrings)
      documents = list_strings(offsets<std::int64_t>(pieces, first), true, text, rows);
    else
      documents = list_strings(offsets<std::int32_t>(pieces, first), false, text, rows);
  }

  template <class Offset>
  deciban::Bytes offsets(const std::vector<Piece>& pieces, std::size_t first) {
    std::vector<Offset> out(first + 1, 0);
    for (const Piece& p : pieces) out.push_back(static_cast<Offset>(p.begin + p.size));
    return copies.of(out);
  }

  deciban::Bytes views(const std::vector<Piece>& pieces, std::size_t first) {
    std::vector<unsigned char> out(16 * first, 0xFF);
    for (const Piece& p : pieces) {
      unsigned char view[16] = {};
      const std::int32_t long_view[4] = {static_cast<std::int32_t>(p.size), 0, out.size() % 32 ? 2 : 0,
                                         static_cast<std::int32_t>(p.begin)};
      std::memcpy(view, long_view, p.size > 12 ? 16 : 4);
      if (p.size && p.size <= 12) std::memcpy(view + 4, text.data + p.begin, p.size);
      out.insert(out.end(), view, view + sizeof view);
    }
    return copies.of(out);
  }
};

}  // namespace fuzz
