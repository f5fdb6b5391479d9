// Weight per class and float-prefix bucket: numbers of any shape, with edges that are the same everywhere.
#pragma once

#include <cstdint>
#include <vector>

#include "core/view.hpp"

namespace deciban {

// A number's key keeps the order of the numbers; its bucket is the key without the last `drop` bits.
struct Buckets {
  int drop;
  std::vector<std::uint64_t> keys;  // sorted
  std::vector<double> weight;       // keys x classes
};

// Counts one column (n x 1). Bits are dropped, as few as will do, until no more than `most` buckets are in use; at
// least `drop` of them. NaN is missing and does not count. What results depends on the numbers alone, not their order.
Buckets count_buckets(const Dense& x, Valid valid, const Labels& labels, int drop, std::int64_t most);

}  // namespace deciban
