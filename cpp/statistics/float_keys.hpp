// Numbers as integer keys in the same order, and chunks of a column of them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "core/simd.hpp"
#include "core/validity.hpp"
#include "core/view.hpp"

namespace deciban {

constexpr std::uint64_t kZeroKey = std::uint64_t{1} << 63;
constexpr std::uint64_t kInfinityBits = 0x7FF0000000000000ull;

// Both are greater than the key of any number, however many bits are dropped.
constexpr std::uint64_t kFreeSlot = ~std::uint64_t{0};  // not a key
constexpr std::uint64_t kSkipped = kFreeSlot - 1;       // the row is not counted

// Returns the bits of a double as an integer in the order of the numbers, with zero in the middle. -0 equals 0.
inline std::uint64_t float_key(double v) {
  const auto bits = std::bit_cast<std::uint64_t>(v);
  const std::uint64_t magnitude = bits & ~kZeroKey;
  return bits & kZeroKey ? kZeroKey - magnitude : kZeroKey + magnitude;
}

inline bool is_number(std::uint64_t key) { return key <= kZeroKey + kInfinityBits && key >= kZeroKey - kInfinityBits; }

struct KeyEntry {
  std::uint64_t key;
  std::uint32_t position;  // before sorting
};

// Radix sort by bytes, the lowest first. Bytes in which all keys agree are skipped.
inline std::vector<KeyEntry> sort_keys(const std::vector<std::uint64_t>& keys) {
  std::vector<KeyEntry> entries(keys.size()), spare(keys.size());
  std::uint64_t differing = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    entries[i] = {keys[i], static_cast<std::uint32_t>(i)};
    differing |= keys[i] ^ keys[0];
  }
  for (int shift = 0; shift < 64; shift += 8) {
    if (!(differing >> shift & 255)) continue;
    std::array<std::uint32_t, 257> place{};
    for (const KeyEntry& e : entries) ++place[(e.key >> shift & 255) + 1];
    for (int i = 0; i < 256; ++i) place[i + 1] += place[i];
    for (const KeyEntry& e : entries) spare[place[e.key >> shift & 255]++] = e;
    entries.swap(spare);
  }
  return entries;
}

// Returns the fewest bits to drop so that at most `max_keys` of the sorted keys stay distinct.
inline int bits_to_drop(const std::vector<KeyEntry>& sorted, std::int64_t max_keys) {
  std::array<std::int64_t, 65> neighbours{};  // by h: neighbours whose highest differing bit is bit h - 1
  for (std::size_t i = 1; i < sorted.size(); ++i) ++neighbours[std::bit_width(sorted[i].key ^ sorted[i - 1].key)];
  std::int64_t distinct = !sorted.empty();
  int drop = 64;
  for (; drop > 0 && distinct + neighbours[drop] <= max_keys; --drop) distinct += neighbours[drop];
  return drop;
}

constexpr std::int64_t kKeyChunk = 1024;

// The buckets of some rows, kSkipped for rows without a number, a class or a weight, and the range of the others.
struct KeyChunk {
  std::int64_t first, n;
  std::uint64_t least, greatest;  // least > greatest: every row is skipped
  std::uint64_t keys[kKeyChunk];
};

// Drops bits of the keys and finds their range.
DECIBAN_CLONES inline void drop_bits(int drop, KeyChunk& chunk) {
  using Keys = EightCells<std::uint64_t>::Lanes;
  Keys low = Keys{} + kSkipped, high = {};
  std::fill(chunk.keys + chunk.n, chunk.keys + (chunk.n + 7) / 8 * 8, kSkipped);
  for (std::int64_t i = 0; i < chunk.n; i += 8) {
    Keys keys;
    std::memcpy(&keys, chunk.keys + i, sizeof keys);
    const auto skipped = keys == kSkipped;
    keys = skipped ? keys : keys >> drop;
    low = keys < low ? keys : low;
    high = skipped ? high : keys > high ? keys : high;
    std::memcpy(chunk.keys + i, &keys, sizeof keys);
  }
  chunk.least = kSkipped;
  chunk.greatest = 0;
  for (int lane = 0; lane < 8; ++lane) {
    chunk.least = std::min<std::uint64_t>(chunk.least, low[lane]);
    chunk.greatest = std::max<std::uint64_t>(chunk.greatest, high[lane]);
  }
}

template <class T>
DECIBAN_CLONES void write_keys(const T* __restrict x, std::int64_t n, std::uint64_t* __restrict keys) {
  for (std::int64_t i = 0; i < n; ++i) keys[i] = float_key(static_cast<double>(x[i]));
}

DECIBAN_CLONES inline void skip_unlabelled(const std::int32_t* __restrict codes, std::int64_t n,
                                           std::uint64_t* __restrict keys) {
  for (std::int64_t i = 0; i < n; ++i) keys[i] = codes[i] < 0 || !is_number(keys[i]) ? kSkipped : keys[i];
}

// Whether a row has a class and a weight. Labels have weights or are soft.
inline bool has_weight(const Labels& labels, std::int64_t row) {
  if (!labels.soft) return labels.codes[row] >= 0 && labels.weight[row] != 0;
  const double* weight = labels.soft + row * labels.classes;
  return std::any_of(weight, weight + labels.classes, [](double w) { return w != 0; });
}

// A column read as chunks of keys.
template <class T>
class KeyColumn {
 public:
  KeyColumn(const Dense& x, Bitmap valid, const Labels& labels)
      : data_(static_cast<const T*>(x.data)), stride_(x.row_stride), valid_(valid), labels_(labels) {}

  // Calls f(chunk) for every chunk, whose keys lack the bits that drop() returns at that time.
  template <class Drop, class F>
  void for_each_chunk(Drop&& drop, F&& f) const {
    T cells[kKeyChunk];
    KeyChunk chunk;
    for (std::int64_t first = 0; first < labels_.rows; first += kKeyChunk) {
      const std::int64_t n = std::min(kKeyChunk, labels_.rows - first);
      const T* column = data_ + first * stride_;
      if (stride_ != 1) {
        for (std::int64_t i = 0; i < n; ++i) cells[i] = column[i * stride_];
        column = cells;
      }
      chunk.first = first;
      chunk.n = n;
      write_keys(column, n, chunk.keys);
      skip_rows(first, n, chunk.keys);
      drop_bits(drop(), chunk);
      f(chunk);
    }
  }

 private:
  void skip_rows(std::int64_t first, std::int64_t n, std::uint64_t* keys) const {
    if (valid_.bits) mark_missing({valid_.bits, valid_.first + first}, n, keys);  // all bits set: not a number
    if (!labels_.soft && !labels_.weight) return skip_unlabelled(labels_.codes + first, n, keys);
    for (std::int64_t i = 0; i < n; ++i)
      if (!is_number(keys[i]) || !has_weight(labels_, first + i)) keys[i] = kSkipped;
  }

  const T* data_;
  std::int64_t stride_;
  Bitmap valid_;
  const Labels& labels_;
};

}  // namespace deciban
