#include "draws/alias.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace deciban {
namespace {

// Fixed-point numbers with 64 fractional bits, in units of slots: masses are divided and added without rounding.
__extension__ using Fixed = __int128;
__extension__ using Product = unsigned __int128;
constexpr Fixed kSlot = Fixed{1} << 64;

// Neumaier's sum of weight / largest. It is nearly exact, so that the shares of any number of weights add up to one.
double scaled_sum(const double* weight, std::int64_t size, double largest) {
  double total = 0, lost = 0;
  for (std::int64_t i = 0; i < size; ++i) {
    const double w = weight[i] / largest, next = total + w;
    lost += total >= w ? (total - next) + w : (w - next) + total;
    total = next;
  }
  return total + lost;
}

// Returns the number of slots that every value fills. The rounding error goes to the heaviest value, which fills at
// least one slot.
std::vector<Fixed> masses_of(const double* weight, std::int64_t size) {
  const std::int64_t heaviest = std::max_element(weight, weight + size) - weight;
  const double largest = weight[heaviest];
  const double total = scaled_sum(weight, size, largest);
  std::vector<Fixed> mass(static_cast<std::size_t>(size));
  Fixed left = kSlot * size;
  for (std::int64_t i = 0; i < size; ++i) {
    mass[i] = static_cast<Fixed>(std::ldexp(weight[i] / largest / total * static_cast<double>(size), 64));
    left -= mass[i];
  }
  mass[heaviest] += left;
  return mass;
}

}  // namespace

// Vose's method in one sweep. A heavy value, which fills more than a slot, fills up the slots of light values; once it
// has become light, the next heavy value fills up its slot. Masses add up exactly, so that the last values fill their
// slots.
void build_alias(const double* weight, std::int64_t size, AliasSlot* table) {
  const std::vector<Fixed> mass = masses_of(weight, size);
  for (std::int64_t i = 0; i < size; ++i) table[i] = {0, static_cast<std::uint64_t>(i)};
  const auto find_next = [&](std::int64_t i, bool heavy) {
    while (i < size && (mass[i] > kSlot) != heavy) ++i;
    return i;
  };
  const auto fill_up = [&](std::int64_t slot, Fixed filled, std::int64_t other) {
    if (filled < kSlot) table[slot] = {static_cast<std::uint64_t>(filled), static_cast<std::uint64_t>(other)};
  };
  std::int64_t light = find_next(0, false), heavy = find_next(0, true);
  Fixed left = heavy < size ? mass[heavy] : 0;
  while (heavy < size) {
    if (left > kSlot) {
      fill_up(light, mass[light], heavy);
      left -= kSlot - mass[light];
      light = find_next(light + 1, false);
    } else {
      const std::int64_t next_heavy = find_next(heavy + 1, true);
      if (next_heavy == size) break;
      fill_up(heavy, left, next_heavy);
      left += mass[next_heavy] - kSlot;
      heavy = next_heavy;
    }
  }
}

void draw_alias(const AliasSlot* tables, std::int64_t count, std::int64_t size, const std::uint64_t* random,
                const std::int32_t* cls, std::int64_t n, std::int32_t* out) {
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t c = cls ? cls[i] : 0;
    if (c < 0 || c >= count)
      throw std::invalid_argument("class code " + std::to_string(c) + " is outside 0 to " + std::to_string(count - 1));
    // The upper half of the product is the slot, the lower half decides within it.
    const Product product = static_cast<Product>(random[i]) * static_cast<std::uint64_t>(size);
    const auto place = static_cast<std::uint64_t>(product >> 64);
    const AliasSlot& slot = tables[c * size + static_cast<std::int64_t>(place)];
    out[i] = static_cast<std::int32_t>(static_cast<std::uint64_t>(product) < slot.accept ? place : slot.other);
  }
}

}  // namespace deciban
