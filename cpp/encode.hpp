// Codes for labels, without sorting the data.
#pragma once

#include <cstdint>
#include <vector>

namespace deciban {

// Items are n blobs of `size` bytes each. code[i] numbers the distinct items by first appearance; the result holds
// the position of each first appearance.
std::vector<std::int64_t> encode(const unsigned char* items, std::int64_t n, std::int64_t size, std::int32_t* code);

}  // namespace deciban
