// SIMD for any x86-64 in one binary: hot loops are compiled for three instruction sets, and the loader picks one.
#pragma once

#include <cstring>

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(DECIBAN_ONE_TARGET)
#define DECIBAN_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define DECIBAN_CLONES
#endif

// Inlined into every clone, and so compiled for its instruction set.
#define DECIBAN_INLINE inline __attribute__((always_inline))

namespace deciban {

// Scores of four classes. Scorers pad their class axis to a multiple of this width, so that no loop has a remainder.
constexpr int kLanes = 4;
typedef double Lanes __attribute__((vector_size(32), aligned(8)));

DECIBAN_INLINE Lanes load(const double* p) {
  Lanes v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

DECIBAN_INLINE void store(double* p, Lanes v) { std::memcpy(p, &v, sizeof v); }

}  // namespace deciban
