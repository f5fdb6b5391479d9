#include "statistics/histogram.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "core/group.hpp"
#include "core/hash.hpp"
#include "core/simd.hpp"
#include "core/validity.hpp"

namespace deciban {
namespace {

constexpr int kMantissa = 52;  // without these bits, sign and exponent are left: at most 4096 buckets

constexpr std::uint64_t kZero = std::uint64_t{1} << 63;
constexpr std::uint64_t kInfinity = 0x7FF0000000000000ull;

// The bits of a double as an integer of the same order, zero in the middle; -0 and 0 are one number.
inline std::uint64_t ordered(double v) {
  const auto bits = std::bit_cast<std::uint64_t>(v);
  const std::uint64_t size = bits & ~kZero;
  return bits & kZero ? kZero - size : kZero + size;
}

inline bool is_number(std::uint64_t key) { return key <= kZero + kInfinity && key >= kZero - kInfinity; }

struct Entry {
  std::uint64_t key;
  std::uint32_t from;  // where it was before
};

// Sorts by bytes, from the last to the first; bytes in which all agree are passed over.
std::vector<Entry> sorted_entries(const std::vector<std::uint64_t>& keys) {
  std::vector<Entry> entries(keys.size()), spare(keys.size());
  std::uint64_t differ = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    entries[i] = {keys[i], static_cast<std::uint32_t>(i)};
    differ |= keys[i] ^ keys[0];
  }
  for (int shift = 0; shift < 64; shift += 8) {
    if (!(differ >> shift & 255)) continue;
    std::array<std::uint32_t, 257> place{};
    for (const Entry& e : entries) ++place[(e.key >> shift & 255) + 1];
    for (int i = 0; i < 256; ++i) place[i + 1] += place[i];
    for (const Entry& e : entries) spare[place[e.key >> shift & 255]++] = e;
    entries.swap(spare);
  }
  return entries;
}

// How many more bits must go until no more than `most` of the sorted keys stay distinct.
int bits_to_drop(const std::vector<Entry>& sorted, std::int64_t most) {
  std::array<std::int64_t, 65> apart{};  // neighbours whose highest difference is bit h - 1
  for (std::size_t i = 1; i < sorted.size(); ++i) ++apart[std::bit_width(sorted[i].key ^ sorted[i - 1].key)];
  std::int64_t distinct = !sorted.empty();
  int drop = 64;
  for (; drop > 0 && distinct + apart[drop] <= most; --drop) distinct += apart[drop];
  return drop;
}

constexpr std::int64_t kChunk = 1024;
constexpr std::uint64_t kClose = 1 << 19;  // entries a direct table may have
constexpr std::uint64_t kMap = 1 << 22;    // bits a map of buckets may have
constexpr std::uint64_t kAligned = ~std::uint64_t{0} << 16;
// Beyond the key of any number, however many bits are dropped.
constexpr std::uint64_t kFree = ~std::uint64_t{0};  // no key at all
constexpr std::uint64_t kNone = kFree - 1;          // the row does not count

template <class T>
DECIBAN_CLONES void order_keys(const T* __restrict x, std::int64_t n, std::uint64_t* __restrict keys) {
  for (std::int64_t i = 0; i < n; ++i) keys[i] = ordered(static_cast<double>(x[i]));
}

// Some rows: the bucket of each, kNone for those without a number, a class or a weight, and the range of the others.
struct Chunk {
  std::int64_t first, n;
  std::uint64_t least, greatest;  // least > greatest: no row counts
  std::uint64_t keys[kChunk];
};

// Drops bits of keys, and finds their range.
DECIBAN_CLONES void drop_bits(int drop, Chunk& chunk) {
  using Keys = Eight<std::uint64_t>::Lanes;
  Keys low = Keys{} + kNone, high = {};
  std::fill(chunk.keys + chunk.n, chunk.keys + (chunk.n + 7) / 8 * 8, kNone);
  for (std::int64_t i = 0; i < chunk.n; i += 8) {
    Keys keys;
    std::memcpy(&keys, chunk.keys + i, sizeof keys);
    const auto none = keys == kNone;
    keys = none ? keys : keys >> drop;
    low = keys < low ? keys : low;
    high = none ? high : keys > high ? keys : high;
    std::memcpy(chunk.keys + i, &keys, sizeof keys);
  }
  chunk.least = kNone;
  chunk.greatest = 0;
  for (int lane = 0; lane < 8; ++lane) {
    chunk.least = std::min<std::uint64_t>(chunk.least, low[lane]);
    chunk.greatest = std::max<std::uint64_t>(chunk.greatest, high[lane]);
  }
}

DECIBAN_CLONES void leave_out(const std::int32_t* __restrict codes, std::int64_t n, std::uint64_t* __restrict keys) {
  for (std::int64_t i = 0; i < n; ++i) keys[i] = codes[i] < 0 || !is_number(keys[i]) ? kNone : keys[i];
}

bool counts(const Labels& labels, std::int64_t row) {
  if (!labels.soft) return labels.codes[row] >= 0 && labels.weight[row] != 0;
  const double* weight = labels.soft + row * labels.classes;
  return std::any_of(weight, weight + labels.classes, [](double w) { return w != 0; });
}

// A column, chunk by chunk.
template <class T>
class Column {
 public:
  Column(const Dense& x, Valid valid, const Labels& labels)
      : data_(static_cast<const T*>(x.data)), stride_(x.row_stride), valid_(valid), labels_(labels) {}

