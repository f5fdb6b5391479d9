// From a cell to its place in a category table.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace deciban {

constexpr std::int64_t kNoCode = -1;          // missing
constexpr std::int64_t kForeignCode = -2;     // not a code at all: never inside any table

// value - low without overflow; NaN is missing, a fraction or a number too large for a code is foreign.
template <class T>
inline std::int64_t code_of(T value, std::int64_t low) {
  if constexpr (std::is_floating_point_v<T>) {
    if (value != value) return kNoCode;
    if (!(std::abs(value) <= T(9e15)) || std::trunc(value) != value) return kForeignCode;
  }
  if constexpr (std::is_same_v<T, std::uint64_t>)
    if (value > static_cast<std::uint64_t>(INT64_MAX)) return kForeignCode;
  // Subtract as unsigned: wraps instead of overflowing, and a wrapped difference is outside every table.
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) -
                                   static_cast<std::uint64_t>(low));
}

}  // namespace deciban
