// Keys of rows: 64-bit hashes of their content, which decide the rows that a sample keeps.
// Model files keep samples in the order of their keys: nothing here may ever change.
#pragma once

#include <cstdint>
#include <span>

#include "core/document.hpp"
#include "core/view.hpp"

namespace deciban {

// The keys and the sizes in bytes of some rows, to which every cell adds its own. A missing cell adds nothing, and the
// order of the columns does not matter.
struct RowKeys {
  std::uint64_t* key;
  std::int64_t* size;

  // Sizes wrap like keys: the array may hold any number before, and a signed sum that overflows is undefined.
  void add(std::int64_t row, std::uint64_t cell_key, std::int64_t bytes) const {
    key[row] += cell_key;
    size[row] = static_cast<std::int64_t>(static_cast<std::uint64_t>(size[row]) + static_cast<std::uint64_t>(bytes));
  }
};

// Number cells count by their value as a double, −0 as 0; an integer that no double equals counts by itself. NaN is
// missing. `seed` has one number per column. A number takes eight bytes.
void add_number_keys(const Dense& x, const Bitmap& valid, const std::uint64_t* seed, RowKeys rows);

// Adds what add_number_keys would add for the same rows stored densely. An entry that is not zero takes twelve bytes.
void add_sparse_keys(const Sparse& x, const std::uint64_t* seed, RowKeys rows);

// Texts count by their UTF-8 bytes, which is also the memory they take.
void add_text_keys(std::span<const Document> texts, std::uint64_t seed, RowKeys rows);

// Hash of a name or another text, from which seeds are made.
std::uint64_t text_hash(const unsigned char* data, std::int64_t size);

}  // namespace deciban
