// Memory in pages of 2 MB where the system has them. A random look-up in a large table then misses the cache once, not
// also the table of pages.
#pragma once

#include <cstdlib>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace deciban {

constexpr std::size_t kHugePage = std::size_t{1} << 21;

inline void* allocate_huge(std::size_t bytes) {
  if (bytes < 2 * kHugePage) return std::malloc(bytes ? bytes : 1);
  void* memory = std::aligned_alloc(kHugePage, (bytes + kHugePage - 1) / kHugePage * kHugePage);
#if defined(__linux__)
  if (memory) madvise(memory, bytes, MADV_HUGEPAGE);  // a hint: failure is harmless
#endif
  return memory;
}

template <class T>
struct HugeAllocator {
  using value_type = T;
  HugeAllocator() = default;
  template <class U>
  HugeAllocator(const HugeAllocator<U>&) {}
  T* allocate(std::size_t n) {
    if (n > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_alloc();
    void* memory = allocate_huge(n * sizeof(T));
    if (!memory) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { std::free(memory); }
  friend bool operator==(const HugeAllocator&, const HugeAllocator&) { return true; }
};

template <class T>
using HugeVector = std::vector<T, HugeAllocator<T>>;

}  // namespace deciban
