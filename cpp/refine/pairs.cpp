#include "refine/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/simd.hpp"

namespace deciban {
namespace {

// One imagined row, spread evenly over the cells of a column, keeps the probability of every cell above 0.
constexpr double kPrior = 1.0;

double probability(double count, double total, double cells) { return (count + kPrior / cells) / (total + kPrior); }

// Counts of one pair [combinations x classes], and its evidence in the combinations that occur.
class PairTable {
 public:
  PairTable(const PairCells& x, std::int64_t pair, const PairRows& rows)
      : a_(x.cell + x.first[pair] * x.rows),
        b_(x.cell + x.second[pair] * x.rows),
        m_(x.cells[x.first[pair]]),
        n_(x.cells[x.second[pair]]),
        classes_(rows.classes),
        count_(static_cast<std::size_t>(m_ * n_ * classes_)),
        by_a_(static_cast<std::size_t>(m_ * classes_)),
        by_b_(static_cast<std::size_t>(n_ * classes_)),
        total_(static_cast<std::size_t>(classes_)) {
    for (std::int64_t i = 0; i < x.rows; ++i)
      if (is_known(i)) count_[static_cast<std::size_t>(at(i) * classes_ + rows.cls[i])] += rows.weight[i];
    for (std::int64_t a = 0; a < m_; ++a)
      for (std::int64_t b = 0; b < n_; ++b)
        for (std::int64_t c = 0; c < classes_; ++c) {
          const double n = count_[static_cast<std::size_t>((a * n_ + b) * classes_ + c)];
          by_a_[static_cast<std::size_t>(a * classes_ + c)] += n;
          by_b_[static_cast<std::size_t>(b * classes_ + c)] += n;
          total_[static_cast<std::size_t>(c)] += n;
          if (n > 0) seen_.push_back({a, b, c, n});
        }
  }

  bool is_known(std::int64_t row) const { return a_[row] >= 0 && b_[row] >= 0; }
  std::int64_t at(std::int64_t row) const { return a_[row] * n_ + b_[row]; }

  // Returns the strength of the greatest left-out likelihood of the counts.
  double best_strength(const double* one_row, const Strengths& tried) {
    std::vector<Expected> expected;
    for (const Seen& s : seen_) {
      const double w = std::min(one_row[s.c], s.n), rest = total_[static_cast<std::size_t>(s.c)] - w;
      expected.push_back({s.n - w, rest, product(s.a, s.b, s.c, w, rest)});
    }
    double best = tried.values[0], most = -HUGE_VAL;
    for (std::int64_t k = 0; k < tried.count; ++k) {
      const double strength = tried.values[k];
      double sum = 0;
      for (std::size_t i = 0; i < seen_.size(); ++i)
        sum += seen_[i].n * std::log((expected[i].n + strength * expected[i].p) / (expected[i].total + strength));
      if (sum > most) most = sum, best = strength;
    }
    return best;
  }

  // Computes the evidence of all classes in combinations that occur, and that of a left-out row for its own class.
  void estimate(double strength, const double* one_row) {
    evidence_.assign(count_.size(), 0.0);
    own_.assign(count_.size(), 0.0);
    std::int64_t last = -1;
    for (const Seen& s : seen_) {
      const std::int64_t cell = s.a * n_ + s.b;
      if (cell != last)
        for (std::int64_t c = 0; c < classes_; ++c)
          evidence_[static_cast<std::size_t>(cell * classes_ + c)] = entry(s.a, s.b, c, 0.0, strength);
      last = cell;
      own_[static_cast<std::size_t>(cell * classes_ + s.c)] =
          entry(s.a, s.b, s.c, std::min(one_row[s.c], s.n), strength);
    }
  }

  const double* evidence(std::int64_t row) const { return evidence_.data() + at(row) * classes_; }
  double own(std::int64_t row, std::int32_t c) const { return own_[static_cast<std::size_t>(at(row) * classes_ + c)]; }

 private:
  struct Seen {
    std::int64_t a, b, c;
    double n;
  };
  struct Expected {
    double n, total, p;  // without the row; p: probability of the combination if the columns are independent
  };

  double product(std::int64_t a, std::int64_t b, std::int64_t c, double w, double total) const {
    const double of_a = by_a_[static_cast<std::size_t>(a * classes_ + c)] - w;
    const double of_b = by_b_[static_cast<std::size_t>(b * classes_ + c)] - w;
    return probability(of_a, total, static_cast<double>(m_)) * probability(of_b, total, static_cast<double>(n_));
  }

  double entry(std::int64_t a, std::int64_t b, std::int64_t c, double w, double strength) const {
    const double total = total_[static_cast<std::size_t>(c)] - w;
    const double n = count_[static_cast<std::size_t>((a * n_ + b) * classes_ + c)] - w;
    const double p = product(a, b, c, w, total);
    return std::log((n + strength * p) / ((total + strength) * p));
  }

  const std::int32_t *a_, *b_;
  std::int64_t m_, n_, classes_;
  std::vector<double> count_, by_a_, by_b_, total_, evidence_, own_;
  std::vector<Seen> seen_;
};

// Slope and curvature of the log-likelihood at a weight of 0 give the gain of the best weight; a slope that is
// negative promises none, because weights are not negative.
double score_test(const PairCells& x, const PairTable& table, const PairRows& rows) {
  double slope = 0, curvature = 1;
  for (std::int64_t i = 0; i < x.rows; ++i) {
    if (!table.is_known(i)) continue;
    const double *p = rows.posterior + i * rows.classes, *v = table.evidence(i);
    double mean = 0, square = 0;
    for (std::int64_t c = 0; c < rows.classes; ++c) {
      mean += p[c] * v[c];
      square += p[c] * v[c] * v[c];
    }
    const std::int32_t c = rows.cls[i];
    const double own = table.own(i, c);
    mean += p[c] * (own - v[c]);
    square += p[c] * (own * own - v[c] * v[c]);
    slope += rows.weight[i] * (own - mean);
    curvature += rows.weight[i] * (square - mean * mean);
  }
  return slope > 0 ? slope * slope / (2 * curvature) : 0;
}

}  // namespace

void pair_gains(const PairCells& x, const PairRows& rows, const Strengths& tried, double* gain, double* strength) {
  for (std::int64_t k = 0; k < x.pairs; ++k) {
    PairTable table(x, k, rows);
    strength[k] = table.best_strength(rows.one_row, tried);
    table.estimate(strength[k], rows.one_row);
    gain[k] = score_test(x, table, rows);
  }
}

DECIBAN_CLONES void score_pairs(const PairCells& x, const std::int64_t* start, const double* entries,
                                std::int64_t width, std::int64_t classes, double* out) {
  for (std::int64_t k = 0; k < x.pairs; ++k) {
    const std::int32_t *a = x.cell + x.first[k] * x.rows, *b = x.cell + x.second[k] * x.rows;
    const double* table = entries + start[k] * width;
    const std::int64_t n = x.cells[x.second[k]];
    for (std::int64_t i = 0; i < x.rows; ++i) {
      if (a[i] < 0 || b[i] < 0) continue;
      const double* entry = table + (a[i] * n + b[i]) * width;
      for (std::int64_t c = 0; c < classes; ++c) out[i * classes + c] += entry[c];
    }
  }
}

}  // namespace deciban
