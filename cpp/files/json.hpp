// Texts of JSON Lines: the strings of some members are taken out of objects, and what is left of these is for a parser.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/buffer.hpp"

namespace deciban {

// The strings of one member, row after row.
struct TakenTexts {
  std::vector<unsigned char> views;  // Arrow's, 16 bytes a row
  std::vector<std::uint8_t> valid;   // per row, whether it has such a string
};

struct TakenOut {
  std::vector<TakenTexts> members;
  Buffer<unsigned char> bytes;  // that the views of all members see
  std::vector<unsigned char> rest;  // the objects without them, one per line
};

// Of objects, one after the other, of less than 2 GB together: members of these names that are strings, as they are meant
// (escapes resolved). Everything else is left as it is, right or wrong, for a parser to judge. Nothing where objects
// cannot be told apart from what is between them, where a member is there twice, or where a name or a string to be taken
// has what is not plain: then that parser must see it all.
std::optional<TakenOut> take_texts(const unsigned char* text, std::int64_t size,
                                   const std::vector<std::string_view>& names);

}  // namespace deciban
