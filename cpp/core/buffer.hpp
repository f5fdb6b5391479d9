// An array of at most so many items, which are written one after the other; memory that is not written costs nothing.
#pragma once

#include <cstring>
#include <utility>

#include "core/huge_pages.hpp"

namespace deciban {

template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t most) : data_(HugeAllocator<T>().allocate(most)), most_(most) {}
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer() {
    if (data_) HugeAllocator<T>().deallocate(data_, most_);
  }

  void push(T value) { data_[size_++] = value; }
  void append(const T* from, std::size_t n) {
    if (n) std::memcpy(data_ + size_, from, n * sizeof(T));
    size_ += n;
  }
  void grow(std::size_t n) { size_ += n; }  // by what was written behind its end
  std::size_t size() const { return size_; }
  T* data() { return data_; }
  const T* data() const { return data_; }

 private:
  void swap(Buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(most_, other.most_);
    std::swap(size_, other.size_);
  }

  T* data_ = nullptr;
  std::size_t most_ = 0, size_ = 0;
};

}  // namespace deciban
