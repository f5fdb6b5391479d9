// Walker's alias tables: one look-up draws a value, however many values there are.
#pragma once

#include <cstdint>

namespace deciban {

// Slot i draws value i if a random 64-bit number is less than `accept`, otherwise value `other`.
struct AliasSlot {
  std::uint64_t accept, other;
};

// Writes the alias table of one distribution. The weights are finite, at least 0 and not all 0. The probabilities of a
// value in all slots add up to its share of the weight. A weight of 0 is never drawn.
void build_alias(const double* weight, std::int64_t size, AliasSlot* table);

// Draws a value for each of n random 64-bit numbers, from the table of its class. There are `count` tables of `size`
// slots each. `cls` may be null if there is one table.
void draw_alias(const AliasSlot* tables, std::int64_t count, std::int64_t size, const std::uint64_t* random,
                const std::int32_t* cls, std::int64_t n, std::int32_t* out);

}  // namespace deciban
