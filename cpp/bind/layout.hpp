// Positions of categories and bins in a table.
#pragma once

#include <vector>

#include "bind/arrays.hpp"
#include "statistics/tables.hpp"

namespace deciban {

inline TableLayout table_layout(const Longs& low, const Longs& start, std::int64_t cols, std::int64_t width) {
  require(length(low) == cols, "low needs one entry per column");
  require(length(start) == cols + 1, "start needs one entry per column and one more");
  const std::int64_t* s = start.data();
  require(s[0] == 0 && s[cols] == width, "start must run from 0 to the width of the table");
  require(is_ascending(s, cols), "start must not decrease");
  for (std::int64_t j = 0; j < cols; ++j)
    require(low.data()[j] <= INT64_MAX - (s[j + 1] - s[j]), "low is too large for its range");
  return {low.data(), s};
}

// Columns of codes, whose entries in a table of `width` entries begin at `start`.
inline std::vector<const std::int32_t*> code_columns(const std::vector<Ints>& columns, const Longs& start,
                                                     std::int64_t rows, std::int64_t width) {
  const auto cols = static_cast<std::int64_t>(columns.size());
  require(length(start) == cols + 1, "start needs one entry per column and one more");
  const std::int64_t* s = start.data();
  require(s[0] == 0 && s[cols] == width && width <= INT32_MAX, "start must run from 0 to the table's width");
  require(is_ascending(s, cols), "start must not decrease");
  std::vector<const std::int32_t*> codes;
  for (const Ints& column : columns) {
    require(length(column) == rows, "every column needs one code per row");
    codes.push_back(column.data());
  }
  return codes;
}

inline void require_few_cuts(const Doubles& cuts) { require(length(cuts) < INT32_MAX / 8, "there are too many cuts"); }

// The cuts of every column, and the first entry of its bins in a table of all bins.
struct BinLayout {
  std::vector<const double*> cuts;
  std::vector<std::int64_t> start{0};

  BinLayout(const std::vector<Doubles>& column_cuts, std::size_t columns) {
    require(column_cuts.size() == columns, "every column needs its cuts");
    for (const Doubles& c : column_cuts) {
      require_few_cuts(c);
      cuts.push_back(c.data());
      start.push_back(start.back() + length(c) + 1);
    }
  }
};

}  // namespace deciban
