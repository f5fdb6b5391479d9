// From joint log probabilities to posterior and decision.
#pragma once

#include <cstdint>

namespace deciban {

// Takes the greatest value of every row away from it, in place: the exp that follows cannot overflow.
// A row that is impossible under every class becomes the prior; returns how many there were.
std::int64_t centre(double* joint, std::int64_t rows, std::int64_t classes, const double* log_prior);

// Divides every row by its sum, in place.
void divide_by_sum(double* odds, std::int64_t rows, std::int64_t classes);

// The first class with the greatest joint log probability, the prior's where every class is impossible.
std::int64_t decide(const double* joint, std::int64_t rows, std::int64_t classes, const double* log_prior,
                    std::int32_t* code);

}  // namespace deciban
