// An array with room for a maximum number of items, filled from the front. Pages that are not written cost no memory.
#pragma once

#include <cstring>
#include <utility>

#include "core/huge_pages.hpp"

namespace deciban {

template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t capacity) : data_(HugeAllocator<T>().allocate(capacity)), capacity_(capacity) {}
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer() {
    if (data_) HugeAllocator<T>().deallocate(data_, capacity_);
  }

  void push(T value) { data_[size_++] = value; }
  void append(const T* from, std::size_t n) {
    if (n) std::memcpy(data_ + size_, from, n * sizeof(T));
    size_ += n;
  }
  // Adds n items that the caller wrote after the last one.
  void grow(std::size_t n) { size_ += n; }
  std::size_t size() const { return size_; }
  T* data() { return data_; }
  const T* data() const { return data_; }

 private:
  void swap(Buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
    std::swap(size_, other.size_);
  }

  T* data_ = nullptr;
  std::size_t capacity_ = 0, size_ = 0;
};

}  // namespace deciban
