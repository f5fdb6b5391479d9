#include "histogram.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>

#include "group.hpp"
#include "holes.hpp"
#include "simd.hpp"

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

template <class T>
DECIBAN_CLONES void order_keys(const T* __restrict x, std::int64_t n, std::uint64_t* __restrict keys) {
  for (std::int64_t i = 0; i < n; ++i) keys[i] = ordered(static_cast<double>(x[i]));
}

// Whether every row of a chunk has a number and a class, which is the usual case.
DECIBAN_CLONES bool all_count(const std::uint64_t* __restrict keys, const std::int32_t* __restrict codes,
                              std::int64_t n) {
  int bad = 0;
  for (std::int64_t i = 0; i < n; ++i) bad |= !is_number(keys[i]) | (codes[i] < 0);
  return !bad;
}

bool counts(const Labels& labels, std::int64_t row) {
  if (!labels.soft) return labels.codes[row] >= 0 && !(labels.weight && labels.weight[row] == 0);
  const double* weight = labels.soft + row * labels.classes;
  return std::any_of(weight, weight + labels.classes, [](double w) { return w != 0; });
}

// The keys of some rows that count, those with a number, a class and a weight, and which rows they are.
struct Chunk {
  std::int64_t n;
  std::uint64_t keys[kChunk];
  std::int32_t rows[kChunk];
};

// A column, chunk by chunk.
template <class T>
class Column {
 public:
  Column(const Dense& x, Valid valid, const Labels& labels)
      : data_(static_cast<const T*>(x.data)), stride_(x.row_stride), valid_(valid), labels_(labels) {}

  template <class F>
  void each(F&& f) const {
    T cells[kChunk];
    Chunk chunk;
    for (std::int64_t first = 0; first < labels_.rows; first += kChunk) {
      const std::int64_t n = std::min(kChunk, labels_.rows - first);
      const T* column = data_ + first * stride_;
      if (stride_ != 1) {
        for (std::int64_t i = 0; i < n; ++i) cells[i] = column[i * stride_];
        column = cells;
      }
      order_keys(column, n, chunk.keys);
      if (valid_.bits)  // what is not there gets the key of no number
        mark_holes({valid_.bits, valid_.first + first}, n, chunk.keys);
      keep(chunk, first, n);
      f(chunk);
    }
  }

 private:
  void keep(Chunk& chunk, std::int64_t first, std::int64_t n) const {
    const bool plain = !labels_.soft && !labels_.weight;
    if (plain && all_count(chunk.keys, labels_.codes + first, n)) {
      for (std::int64_t i = 0; i < n; ++i) chunk.rows[i] = static_cast<std::int32_t>(first + i);
      chunk.n = n;
      return;
    }
    chunk.n = plain ? kept(chunk, first, n, [&](std::int64_t row) { return labels_.codes[row] >= 0; })
                    : kept(chunk, first, n, [&](std::int64_t row) { return counts(labels_, row); });
  }

