#include "draws/alias.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace deciban {
namespace {

// Numbers of slots with 64 bits behind the point: masses are cut up and joined without rounding.
__extension__ using Fixed = __int128;
__extension__ using Wide = unsigned __int128;
constexpr Fixed kSlot = Fixed{1} << 64;

// Neumaier's sum: as good as exact, so that shares of any number of weights add up to one.
double sum(const double* weight, std::int64_t size, double largest) {
  double total = 0, lost = 0;
  for (std::int64_t i = 0; i < size; ++i) {
    const double w = weight[i] / largest, next = total + w;
    lost += total >= w ? (total - next) + w : (w - next) + total;
    total = next;
  }
  return total + lost;
}

// How many slots each value fills; what rounding leaves over is the heaviest value's, which fills one at least.
std::vector<Fixed> masses(const double* weight, std::int64_t size) {
  const std::int64_t heaviest = std::max_element(weight, weight + size) - weight;
  const double largest = weight[heaviest];
  const double total = sum(weight, size, largest);
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

// Vose's method as a sweep: a value that fills more than its slot lends to the slots of light values, and when it has
// become light itself, the next heavy one lends to it. Masses add up exactly, so the last ones fill their slots.
void build_alias(const double* weight, std::int64_t size, Slot* table) {
  const std::vector<Fixed> mass = masses(weight, size);
  for (std::int64_t i = 0; i < size; ++i) table[i] = {0, static_cast<std::uint64_t>(i)};
  const auto next = [&](std::int64_t from, bool heavy) {
    while (from < size && (mass[from] > kSlot) != heavy) ++from;
    return from;
  };
  const auto share = [&](std::int64_t slot, Fixed own, std::int64_t other) {
    if (own < kSlot) table[slot] = {static_cast<std::uint64_t>(own), static_cast<std::uint64_t>(other)};
  };
  std::int64_t light = next(0, false), heavy = next(0, true);
  Fixed left = heavy < size ? mass[heavy] : 0;
  while (heavy < size) {
    if (left > kSlot) {
      share(light, mass[light], heavy);
      left -= kSlot - mass[light];
      light = next(light + 1, false);
    } else {
      const std::int64_t following = next(heavy + 1, true);
      if (following == size) break;  // all that is left fills its slots
      share(heavy, left, following);
      left += mass[following] - kSlot;
      heavy = following;
    }
  }
}

void draw_alias(const Slot* tables, std::int64_t count, std::int64_t size, const std::uint64_t* word,
                const std::int32_t* cls, std::int64_t n, std::int32_t* out) {
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t c = cls ? cls[i] : 0;
    if (c < 0 || c >= count)
      throw std::invalid_argument("class code " + std::to_string(c) + " is outside 0 to " + std::to_string(count - 1));
    // The slot is in the upper half of the product, and what decides within it in the lower.
    const Wide product = static_cast<Wide>(word[i]) * static_cast<std::uint64_t>(size);
    const auto place = static_cast<std::uint64_t>(product >> 64);
    const Slot& slot = tables[c * size + static_cast<std::int64_t>(place)];
    out[i] = static_cast<std::int32_t>(static_cast<std::uint64_t>(product) < slot.accept ? place : slot.other);
  }
}

}  // namespace deciban
