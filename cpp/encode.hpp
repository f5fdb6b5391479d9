// Codes for labels, without sorting the data.
#pragma once

#include <cstdint>
#include <vector>

namespace deciban {

// Items are n blobs of `size` bytes each. code[i] numbers the distinct items by first appearance; the result holds
// the position of each first appearance.
std::vector<std::int64_t> encode(const unsigned char* items, std::int64_t n, std::int64_t size, std::int32_t* code);

// code[i] becomes place[code[i]]; every code must be a position of place.
void renumber(std::int32_t* code, std::int64_t n, const std::int32_t* place, std::int64_t places);

}  // namespace deciban
