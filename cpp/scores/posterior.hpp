// From joint log probabilities to posterior and decision.
#pragma once

#include <cstdint>

namespace deciban {

// Subtracts the greatest value of every row, in place, so that the exp that follows cannot overflow. Values that equal
// it up to rounding become equal. A row with probability 0 under every class becomes the prior. Returns the number of
// such rows.
std::int64_t centre(double* joint, std::int64_t rows, std::int64_t classes, const double* log_prior);

// Divides every row by its sum, in place.
void divide_by_sum(double* odds, std::int64_t rows, std::int64_t classes);

// Writes the class with the greatest joint log probability, the first of those that are equal up to rounding. A row
// with probability 0 under every class gets the prior's class. Returns the number of such rows.
std::int64_t decide(const double* joint, std::int64_t rows, std::int64_t classes, const double* log_prior,
                    std::int32_t* code);

}  // namespace deciban