  // f(chunk) for every chunk, its keys without the bits that drop() says are dropped then.
  template <class Drop, class F>
  void each(Drop&& drop, F&& f) const {
    T cells[kChunk];
    Chunk chunk;
    for (std::int64_t first = 0; first < labels_.rows; first += kChunk) {
      const std::int64_t n = std::min(kChunk, labels_.rows - first);
      const T* column = data_ + first * stride_;
      if (stride_ != 1) {
        for (std::int64_t i = 0; i < n; ++i) cells[i] = column[i * stride_];
        column = cells;
      }
      chunk.first = first;
      chunk.n = n;
      order_keys(column, n, chunk.keys);
      if (valid_.bits)  // what is not there gets the key of no number
        mark_holes({valid_.bits, valid_.first + first}, n, chunk.keys);
      if (!labels_.soft && !labels_.weight)
        leave_out(labels_.codes + first, n, chunk.keys);
      else
        for (std::int64_t i = 0; i < n; ++i)
          if (!is_number(chunk.keys[i]) || !counts(labels_, first + i)) chunk.keys[i] = kNone;
      drop_bits(drop(), chunk);
      f(chunk);
    }
  }

 private:
  const T* data_;
  std::int64_t stride_;
  Valid valid_;
  const Labels& labels_;
};

// Every second of 64 bits, which are in pairs, side by side.
inline std::uint64_t every_second(std::uint64_t x) {
  x &= 0x5555555555555555ull;
  x = (x | x >> 1) & 0x3333333333333333ull;
  x = (x | x >> 2) & 0x0F0F0F0F0F0F0F0Full;
  x = (x | x >> 4) & 0x00FF00FF00FF00FFull;
  x = (x | x >> 8) & 0x0000FFFF0000FFFFull;
  return (x | x >> 16) & 0x00000000FFFFFFFFull;
}

DECIBAN_CLONES std::int64_t bits_set(const std::uint64_t* words, std::size_t n) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < n; ++i) count += std::popcount(words[i]);
  return count;
}

// The fewest bits to drop so that no more than `most` buckets are in use: a map of the buckets at a fine resolution is
// halved until few enough are left. 0 where already the finest map that is affordable has few.
template <class T>
int drop_for_all(const Column<T>& column, int drop, std::int64_t most) {
  std::uint64_t least = kNone, greatest = 0;
  column.each([] { return 0; }, [&](const Chunk& chunk) {
    least = std::min(least, chunk.least);
    greatest = std::max(greatest, chunk.greatest);
  });
  while ((greatest >> drop) - (least >> drop) >= kMap) ++drop;
  const std::uint64_t low = least >> drop & kAligned;
  std::vector<std::uint64_t> map(((greatest >> drop) - low) / 64 + 2);
  column.each([=] { return drop; }, [&](const Chunk& chunk) {
    for (std::int64_t i = 0; i < chunk.n; ++i) {
      if (chunk.keys[i] == kNone) continue;
      const std::uint64_t bit = chunk.keys[i] - low;
      map[bit / 64] |= std::uint64_t{1} << bit % 64;
    }
  });
  if (bits_set(map.data(), map.size()) <= most) return 0;
  while (bits_set(map.data(), map.size()) > most) {
    ++drop;
    for (std::size_t i = 0; i + 1 < map.size(); i += 2)
      map[i / 2] = every_second(map[i] | map[i] >> 1) | every_second(map[i + 1] | map[i + 1] >> 1) << 32;
    if (map.size() % 2) map[map.size() / 2] = every_second(map.back() | map.back() >> 1);
    map.resize((map.size() + 1) / 2);
  }
  return drop;
}

