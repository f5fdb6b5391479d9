#include "statistics/histogram.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "core/group.hpp"
#include "core/simd.hpp"
#include "statistics/bucket_index.hpp"
#include "statistics/float_keys.hpp"

namespace deciban {
namespace {

constexpr int kMantissa = 52;  // without these bits a number has its sign and exponent: at most 4096 buckets
constexpr std::uint64_t kDirectRange = 1 << 19;  // entries of a direct index, at most
constexpr std::uint64_t kMapBits = 1 << 22;      // bits of a bitmap of buckets, at most
constexpr std::uint64_t kAligned = ~std::uint64_t{0} << 16;

// Moves the bits at even positions to the lower half.
inline std::uint64_t even_bits(std::uint64_t x) {
  x &= 0x5555555555555555ull;
  x = (x | x >> 1) & 0x3333333333333333ull;
  x = (x | x >> 2) & 0x0F0F0F0F0F0F0F0Full;
  x = (x | x >> 4) & 0x00FF00FF00FF00FFull;
  x = (x | x >> 8) & 0x0000FFFF0000FFFFull;
  return (x | x >> 16) & 0x00000000FFFFFFFFull;
}

DECIBAN_CLONES std::int64_t count_bits(const std::uint64_t* words, std::size_t n) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < n; ++i) count += std::popcount(words[i]);
  return count;
}

// Halves the resolution of a bitmap: a bit is set if one of its two bits was.
void halve(std::vector<std::uint64_t>& map) {
  for (std::size_t i = 0; i + 1 < map.size(); i += 2)
    map[i / 2] = even_bits(map[i] | map[i] >> 1) | even_bits(map[i + 1] | map[i + 1] >> 1) << 32;
  if (map.size() % 2) map[map.size() / 2] = even_bits(map.back() | map.back() >> 1);
  map.resize((map.size() + 1) / 2);
}

// Returns the fewest bits to drop for a whole column: a fine bitmap of its buckets is halved until at most
// `max_buckets` bits are set. Returns 0 if the finest affordable bitmap is not fine enough to tell.
template <class T>
int drop_for_column(const KeyColumn<T>& column, int drop, std::int64_t max_buckets) {
  std::uint64_t least = kSkipped, greatest = 0;
  const auto find_range = [&](const KeyChunk& chunk) {
    least = std::min(least, chunk.least);
    greatest = std::max(greatest, chunk.greatest);
  };
  column.for_each_chunk([] { return 0; }, find_range);
  while ((greatest >> drop) - (least >> drop) >= kMapBits) ++drop;
  const std::uint64_t low = least >> drop & kAligned;
  std::vector<std::uint64_t> map(((greatest >> drop) - low) / 64 + 2);
  const auto set_bits = [&](const KeyChunk& chunk) {
    for (std::int64_t i = 0; i < chunk.n; ++i) {
      if (chunk.keys[i] == kSkipped) continue;
      const std::uint64_t bit = chunk.keys[i] - low;
      map[bit / 64] |= std::uint64_t{1} << bit % 64;
    }
  };
  column.for_each_chunk([=] { return drop; }, set_bits);
  if (count_bits(map.data(), map.size()) <= max_buckets) return 0;
  while (count_bits(map.data(), map.size()) > max_buckets) {
    ++drop;
    halve(map);
  }
  return drop;
}

// Buckets under construction.
template <class T>
class BucketCounter {
 public:
  BucketCounter(const KeyColumn<T>& column, const Labels& labels, int drop, std::int64_t max_buckets)
      : column_(column),
        labels_(labels),
        max_buckets_(max_buckets),
        drop_(drop),
        weight_(kFirstBucket * labels.classes) {}

  Buckets count() {
    column_.for_each_chunk([this] { return drop_; },
                           [this](KeyChunk& chunk) {
                             for (std::int64_t i = 0; i < chunk.n;) {
                               if (chunk.least <= chunk.greatest) cover(chunk.least, chunk.greatest);
                               i = direct_ ? add(*direct_, chunk, i) : hashed_ ? add(*hashed_, chunk, i) : chunk.n;
                               if (i < chunk.n) make_room(chunk, i);
                             }
                           });
    return sorted_buckets();
  }

 private:
  // Counts rows from i on. Returns the first row that needs one bucket too many, or the end.
  template <class Index>
  std::int64_t add(Index& index, const KeyChunk& chunk, std::int64_t i) {
    const std::int64_t classes = labels_.classes;
    if (labels_.soft)
      return add(index, chunk, i, [&](double* weight, std::int64_t row) {
        for (std::int64_t c = 0; c < classes; ++c) weight[c] += labels_.soft[row * classes + c];
      });
    const std::int32_t* codes = labels_.codes;
    if (labels_.weight)
      return add(index, chunk, i, [&](double* weight, std::int64_t row) { weight[codes[row]] += labels_.weight[row]; });
    return add(index, chunk, i, [codes](double* weight, std::int64_t row) { weight[codes[row]] += 1.0; });
  }

