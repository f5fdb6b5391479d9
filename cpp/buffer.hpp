// An array of at most so many items, which are written one after the other; memory that is not written costs nothing.
#pragma once

#include <cstring>
#include <memory>

#include "huge.hpp"

namespace deciban {

template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t most) : data_(HugeAllocator<T>().allocate(most)) {}

  void push(T value) { data_.get()[size_++] = value; }
  void append(const T* from, std::size_t n) {
    if (n) std::memcpy(data_.get() + size_, from, n * sizeof(T));
    size_ += n;
  }
  std::size_t size() const { return size_; }
  T* release() { return data_.release(); }  // to be freed with std::free

 private:
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };

  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace deciban
