// The rows of a chunk in class order, so that the accumulators of one class stay in the first-level cache.
#pragma once

#include <vector>

#include "core/rows.hpp"
#include "core/simd.hpp"
#include "core/view.hpp"

namespace deciban {

inline void check_class(std::int32_t code, std::int64_t classes) {
  if (code >= classes || code < -1)
    throw std::invalid_argument("class code " + std::to_string(code) + " is outside 0 to " +
                                std::to_string(classes - 1) + " (-1 leaves a row out)");
}

// Returns the greatest code plus one. A code below -1 wraps around and is greater than any number of classes.
DECIBAN_CLONES inline std::uint32_t greatest_code(const std::int32_t* codes, std::int64_t n) {
  std::uint32_t greatest = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint32_t code = static_cast<std::uint32_t>(codes[i]) + 1;
    greatest = greatest > code ? greatest : code;
  }
  return greatest;
}

// Checks all codes of a batch.
inline void check_classes(const Labels& labels) {
  if (labels.soft || greatest_code(labels.codes, labels.rows) <= labels.classes) return;
  for (std::int64_t i = 0; i < labels.rows; ++i) check_class(labels.codes[i], labels.classes);
}

class Grouping {
 public:
  explicit Grouping(const Labels& labels) : labels_(labels), starts_(labels.classes + 1) {}

  // Sorts rows [first, first + count) by class. Rows without weight are left out.
  void load(std::int64_t first, std::int64_t count) {
    if (labels_.soft)
      load_soft(first, count);
    else
      load_hard(first, count);
  }

  // Calls f(class, rows, weights, n) for every class present. Rows are counted from the first row loaded.
  template <class F>
  void for_each_class(F&& f) const {
    for (std::int64_t c = 0; c < labels_.classes; ++c) {
      const std::int64_t begin = starts_[c], n = starts_[c + 1] - begin;
      if (n) f(c, rows_.data() + begin, weights_.data() + begin, n);
    }
  }

 private:
  // Counting sort.
  void load_hard(std::int64_t first, std::int64_t count) {
    const std::int32_t* codes = labels_.codes + first;
    const double* weight = labels_.weight ? labels_.weight + first : nullptr;
    std::fill(starts_.begin(), starts_.end(), 0);
    std::int64_t* counts = starts_.data() + 1;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int32_t c = codes[i];
      if (c < 0 || c >= labels_.classes) {
        check_class(c, labels_.classes);
        continue;
      }
      counts[c] += !weight || weight[i] != 0;
    }
    for (std::int64_t c = 0; c < labels_.classes; ++c) starts_[c + 1] += starts_[c];
    rows_.resize(starts_[labels_.classes]);
    weights_.resize(rows_.size(), 1.0);
    next_.assign(starts_.begin(), starts_.end());
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int32_t c = codes[i];
      if (c < 0 || (weight && weight[i] == 0)) continue;
      const std::int64_t at = next_[c]++;
      rows_[at] = i;
      if (weight) weights_[at] = weight[i];
    }
  }

  void load_soft(std::int64_t first, std::int64_t count) {
    rows_.clear();
    weights_.clear();
    for (std::int64_t c = 0; c < labels_.classes; ++c) {
      starts_[c] = static_cast<std::int64_t>(rows_.size());
      for (std::int64_t i = 0; i < count; ++i) {
        const double w = labels_.soft[(first + i) * labels_.classes + c];
        if (w == 0) continue;
        rows_.push_back(i);
        weights_.push_back(w);
      }
    }
    starts_[labels_.classes] = static_cast<std::int64_t>(rows_.size());
  }

  Labels labels_;
  std::vector<std::int64_t> starts_, next_, rows_;
  std::vector<double> weights_;  // all ones if the labels have no weights
};

// Calls f(class, row pointers, weights, n, next chunk) for every class of every chunk. Cell is T or Wide<T>.
template <class T, class Cell, class F>
void for_each_group(const Dense& x, const Labels& labels, F&& f) {
  const std::int64_t chunk = chunk_rows(x.cols);
  Grouping groups(labels);
  std::vector<const Cell*> pointers;
  for_each_chunk<T, Cell>(x, [&](const Rows<T, Cell>& rows, std::int64_t first, std::int64_t count) {
    std::int64_t done = 0;
    groups.load(first, count);
    groups.for_each_class([&](std::int64_t c, const std::int64_t* members, const double* weights, std::int64_t n) {
      pointers.resize(n);
      for (std::int64_t i = 0; i < n; ++i) pointers[i] = rows.row(members[i]);
      // Soft labels visit a row once per class: modulo keeps the prefetch within the next chunk.
      f(c, pointers.data(), weights, n, rows.next_chunk(chunk + done % chunk));
      done += n;
    });
  });
}

}  // namespace deciban
