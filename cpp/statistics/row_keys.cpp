#include "statistics/row_keys.hpp"

#include <bit>
#include <cmath>
#include <vector>

#include "core/hash.hpp"
#include "core/utf8.hpp"

namespace deciban {
namespace {

constexpr std::uint64_t kText = 0xA0761D6478BD642Full;
constexpr std::uint64_t kLargeInteger = 0x8EBC6AF09C88C6E3ull;
constexpr std::int64_t kNumberBytes = 8, kEntryBytes = 12;

// Two rounds, because the keys of cells are added: no cell may cancel another.
std::uint64_t cell_key(std::uint64_t bits, std::uint64_t seed) { return scramble(scramble(bits) ^ seed); }

std::uint64_t double_key(double value, std::uint64_t seed) {
  return cell_key(std::bit_cast<std::uint64_t>(value + 0.0), seed);  // −0 + 0 is 0
}

// Whether a double has the value of an integer.
template <class T>
bool is_exact(T value, double rounded) {
  constexpr double kLimit = std::is_signed_v<T> ? 0x1p63 : 0x1p64;
  return rounded < kLimit && static_cast<T>(rounded) == value;
}

template <class T>
std::uint64_t number_key(T value, std::uint64_t seed) {
  if constexpr (std::is_floating_point_v<T>) return double_key(static_cast<double>(value), seed);
  const auto rounded = static_cast<double>(value);
  if (sizeof(T) < 8 || is_exact(value, rounded)) return double_key(rounded, seed);
  return cell_key(static_cast<std::uint64_t>(value), seed ^ kLargeInteger);
}

template <class T>
bool is_nan(T value) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
  return false;
}

}  // namespace

void add_number_keys(const Dense& x, const Bitmap& valid, const std::uint64_t* seed, RowKeys rows) {
  with_type(x.type, [&]<class T>(const T*) {
    const T* data = static_cast<const T*>(x.data);
    for (std::int64_t i = 0; i < x.rows; ++i) {
      if (!valid[i]) continue;
      std::uint64_t key = 0;
      std::int64_t size = 0;
      for (std::int64_t j = 0; j < x.cols; ++j) {
        const T value = data[i * x.row_stride + j * x.col_stride];
        if (is_nan(value)) continue;
        key += number_key(value, seed[j]);
        size += kNumberBytes;
      }
      rows.add(i, key, size);
    }
  });
}

void add_sparse_keys(const Sparse& x, const std::uint64_t* seed, RowKeys rows) {
  std::vector<std::uint64_t> zero(static_cast<std::size_t>(x.cols));
  std::uint64_t all_zero = 0;
  for (std::size_t j = 0; j < zero.size(); ++j) all_zero += zero[j] = double_key(0.0, seed[j]);
  with_types(x, [&]<class T, class I>(const T* values, const I* indices, const I* pointers) {
    for (std::int64_t i = 0; i < x.rows; ++i) {
      const Range range = checked_range(pointers, i, x.stored);
      std::uint64_t key = all_zero;
      std::int64_t size = 0;
      for (std::int64_t e = range.begin; e < range.end; ++e) {
        const auto j = static_cast<std::int64_t>(indices[e]);
        if (j < 0 || j >= x.cols) throw_bad_index(j, x.cols);
        if (values[e] == T{0}) continue;
        key -= zero[static_cast<std::size_t>(j)];
        if (!is_nan(values[e])) key += number_key(values[e], seed[j]);
        size += kEntryBytes;
      }
      rows.add(i, key, size);
    }
    return 0;
  });
}

std::uint64_t text_hash(const unsigned char* data, std::int64_t size) {
  return hash_bytes(data, size) ^ hash_word(static_cast<std::uint64_t>(size));
}

void add_text_keys(std::span<const Document> texts, std::uint64_t seed, RowKeys rows) {
  std::vector<unsigned char> utf8;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Document& text = texts[i];
    if (!text.data) continue;
    const unsigned char* data = text.data;
    std::int64_t size = text.size;
    if (text.width) {
      const Characters characters{text.data, text.size, text.width};
      if (static_cast<std::int64_t>(utf8.size()) < characters.max_bytes())
        utf8.resize(static_cast<std::size_t>(characters.max_bytes()));
      size = encode_utf8(characters, utf8.data()) - utf8.data();
      data = utf8.data();
    }
    rows.add(static_cast<std::int64_t>(i), cell_key(text_hash(data, size), seed ^ kText), size);
  }
}

}  // namespace deciban