  template <class Index, class AddWeight>
  std::int64_t add(Index& index, const KeyChunk& chunk, std::int64_t i, AddWeight add_weight) {
    const std::int64_t classes = labels_.classes, n = chunk.n, first = chunk.first;
    double* weight = weight_.data();
    for (; i < n; ++i) {
      const std::uint64_t key = chunk.keys[i];
      std::uint16_t& bucket = index[key];
      if (bucket == kNewBucket) [[unlikely]] {
        if (static_cast<std::int64_t>(keys_.size()) == max_buckets_) return i;
        bucket = add_bucket(key);
        weight = weight_.data();
      }
      // Skipped rows are added too, without a branch. Their class may be -1, so their bucket is not the first.
      add_weight(weight + bucket * classes, first + i);
    }
    return i;
  }

  std::uint16_t add_bucket(std::uint64_t key) {
    keys_.push_back(key);
    weight_.resize(weight_.size() + labels_.classes, 0.0);
    low_ = std::min(low_, key);
    high_ = std::max(high_, key);
    return static_cast<std::uint16_t>(keys_.size() - 1 + kFirstBucket);
  }

  // Makes an index for the keys in use and the keys of a range.
  void cover(std::uint64_t least, std::uint64_t greatest) {
    if (hashed_ || (direct_ && direct_->covers(least, greatest))) return;
    const std::uint64_t low = std::min(low_, least), high = std::max(high_, greatest);
    direct_.reset();
    const auto fill = [&](auto& index) {
      for (std::size_t i = 0; i < keys_.size(); ++i) index[keys_[i]] = static_cast<std::uint16_t>(i + kFirstBucket);
    };
    if (high - low < kDirectRange)
      fill(direct_.emplace(low, high, keys_));
    else
      fill(hashed_.emplace(max_buckets_));
  }

  // Drops as few bits as possible: for the whole column, or, if its range is too wide to tell, for row i.
  void make_room(KeyChunk& chunk, std::int64_t i) {
    const int column_drop = drop_for_column(column_, drop_, max_buckets_);
    std::vector<std::uint64_t> keys = keys_;
    keys.push_back(chunk.keys[i]);
    const int drop = column_drop > 0 ? column_drop - drop_ : bits_to_drop(sort_keys(keys), max_buckets_);
    coarsen(drop);
    drop_bits(drop, chunk);
  }

  // Drops more bits of the keys in use and adds up buckets that become equal.
  void coarsen(int drop) {
    const std::int64_t classes = labels_.classes;
    const std::vector<KeyEntry> entries = sort_keys(keys_);
    direct_.reset();  // before keys_ changes: its destructor reads them
    hashed_.reset();
    std::vector<double> fine_weight(kFirstBucket * classes);
    fine_weight.swap(weight_);
    keys_.clear();
    drop_ += drop;
    low_ >>= drop;
    high_ >>= drop;
    for (const KeyEntry& e : entries) {
      if (keys_.empty() || keys_.back() != e.key >> drop) add_bucket(e.key >> drop);
      double* weight = weight_.data() + (keys_.size() - 1 + kFirstBucket) * classes;
      for (std::int64_t c = 0; c < classes; ++c) weight[c] += fine_weight[(e.position + kFirstBucket) * classes + c];
    }
  }

  Buckets sorted_buckets() const {
    Buckets out{drop_, {}, {}};
    out.keys.reserve(keys_.size());
    out.weight.reserve(weight_.size());
    for (const KeyEntry& e : sort_keys(keys_)) {
      out.keys.push_back(e.key);
      const auto weight = weight_.begin() + (e.position + kFirstBucket) * labels_.classes;
      out.weight.insert(out.weight.end(), weight, weight + labels_.classes);
    }
    return out;
  }

  const KeyColumn<T>& column_;
  const Labels& labels_;
  std::int64_t max_buckets_;
  int drop_;
  std::uint64_t low_ = ~std::uint64_t{0}, high_ = 0;  // range of the keys in use
  std::vector<std::uint64_t> keys_;                   // by bucket number, that is, by first appearance
  std::vector<double> weight_;                        // bucket numbers x classes
  std::optional<DirectIndex> direct_;                 // declared after keys_: its destructor reads them
  std::optional<HashedIndex> hashed_;
};

}  // namespace

Buckets count_buckets(const Dense& x, Bitmap valid, const Labels& labels, int drop, std::int64_t max_buckets) {
  if (drop < 0 || drop > kMantissa || max_buckets < 4096 || max_buckets > UINT16_MAX - kFirstBucket)
    throw std::invalid_argument("a histogram drops 0 to 52 bits and has 4096 to 65533 buckets");
  check_classes(labels);
  return with_type(x.type, [&]<class T>(const T*) {
    const KeyColumn<T> column(x, valid, labels);
    return BucketCounter<T>(column, labels, drop, max_buckets).count();
  });
}

}  // namespace deciban
