// Codes of labels and categories.
#pragma once

#include <cstdint>
#include <vector>

#include "core/view.hpp"

namespace deciban {

// Numbers n items of `size` bytes each by first appearance, without sorting. Returns the index of every first
// appearance.
std::vector<std::int64_t> encode_items(const unsigned char* items, std::int64_t n, std::int64_t size,
                                       std::int32_t* code);

// Writes the bits of a bitmap as codes 0 and 1.
void encode_bits(Bitmap bits, std::int64_t n, std::int32_t* code);

// Writes -1 for every missing value.
void mark_missing_codes(Bitmap valid, std::int64_t n, std::int32_t* code);

// Replaces every code by new_code[code]; -1 stays.
void recode_inplace(std::int32_t* code, std::int64_t n, const std::int32_t* new_code, std::int64_t codes);

// Writes the positions of two sorted lists of distinct numbers in their union. Returns the size of the union.
std::int64_t merge_sorted(const std::uint64_t* a, std::int64_t size_a, const std::uint64_t* b, std::int64_t size_b,
                          std::int64_t* place_a, std::int64_t* place_b);

}  // namespace deciban
