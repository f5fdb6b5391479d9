// Where each feature's categories sit in a table, checked.
#pragma once

#include "../tables.hpp"
#include "arrays.hpp"

namespace deciban {

using Ints = In1d<std::int64_t>;

inline Coding coding(const Ints& low, const Ints& start, std::int64_t cols, std::int64_t width, bool gaps = false) {
  require(static_cast<std::int64_t>(low.shape(0)) == cols, "low needs one entry per column");
  require(static_cast<std::int64_t>(start.shape(0)) == cols + 1, "start needs one entry per column and one more");
  const std::int64_t* s = start.data();
  require(s[0] == 0 && s[cols] == width, "start must run from 0 to the width of the table");
  for (std::int64_t j = 0; j < cols; ++j) {
    require(s[j] <= s[j + 1], "start must not decrease");
    require(low.data()[j] <= INT64_MAX - (s[j + 1] - s[j]), "low is too large for its range");
  }
  return {low.data(), s, gaps};
}

}  // namespace deciban
