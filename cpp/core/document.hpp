// One text to be tokenized.
#pragma once

#include <cstdint>

namespace deciban {

// A text in UTF-8, or in the characters of a Python string. Missing if data is null.
struct Document {
  const unsigned char* data;
  std::int64_t size;      // bytes, or characters of `width` bytes
  int width = 0;          // bytes per character: 1, 2 or 4; 0 for UTF-8
  bool is_bytes = false;  // a Python bytes object, not a string
};

// Returns a text that is not missing. An empty one gets an address too, because null means missing.
inline Document present_document(const void* data, std::int64_t size, int width = 0, bool is_bytes = false) {
  static constexpr unsigned char kEmpty = 0;
  return {size ? static_cast<const unsigned char*>(data) : &kEmpty, size, size ? width : 0, is_bytes};
}

// Prefetches the first two cache lines. The texts of a list are scattered, so that every short text is a cache miss.
// The second line may lie outside the text: a prefetch does not read.
inline void prefetch(const Document& document) {
  const auto address = reinterpret_cast<std::uintptr_t>(document.data);
  __builtin_prefetch(reinterpret_cast<const void*>(address));
  __builtin_prefetch(reinterpret_cast<const void*>(address + 64));
}

}  // namespace deciban
