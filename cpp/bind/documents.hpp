// The texts of some rows, in Python's or Arrow's memory.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "core/document.hpp"

namespace deciban {

class Documents {
 public:
  // `owner` keeps the memory of all texts alive.
  Documents(std::vector<Document> all, nb::object owner)
      : all_(std::make_shared<std::vector<Document>>(std::move(all))), items_(*all_), owner_(std::move(owner)) {}

  std::span<const Document> items() const { return items_; }

  // Returns rows [begin, end) without copying.
  Documents slice(std::size_t begin, std::size_t end) const {
    Documents out = *this;
    out.items_ = items_.subspan(begin, end - begin);
    return out;
  }

 private:
  std::shared_ptr<const std::vector<Document>> all_;
  std::span<const Document> items_;
  nb::object owner_;
};

}  // namespace deciban