// Numbers of buckets in an index: none yet; that of rows which do not count; and from there on.
constexpr std::uint16_t kNew = 0, kUncounted = 1, kFirst = 2;

// From keys to the numbers of their buckets, where the keys lie close together: one look-up, no search. The table is
// kept by the thread, and kept clean, because it is larger than what a batch writes to it.
class Direct {
 public:
  // Room on both sides of the keys in use, so that few of those to come lie outside. `keys` outlive this.
  Direct(std::uint64_t low, std::uint64_t high, const std::vector<std::uint64_t>& keys) : keys_(keys) {
    const std::uint64_t room = (high - low) / 4 + 4096;
    low_ = low - std::min(low, room);
    size_ = high - low_ + room;
    if (table().size() <= size_) table().resize(size_ + 1);
    number_ = table().data();
    number_[size_] = kUncounted;  // the place of what lies outside, which is kNone alone
  }
  Direct(const Direct&) = delete;
  ~Direct() {
    number_[size_] = kNew;
    for (const std::uint64_t key : keys_)
      if (key - low_ < size_) number_[key - low_] = kNew;
  }
  bool covers(std::uint64_t least, std::uint64_t greatest) const { return least >= low_ && greatest - low_ < size_; }
  std::uint16_t& operator[](std::uint64_t key) { return number_[std::min(key - low_, size_)]; }

 private:
  static std::vector<std::uint16_t>& table() {
    static thread_local std::vector<std::uint16_t> kept;
    return kept;
  }

  const std::vector<std::uint64_t>& keys_;
  std::uint64_t low_, size_;
  std::uint16_t* number_;
};

// The same for keys that lie far apart: open addressing at a load of at most a half.
class Hashed {
 public:
  explicit Hashed(std::int64_t most)
      : mask_(std::bit_ceil(2 * static_cast<std::size_t>(most + kFirst)) - 1), shift_(std::countl_zero(mask_)) {
    keys_.assign(mask_ + 1, kFree);
    number_.assign(mask_ + 1, kNew);
    (*this)[kNone] = kUncounted;
  }
  std::uint16_t& operator[](std::uint64_t key) {
    std::size_t slot = hash_word(key) >> shift_;
    while (keys_[slot] != key && keys_[slot] != kFree) slot = (slot + 1) & mask_;
    keys_[slot] = key;
    return number_[slot];
  }

 private:
  std::size_t mask_;
  int shift_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint16_t> number_;
};

// Buckets under construction.
template <class T>
class Counter {
 public:
  Counter(const Column<T>& column, const Labels& labels, int drop, std::int64_t most)
      : column_(column), labels_(labels), most_(most), drop_(drop), weight_(kFirst * labels.classes) {}

  Buckets count() {
    column_.each([this] { return drop_; }, [this](Chunk& chunk) {
      for (std::int64_t i = 0; i < chunk.n;) {
        if (chunk.least <= chunk.greatest) cover(chunk.least, chunk.greatest);
        i = direct_ ? add(*direct_, chunk, i) : hashed_ ? add(*hashed_, chunk, i) : chunk.n;
        if (i < chunk.n) make_room(chunk, i);
      }
    });
    return sorted();
  }

 private:
  // Counts up to the first number that needs a bucket too many.
  template <class Index>
  std::int64_t add(Index& number, const Chunk& chunk, std::int64_t i) {
    const std::int64_t classes = labels_.classes;
    if (labels_.soft)
      return add(number, chunk, i, [&](double* weight, std::int64_t row) {
        for (std::int64_t c = 0; c < classes; ++c) weight[c] += labels_.soft[row * classes + c];
      });
    const std::int32_t* codes = labels_.codes;
    if (labels_.weight)
      return add(number, chunk, i, [&](double* weight, std::int64_t row) { weight[codes[row]] += labels_.weight[row]; });
    return add(number, chunk, i, [codes](double* weight, std::int64_t row) { weight[codes[row]] += 1.0; });
  }

