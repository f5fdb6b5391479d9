// Walker's alias tables: one look at one slot draws a value, however many values there are.
#pragma once

#include <cstdint>

namespace deciban {

// A slot stands for two values: itself, as long as what is left of the random number is below `accept`, and `other`.
struct Slot {
  std::uint64_t accept, other;
};

// The table of one distribution, from weights that are finite, at least 0 and not all 0. Slot i accepts value i with
// accept / 2^64; the masses of a value over all slots add up to its share. A weight of 0 is never drawn.
void build_alias(const double* weight, std::int64_t size, Slot* table);

// A value for each of n random 64-bit words, from the table of its class: tables of `size` slots, one after the other.
// `cls` may be null where there is one table.
void draw_alias(const Slot* tables, std::int64_t count, std::int64_t size, const std::uint64_t* word,
                const std::int32_t* cls, std::int64_t n, std::int32_t* out);

}  // namespace deciban
