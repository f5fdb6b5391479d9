// From joint log probabilities to posterior and decision.
#pragma once

#include <cstdint>

namespace deciban {

enum class Scale { log, linear };

// Normalises every row in place by log-sum-exp: the one place where probabilities leave the log scale.
// A row that is impossible under every class becomes the prior; returns how many there were.
std::int64_t normalize(double* joint, std::int64_t rows, std::int64_t classes, const double* log_prior, Scale scale);

// The first class with the greatest joint log probability, the prior's where every class is impossible.
std::int64_t decide(const double* joint, std::int64_t rows, std::int64_t classes, const double* log_prior,
                    std::int32_t* code);

}  // namespace deciban
