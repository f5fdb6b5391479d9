// From a cell to its code in a category table.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace deciban {

// Both lie outside every table.
constexpr std::int64_t kNoCode = -1;       // missing
constexpr std::int64_t kForeignCode = -2;  // not an integer, or too large

// Whether a number is an integer that 64-bit integers and doubles represent exactly. NaN is not.
template <class T>
inline bool is_code(T value) {
  if constexpr (std::is_floating_point_v<T>) return std::abs(value) <= T(9e15) && std::trunc(value) == value;
  if constexpr (std::is_same_v<T, std::uint64_t>) return value <= static_cast<std::uint64_t>(INT64_MAX);
  return true;
}

// Returns value - low.
template <class T>
inline std::int64_t code_of(T value, std::int64_t low) {
  if (value != value) return kNoCode;
  if (!is_code(value)) return kForeignCode;
  // Unsigned subtraction wraps instead of overflowing, and a wrapped difference lies outside every table.
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) -
                                   static_cast<std::uint64_t>(low));
}

}  // namespace deciban
