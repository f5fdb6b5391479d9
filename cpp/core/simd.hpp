// One wheel for every x86-64: hot loops are compiled for three instruction sets and picked when the module loads.
#pragma once

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(DECIBAN_ONE_TARGET)
#define DECIBAN_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define DECIBAN_CLONES
#endif

namespace deciban {

// Four classes side by side. Scorers pad their class axis to a multiple of this width, so no loop has a remainder.
constexpr int kLanes = 4;
typedef double Lanes __attribute__((vector_size(32), aligned(8)));

}  // namespace deciban