  // Moves the rows that count to the front, without a branch: holes follow no pattern.
  template <class Counts>
  static std::int64_t kept(Chunk& chunk, std::int64_t first, std::int64_t n, Counts counts) {
    std::int64_t at = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      const std::uint64_t key = chunk.keys[i];
      const bool in = is_number(key) & counts(first + i);
      chunk.keys[at] = key;
      chunk.rows[at] = static_cast<std::int32_t>(first + i);
      at += in;
    }
    return at;
  }

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
  std::uint64_t least = ~std::uint64_t{0}, greatest = 0;
  column.each([&](const Chunk& chunk) {
    for (std::int64_t i = 0; i < chunk.n; ++i) {
      least = std::min(least, chunk.keys[i]);
      greatest = std::max(greatest, chunk.keys[i]);
    }
  });
  while ((greatest >> drop) - (least >> drop) >= kMap) ++drop;
  const std::uint64_t low = least >> drop & kAligned;
  std::vector<std::uint64_t> map(((greatest >> drop) - low) / 64 + 2);
  column.each([&](const Chunk& chunk) {
    for (std::int64_t i = 0; i < chunk.n; ++i) {
      const std::uint64_t bit = (chunk.keys[i] >> drop) - low;
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

// From keys to the numbers of their buckets, where the keys lie close together: one look-up, no search. The table is
// kept by the thread, and kept clean, because it is larger than what a batch writes to it.
class Direct {
 public:
  // Room on both sides of the keys in use, so that few of those to come lie outside. `keys` outlive this.
  Direct(std::uint64_t low, std::uint64_t high, const std::vector<std::uint64_t>& keys) : keys_(keys) {
    const std::uint64_t room = (high - low) / 4 + 4096;
    low_ = low - std::min(low, room);
    size_ = high - low_ + room;
    if (table().size() < size_) table().resize(size_);
    number_ = table().data();
  }
  Direct(const Direct&) = delete;
  ~Direct() {
    for (const std::uint64_t key : keys_)
      if (has(key)) number_[key - low_] = 0;
  }
  bool has(std::uint64_t key) const { return key - low_ < size_; }
  std::uint16_t& operator[](std::uint64_t key) { return number_[key - low_]; }

 private:
  static std::vector<std::uint16_t>& table() {
    static thread_local std::vector<std::uint16_t> kept;
    return kept;
  }

  const std::vector<std::uint64_t>& keys_;
  std::uint64_t low_, size_;
  std::uint16_t* number_;  // 0: none yet
};

// The same for keys that lie far apart: open addressing at a load of at most a half.
class Hashed {
 public:
  explicit Hashed(std::int64_t most)
      : mask_(std::bit_ceil(2 * static_cast<std::size_t>(most)) - 1), shift_(std::countl_zero(mask_)) {
    keys_.assign(mask_ + 1, kFree);
    number_.assign(mask_ + 1, 0);
  }
  bool has(std::uint64_t) const { return true; }
  std::uint16_t& operator[](std::uint64_t key) {
    std::size_t slot = key * 0x9E3779B97F4A7C15ull >> shift_;
    while (keys_[slot] != key && keys_[slot] != kFree) slot = (slot + 1) & mask_;
    keys_[slot] = key;
    return number_[slot];
  }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};  // the key of no number but a NaN
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
      : column_(column), labels_(labels), most_(most), drop_(drop) {}

  Buckets count() {
    column_.each([&](const Chunk& chunk) {
      std::int64_t i = 0;
      while (true) {
        if (direct_) i = add(*direct_, chunk, i);
        else if (hashed_) i = add(*hashed_, chunk, i);
        if (i == chunk.n) break;
        if (static_cast<std::int64_t>(keys_.size()) == most_ && !number_of(chunk.keys[i] >> drop_))
          make_room(chunk.keys[i] >> drop_);
        index(chunk.keys[i] >> drop_);
      }
    });
    return sorted();
  }

 private:
  // Counts up to the first number that is outside of the index or needs a bucket too many.
  template <class Index>
  std::int64_t add(Index& number, const Chunk& chunk, std::int64_t i) {
    const std::int64_t classes = labels_.classes;
    if (labels_.soft)
      return add(number, chunk, i, [&](double* weight, std::int32_t row) {
        for (std::int64_t c = 0; c < classes; ++c) weight[c] += labels_.soft[row * classes + c];
      });
    const std::int32_t* codes = labels_.codes;
    if (labels_.weight)
      return add(number, chunk, i, [&](double* weight, std::int32_t row) { weight[codes[row]] += labels_.weight[row]; });
    return add(number, chunk, i, [codes](double* weight, std::int32_t row) { weight[codes[row]] += 1.0; });
  }

  template <class Index, class Weigh>
  std::int64_t add(Index& number, const Chunk& chunk, std::int64_t i, Weigh weigh) {
    const std::int64_t classes = labels_.classes;
    const int drop = drop_;
    for (; i < chunk.n; ++i) {
      const std::uint64_t key = chunk.keys[i] >> drop;
      if (!number.has(key)) [[unlikely]]
        return i;
      std::uint16_t& bucket = number[key];
      if (!bucket) [[unlikely]] {
        if (static_cast<std::int64_t>(keys_.size()) == most_) return i;
        bucket = added(key);
      }
      weigh(weight_.data() + (bucket - 1) * classes, chunk.rows[i]);
    }
    return i;
  }

  std::uint16_t added(std::uint64_t key) {
    keys_.push_back(key);
    weight_.resize(weight_.size() + labels_.classes, 0.0);
    low_ = std::min(low_, key);
    high_ = std::max(high_, key);
    return static_cast<std::uint16_t>(keys_.size());
  }

  std::uint16_t number_of(std::uint64_t key) {
    if (hashed_) return (*hashed_)[key];
    return direct_ && direct_->has(key) ? (*direct_)[key] : std::uint16_t{0};
  }

  // An index for the buckets in use and one more.
  void index(std::uint64_t more) {
    const std::uint64_t low = std::min(low_, more), high = std::max(high_, more);
    direct_.reset();
    hashed_.reset();
    const auto fill = [&](auto& number) {
      for (std::size_t i = 0; i < keys_.size(); ++i) number[keys_[i]] = static_cast<std::uint16_t>(i + 1);
    };
    if (high - low < kClose)
      fill(direct_.emplace(low, high, keys_));
    else
      fill(hashed_.emplace(most_ + 1));
  }

  // Drops as few bits as will do: for all numbers, or, where they lie too far apart to tell, for one more.
  void make_room(std::uint64_t more) {
    const int all = drop_for_all(column_, drop_, most_);
    if (all > 0) return coarsen(all - drop_);
    std::vector<std::uint64_t> keys = keys_;
    keys.push_back(more);
    coarsen(bits_to_drop(sorted_entries(keys), most_));
  }

  void coarsen(int drop) {
    const std::int64_t classes = labels_.classes;
    const std::vector<Entry> entries = sorted_entries(keys_);
    direct_.reset();  // it knows the keys as they were
    hashed_.reset();
    std::vector<double> weight;
    weight.swap(weight_);
    keys_.clear();
    drop_ += drop;
    low_ >>= drop;
    high_ >>= drop;
    for (const Entry& e : entries) {
      if (keys_.empty() || keys_.back() != e.key >> drop) added(e.key >> drop);
      double* into = weight_.data() + (keys_.size() - 1) * classes;
      for (std::int64_t c = 0; c < classes; ++c) into[c] += weight[e.from * classes + c];
    }
  }

  Buckets sorted() const {
    Buckets out{drop_, {}, {}};
    out.keys.reserve(keys_.size());
    out.weight.reserve(weight_.size());
    for (const Entry& e : sorted_entries(keys_)) {
      out.keys.push_back(e.key);
      const auto weight = weight_.begin() + e.from * labels_.classes;
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
  std::vector<double> weight_;       // keys x classes
  std::optional<Direct> direct_;     // after the keys: it is cleaned by them
  std::optional<Hashed> hashed_;
};

}  // namespace

Buckets count_buckets(const Dense& x, Valid valid, const Labels& labels, int drop, std::int64_t most) {
  if (drop < 0 || drop > kMantissa || most < 4096 || most > UINT16_MAX)
    throw std::invalid_argument("a histogram drops 0 to 52 bits and has 4096 to 65535 buckets");
  if (labels.rows > INT32_MAX) throw std::invalid_argument("a histogram counts fewer than 2147483648 rows at a time");
  check_classes(labels);
  return with_type(x.kind, [&]<class T>(const T*) {
    const Column<T> column(x, valid, labels);
    return Counter<T>(column, labels, drop, most).count();
  });
}

}  // namespace deciban