  template <class Index, class Weigh>
  std::int64_t add(Index& number, const Chunk& chunk, std::int64_t i, Weigh weigh) {
    const std::int64_t classes = labels_.classes, n = chunk.n, first = chunk.first;
    double* weight = weight_.data();
    for (; i < n; ++i) {
      const std::uint64_t key = chunk.keys[i];
      std::uint16_t& bucket = number[key];
      if (bucket == kNew) [[unlikely]] {
        if (static_cast<std::int64_t>(keys_.size()) == most_) return i;
        bucket = added(key);
        weight = weight_.data();
      }
      // Also of a row that does not count, whose class may be -1: the bucket for them is not the first.
      weigh(weight + bucket * classes, first + i);
    }
    return i;
  }

  std::uint16_t added(std::uint64_t key) {
    keys_.push_back(key);
    weight_.resize(weight_.size() + labels_.classes, 0.0);
    low_ = std::min(low_, key);
    high_ = std::max(high_, key);
    return static_cast<std::uint16_t>(keys_.size() - 1 + kFirst);
  }

  // An index for the buckets in use and those of a range.
  void cover(std::uint64_t least, std::uint64_t greatest) {
    if (hashed_ || (direct_ && direct_->covers(least, greatest))) return;
    const std::uint64_t low = std::min(low_, least), high = std::max(high_, greatest);
    direct_.reset();
    const auto fill = [&](auto& number) {
      for (std::size_t i = 0; i < keys_.size(); ++i) number[keys_[i]] = static_cast<std::uint16_t>(i + kFirst);
    };
    if (high - low < kClose)
      fill(direct_.emplace(low, high, keys_));
    else
      fill(hashed_.emplace(most_));
  }

  // Drops as few bits as will do: for all numbers, or, where they lie too far apart to tell, for the one at i.
  void make_room(Chunk& chunk, std::int64_t i) {
    const int all = drop_for_all(column_, drop_, most_);
    std::vector<std::uint64_t> keys = keys_;
    keys.push_back(chunk.keys[i]);
    const int drop = all > 0 ? all - drop_ : bits_to_drop(sorted_entries(keys), most_);
    coarsen(drop);
    drop_bits(drop, chunk);
  }

  void coarsen(int drop) {
    const std::int64_t classes = labels_.classes;
    const std::vector<Entry> entries = sorted_entries(keys_);
    direct_.reset();  // it knows the keys as they were
    hashed_.reset();
    std::vector<double> weight(kFirst * classes);
    weight.swap(weight_);
    keys_.clear();
    drop_ += drop;
    low_ >>= drop;
    high_ >>= drop;
    for (const Entry& e : entries) {
      if (keys_.empty() || keys_.back() != e.key >> drop) added(e.key >> drop);
      double* into = weight_.data() + (keys_.size() - 1 + kFirst) * classes;
      for (std::int64_t c = 0; c < classes; ++c) into[c] += weight[(e.from + kFirst) * classes + c];
    }
  }

  Buckets sorted() const {
    Buckets out{drop_, {}, {}};
    out.keys.reserve(keys_.size());
    out.weight.reserve(weight_.size());
    for (const Entry& e : sorted_entries(keys_)) {
      out.keys.push_back(e.key);
      const auto weight = weight_.begin() + (e.from + kFirst) * labels_.classes;
      out.weight.insert(out.weight.end(), weight, weight + labels_.classes);
    }
    return out;
  }

  const Column<T>& column_;
  const Labels& labels_;
  std::int64_t most_;
  int drop_;
  std::uint64_t low_ = ~std::uint64_t{0}, high_ = 0;  // of the keys in use
  std::vector<std::uint64_t> keys_;  // in order of first appearance, which is the order of their numbers
  std::vector<double> weight_;       // numbers x classes
  std::optional<Direct> direct_;     // after the keys: it is cleaned by them
  std::optional<Hashed> hashed_;
};

}  // namespace

Buckets count_buckets(const Dense& x, Valid valid, const Labels& labels, int drop, std::int64_t most) {
  if (drop < 0 || drop > kMantissa || most < 4096 || most > UINT16_MAX - kFirst)
    throw std::invalid_argument("a histogram drops 0 to 52 bits and has 4096 to 65533 buckets");
  check_classes(labels);
  return with_type(x.kind, [&]<class T>(const T*) {
    const Column<T> column(x, valid, labels);
    return Counter<T>(column, labels, drop, most).count();
  });
}

}  // namespace deciban
