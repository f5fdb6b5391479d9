#include "words/lifts.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "core/simd.hpp"

namespace deciban {
namespace {

// Returns the logarithm of a normal positive number, to within one unit in the last place. Unlike std::log it becomes
// vector instructions. Source: e_log.c of fdlibm (Sun Microsystems, 1993), with its polynomial.
DECIBAN_INLINE double log_of_normal(double x) {
  constexpr std::uint64_t root_of_half = 0x3FE6A09E667F3BCDull, one = 0x3FF0000000000000ull;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t biased = bits - root_of_half + one;  // x = 2^k (1 + f), 1 + f between the roots of 1/2 and 2
  const double k = std::bit_cast<double>(0x4330000000000000ull | biased >> 52) - (0x1p52 + 1023);
  const double f = std::bit_cast<double>(bits - (biased & 0xFFF0000000000000ull) + one) - 1.0;
  const double s = f / (2.0 + f), z = s * s, w = z * z;
  const double even = w * (0.3999999999940941908 + w * (0.2222219843214978396 + w * 0.1531383769920937332));
  const double odd = z * (0.6666666666666735130 +
                          w * (0.2857142874366239149 + w * (0.1818357216161805012 + w * 0.1479819860511658591)));
  const double half = 0.5 * f * f;
  return k * 6.93147180369123816490e-01 - ((half - (s * (half + even + odd) + k * 1.90821492927058770002e-10)) - f);
}

// Adds the evidence of one word, of which there are `total`, to sums.
DECIBAN_CLONES void add_word(const double* __restrict count, const double* __restrict share, std::int64_t classes,
                             double total, double value, double pseudo, double neutral, double* __restrict sums) {
  const double counted = 1.0 - neutral;
  for (std::int64_t c = 0; c < classes; ++c) {
    const double expected = total * share[c];
    const double left = total - count[c], expected_left = total - expected;
    const double rest = (left > 0 ? left : 0.0) + pseudo;
    const double expected_rest = (expected_left > 0 ? expected_left : 0.0) + pseudo;
    const double here = neutral * (expected + pseudo) + counted * (count[c] + pseudo);
    const double elsewhere = neutral * expected_rest + counted * rest;
    sums[c] += value * log_of_normal(here * expected_rest / ((expected + pseudo) * elsewhere));
  }
}

}  // namespace

void add_left_out_lifts(const LiftEntries& entries, const std::int32_t* cls, const double* share,
                        const LiftCounts& counts, double* out) {
  const std::int64_t classes = counts.classes, lanes = classes <= kLanes ? kLanes : 2 * kLanes;
  // Padded to full vectors with words that no class has, because a remainder would take longer than the vectors.
  const std::int64_t padded = (classes + lanes - 1) / lanes * lanes;
  std::vector<double> count(static_cast<std::size_t>(padded)), padded_share(count), sums(count);
  for (std::int64_t row = 0; row < entries.rows; ++row, share += classes, out += classes) {
    std::copy_n(share, classes, padded_share.data());
    std::fill(sums.begin(), sums.end(), 0.0);
    for (std::int64_t e = entries.start[row]; e < entries.start[row + 1]; ++e) {
      std::copy_n(counts.table + entries.line[e] * classes, classes, count.data());
      count[static_cast<std::size_t>(cls[row])] = entries.own[e];
      add_word(count.data(), padded_share.data(), padded, entries.total[e], entries.value[e], counts.pseudo,
               counts.neutral, sums.data());
    }
    for (std::int64_t c = 0; c < classes; ++c) out[c] += sums[static_cast<std::size_t>(c)];
  }
}

}  // namespace deciban
