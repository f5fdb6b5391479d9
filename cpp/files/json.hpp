// Long strings of JSON Lines, taken out of their objects. A parser reads the rest.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/buffer.hpp"

namespace deciban {

// The strings of one member, one row per object.
struct TakenColumn {
  std::vector<unsigned char> views;  // Arrow's views, 16 bytes per row
  std::vector<std::uint8_t> valid;   // 1 if the object has such a string
};

struct TakenTexts {
  std::vector<TakenColumn> members;
  Buffer<unsigned char> bytes;      // of the strings of all members
  std::vector<unsigned char> rest;  // the objects without these strings, one per line
};

// Takes the members with these names out of objects, if they are strings, and resolves their escapes. The objects are
// of less than 2 GB in total. Everything else is copied unchecked, for the parser to judge. Returns nothing if only the
// parser can decide: objects cannot be separated, an object has a member twice, or a name or a string is not valid.
std::optional<TakenTexts> take_texts(const unsigned char* text, std::int64_t size,
                                     const std::vector<std::string_view>& names);

}  // namespace deciban
