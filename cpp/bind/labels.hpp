// Labels of the rows: class codes with optional weights, or soft labels.
#pragma once

#include <optional>
#include <string>

#include "bind/arrays.hpp"

namespace deciban {

using MaybeCodes = std::optional<Ints>;

inline void require_rows(std::int64_t entries, std::int64_t rows, const char* name) {
  require(entries == rows,
          std::string(name) + " has " + std::to_string(entries) + " entries for " + std::to_string(rows) + " rows");
}

inline Labels labels_view(const MaybeCodes& codes, const MaybeDoubles& weight, const MaybeMatrix& soft,
                          std::int64_t classes, std::int64_t rows) {
  require(codes.has_value() != soft.has_value(), "give either class codes or soft labels");
  require(classes >= 0 && classes <= INT32_MAX, "the number of classes must be 0 to 2147483647");
  if (soft) {
    require_rows(length(*soft), rows, "soft labels");
    require(length(*soft, 1) == classes, "soft labels need one column per class");
    require(!weight, "soft labels are weights themselves; multiply them by the row weights");
    return {nullptr, nullptr, soft->data(), rows, classes};
  }
  require_rows(length(*codes), rows, "class codes");
  if (weight) require_rows(length(*weight), rows, "weight");
  return {codes->data(), weight ? weight->data() : nullptr, nullptr, rows, classes};
}

// Labels of as many rows as there are codes or soft labels.
inline Labels labels_view(const MaybeCodes& codes, const MaybeDoubles& weight, const MaybeMatrix& soft,
                          std::int64_t classes) {
  const std::int64_t rows = soft ? length(*soft) : codes ? length(*codes) : 0;
  return labels_view(codes, weight, soft, classes, rows);
}

// Checks that every row has one of the classes.
inline void require_classes(const Ints& codes, std::int64_t classes) {
  const std::int32_t* code = codes.data();
  bool fine = true;
  for (std::int64_t i = 0; i < length(codes); ++i) fine &= code[i] >= 0 && code[i] < classes;
  require(fine, "a row's class is not among the classes");
}

}  // namespace deciban
