// Weight per class and bucket. A bucket is a prefix of a double's bits, so that its edges are the same for all data.
#pragma once

#include <cstdint>
#include <vector>

#include "core/view.hpp"

namespace deciban {

// The key of a number is an integer in the same order; its bucket is the key without the lowest `drop` bits.
struct Buckets {
  int drop;
  std::vector<std::uint64_t> keys;  // sorted
  std::vector<double> weight;       // keys x classes
};

// Counts one column (n x 1). Drops at least `drop` bits, and as few as leave at most `max_buckets` buckets in use. NaN
// is missing and is skipped. The result does not depend on the order of the rows.
Buckets count_buckets(const Dense& x, Bitmap valid, const Labels& labels, int drop, std::int64_t max_buckets);

}  // namespace deciban
