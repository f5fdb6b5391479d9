#include "refine/logistic.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "core/simd.hpp"

namespace deciban {
namespace {

// Vectors that are added to the curvature at once: an entry of the curvature is loaded and stored once for all.
constexpr int kBatch = 8;
// A class of less weight than this is left out of the curvature, where it would not change a step much, and one of less
// than kLeastSlope out of the gradient too. Most rows are decided clearly, so most classes are skipped.
constexpr double kLeastCurvature = 1e-4, kLeastSlope = 1e-9;

DECIBAN_CLONES double dot(const double* __restrict a, const double* __restrict b, std::int64_t n) {
  double sum[8] = {};
  std::int64_t j = 0;
  for (; j + 8 <= n; j += 8)
    for (int k = 0; k < 8; ++k) sum[k] += a[j + k] * b[j + k];
  for (; j < n; ++j) sum[0] += a[j] * b[j];
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

DECIBAN_CLONES void add_scaled(const double* __restrict v, double factor, std::int64_t n, double* __restrict out) {
  for (std::int64_t j = 0; j < n; ++j) out[j] += factor * v[j];
}

// Adds the sum of factor · v vᵀ over a batch of vectors to the lower triangle of a matrix.
DECIBAN_CLONES void add_outer_products(const double* const* v, const double* factor, std::int64_t n,
                                       double* __restrict matrix) {
  const double *v0 = v[0], *v1 = v[1], *v2 = v[2], *v3 = v[3], *v4 = v[4], *v5 = v[5], *v6 = v[6], *v7 = v[7];
  for (std::int64_t i = 0; i < n; ++i) {
    double f[kBatch];
    for (int k = 0; k < kBatch; ++k) f[k] = factor[k] * v[k][i];
    double* __restrict row = matrix + i * n;
    for (std::int64_t j = 0; j <= i; ++j)
      row[j] += ((f[0] * v0[j] + f[1] * v1[j]) + (f[2] * v2[j] + f[3] * v3[j])) +
                ((f[4] * v4[j] + f[5] * v5[j]) + (f[6] * v6[j] + f[7] * v7[j]));
  }
}

// Collects vectors with factors, and adds their outer products to a matrix in batches.
class OuterProducts {
 public:
  OuterProducts(std::int64_t n, double* matrix)
      : n_(n), matrix_(matrix), copies_(static_cast<std::size_t>(kBatch * n)) {}

  // The vector must stay where it is until flush().
  void add(const double* v, double factor) {
    v_[size_] = v;
    factor_[size_] = factor;
    if (++size_ == kBatch) flush();
  }

  void add_copy(const double* v, double factor) {
    double* copy = copies_.data() + size_ * n_;
    std::memcpy(copy, v, static_cast<std::size_t>(n_) * sizeof(double));
    add(copy, factor);
  }

  void flush() {
    if (size_ == 0) return;
    for (int k = size_; k < kBatch; ++k) v_[k] = v_[0], factor_[k] = 0;
    add_outer_products(v_, factor_, n_, matrix_);
    size_ = 0;
  }

 private:
  std::int64_t n_;
  double* matrix_;
  std::vector<double> copies_;
  const double* v_[kBatch] = {};
  double factor_[kBatch] = {};
  int size_ = 0;
};

// Writes the probability of every other class of a row, and returns the loss.
double probabilities(const TermScores& t, std::int64_t row, const double* x, double* p) {
  double most = 0;
  for (std::int64_t c = 0; c < t.others; ++c) {
    const std::int64_t at = row * t.others + c;
    p[c] = t.offset[at] + dot(t.terms + at * t.count, x, t.count);
    most = std::max(most, p[c]);
  }
  double sum = std::exp(-most);
  for (std::int64_t c = 0; c < t.others; ++c) sum += p[c] = std::exp(p[c] - most);
  for (std::int64_t c = 0; c < t.others; ++c) p[c] /= sum;
  return most + std::log(sum);
}

// Rows that are written at a time: the lines of all their terms should stay in the cache.
constexpr std::int64_t kRows = 32;

}  // namespace

void relative_terms(const ClassScores& s, std::int64_t width, std::int64_t first, double* out) {
  for (std::int64_t begin = 0; begin < s.rows; begin += kRows) {
    const std::int64_t end = std::min(begin + kRows, s.rows);
    for (std::int64_t t = 0; t < s.terms; ++t)
      for (std::int64_t i = begin; i < end; ++i) {
        const double* score = s.scores + (t * s.rows + i) * s.classes;
        double* line = out + i * (s.classes - 1) * width + first + t;
        const double own = score[s.cls[i]];
        for (std::int64_t c = 0; c < s.classes; ++c) {
          if (c == s.cls[i]) continue;
          *line = score[c] - own;
          line += width;
        }
      }
  }
}

void logistic_losses(const TermScores& t, const double* x, double* losses) {
  std::vector<double> p(static_cast<std::size_t>(t.others));
  for (std::int64_t i = 0; i < t.rows; ++i) losses[i] = probabilities(t, i, x, p.data());
}

void add_logistic_derivatives(const TermScores& t, const double* x, double* losses, double* gradient,
                              double* curvature) {
  std::vector<double> p(static_cast<std::size_t>(t.others)), mean(static_cast<std::size_t>(t.count));
  OuterProducts products(t.count, curvature);
  for (std::int64_t i = 0; i < t.rows; ++i) {
    losses[i] = probabilities(t, i, x, p.data());
    const double w = t.weight[i];
    const double* terms = t.terms + i * t.others * t.count;
    if (t.others == 1) {  // of two classes the curvature has one product: p · (1 − p)
      add_scaled(terms, w * p[0], t.count, gradient);
      if (w * p[0] * (1 - p[0]) > kLeastCurvature) products.add(terms, w * p[0] * (1 - p[0]));
      continue;
    }
    std::fill(mean.begin(), mean.end(), 0.0);
    bool has_slope = false, has_curvature = false;
    for (std::int64_t c = 0; c < t.others; ++c) {
      if (w * p[c] <= kLeastSlope) continue;
      has_slope = true;
      add_scaled(terms + c * t.count, p[c], t.count, mean.data());
      if (w * p[c] <= kLeastCurvature) continue;
      has_curvature = true;
      products.add(terms + c * t.count, w * p[c]);
    }
    if (has_slope) add_scaled(mean.data(), w, t.count, gradient);
    if (has_curvature) products.add_copy(mean.data(), -w);
  }
  products.flush();
}

}  // namespace deciban
