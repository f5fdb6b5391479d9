// Where each feature's categories sit in a table, checked.
#pragma once

#include "bind/arrays.hpp"
#include "statistics/tables.hpp"

namespace deciban {

using Ints = In1d<std::int64_t>;

inline Coding coding(const Ints& low, const Ints& start, std::int64_t cols, std::int64_t width) {
  require(static_cast<std::int64_t>(low.shape(0)) == cols, "low needs one entry per column");
  require(static_cast<std::int64_t>(start.shape(0)) == cols + 1, "start needs one entry per column and one more");
  const std::int64_t* s = start.data();
  require(s[0] == 0 && s[cols] == width, "start must run from 0 to the width of the table");
  for (std::int64_t j = 0; j < cols; ++j) {
    require(s[j] <= s[j + 1], "start must not decrease");
    require(low.data()[j] <= INT64_MAX - (s[j + 1] - s[j]), "low is too large for its range");
  }
  return {low.data(), s};
}

// Columns of codes, one code per row, and where the entries of each sit in a table of `width` entries.
inline std::vector<const std::int32_t*> code_columns(const std::vector<In1d<std::int32_t>>& columns, const Ints& start,
                                                     std::int64_t rows, std::int64_t width) {
  require(start.shape(0) == columns.size() + 1, "start needs one entry per column and one more");
  const std::int64_t* s = start.data();
  require(s[0] == 0 && s[columns.size()] == width && width <= INT32_MAX, "start must run from 0 to the table's width");
  std::vector<const std::int32_t*> codes;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    require(s[j] <= s[j + 1], "start must not decrease");
    require(static_cast<std::int64_t>(columns[j].shape(0)) == rows, "every column needs one code per row");
    codes.push_back(columns[j].data());
  }
  return codes;
}

}  // namespace deciban
