// Assertions of the fuzz target.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace fuzz {

[[noreturn]] inline void fail(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: violated: %s\n", file, line, condition);
  std::abort();
}

#define CHECK(condition) ((condition) ? void() : ::fuzz::fail(#condition, __FILE__, __LINE__))

// Whether two sums of the same terms in different orders agree. `size` is the sum of the absolute terms.
inline bool close(double a, double b, double size) { return std::abs(a - b) <= 1e-10 * size; }

}  // namespace fuzz
