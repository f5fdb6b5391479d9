// An array of at most so many items, which are written one after the other; memory that is not written costs nothing.
#pragma once

#include <cstring>
#include <memory>

namespace deciban {

template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t most) : data_(std::make_unique_for_overwrite<T[]>(most)) {}

  void push(T value) { data_[size_++] = value; }
  void append(const T* from, std::size_t n) {
    if (n) std::memcpy(data_.get() + size_, from, n * sizeof(T));
    size_ += n;
  }
  std::size_t size() const { return size_; }
  T* release() { return data_.release(); }

 private:
  std::unique_ptr<T[]> data_;
  std::size_t size_ = 0;
};

}  // namespace deciban
