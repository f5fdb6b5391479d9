// What must hold.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace fuzz {

[[noreturn]] inline void violated(const char* what, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: violated: %s\n", file, line, what);
  std::abort();
}

#define CHECK(what) ((what) ? void() : ::fuzz::violated(#what, __FILE__, __LINE__))

// Of sums whose terms were added in another order; `size` is the sum of the terms without their signs.
inline bool close(double a, double b, double size) { return std::abs(a - b) <= 1e-10 * size; }

}  // namespace fuzz
