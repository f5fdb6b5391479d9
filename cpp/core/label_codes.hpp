// Codes for labels, without sorting the data.
#pragma once

#include <cstdint>
#include <vector>

#include "core/view.hpp"

namespace deciban {

// Items are n blobs of `size` bytes each. code[i] numbers the distinct items by first appearance; the result holds
// the position of each first appearance.
std::vector<std::int64_t> encode(const unsigned char* items, std::int64_t n, std::int64_t size, std::int32_t* code);

// Bits as codes, 0 and 1.
void bit_codes(Valid bits, std::int64_t n, std::int32_t* code);

// Codes become -1 where the value is not there.
void mark_missing(Valid valid, std::int64_t n, std::int32_t* code);

// code[i] becomes place[code[i]]; -1 stays, any other code must be a position of place.
void renumber(std::int32_t* code, std::int64_t n, const std::int32_t* place, std::int64_t places);

// Places of two sorted runs of distinct numbers in their union; returns the union's size.
std::int64_t merge_sorted(const std::uint64_t* a, std::int64_t n, const std::uint64_t* b, std::int64_t m,
                          std::int64_t* place_a, std::int64_t* place_b);

}  // namespace deciban
