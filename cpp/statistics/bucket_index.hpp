// From keys to the numbers of their buckets.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/hash.hpp"
#include "statistics/float_keys.hpp"

namespace deciban {

// Bucket numbers: a new bucket, the bucket of skipped rows, and the first of the others.
constexpr std::uint16_t kNewBucket = 0, kSkippedBucket = 1, kFirstBucket = 2;

// A table by key, for keys that lie close together. Every thread keeps one, and keeps it clean, because the table is
// larger than the part of it that a batch writes.
class DirectIndex {
 public:
  // Leaves room on both sides of the keys in use, so that most later keys lie inside. `keys` must outlive the index.
  DirectIndex(std::uint64_t low, std::uint64_t high, const std::vector<std::uint64_t>& keys) : keys_(keys) {
    const std::uint64_t room = (high - low) / 4 + 4096;
    low_ = low - std::min(low, room);
    size_ = high - low_ + room;
    if (table().size() <= size_) table().resize(size_ + 1);
    buckets_ = table().data();
    buckets_[size_] = kSkippedBucket;  // the entry of keys outside, which are kSkipped only
  }
  DirectIndex(const DirectIndex&) = delete;
  ~DirectIndex() {
    buckets_[size_] = kNewBucket;
    for (const std::uint64_t key : keys_)
      if (key - low_ < size_) buckets_[key - low_] = kNewBucket;
  }
  bool covers(std::uint64_t least, std::uint64_t greatest) const { return least >= low_ && greatest - low_ < size_; }
  std::uint16_t& operator[](std::uint64_t key) { return buckets_[std::min(key - low_, size_)]; }

 private:
  static std::vector<std::uint16_t>& table() {
    static thread_local std::vector<std::uint16_t> table_of_thread;
    return table_of_thread;
  }

  const std::vector<std::uint64_t>& keys_;
  std::uint64_t low_, size_;
  std::uint16_t* buckets_;
};

// A hash table, for keys that lie far apart. Open addressing, at most half full.
class HashedIndex {
 public:
  explicit HashedIndex(std::int64_t max_keys)
      : mask_(std::bit_ceil(2 * static_cast<std::size_t>(max_keys + kFirstBucket)) - 1),
        shift_(std::countl_zero(mask_)) {
    keys_.assign(mask_ + 1, kFreeSlot);
    buckets_.assign(mask_ + 1, kNewBucket);
    (*this)[kSkipped] = kSkippedBucket;
  }
  std::uint16_t& operator[](std::uint64_t key) {
    std::size_t slot = hash_word(key) >> shift_;
    while (keys_[slot] != key && keys_[slot] != kFreeSlot) slot = (slot + 1) & mask_;
    keys_[slot] = key;
    return buckets_[slot];
  }

 private:
  std::size_t mask_;
  int shift_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint16_t> buckets_;
};

}  // namespace deciban
