// Tables of characters without Python: like Unicode for special cases, coarse elsewhere.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <vector>

#include "words/letters.hpp"

namespace fuzz {

class CharacterTables {
 public:
  CharacterTables() : classes_(kSize, 0), lower_(kSize) {
    std::iota(lower_.begin(), lower_.end(), 0);
    add_classes();
    add_lower_case();
  }

  deciban::Letters letters() const { return {classes_.data(), lower_.data(), kSize}; }

 private:
  struct Range {
    std::uint32_t first, last;
  };
  static constexpr std::int64_t kSize = 0x1F400;  // less than Unicode has, so that some characters lie beyond

  void add_classes() {
    using namespace deciban;
    add({{'0', '9'}, {'_', '_'}, {0xB2, 0xB3}, {0x3040, 0x30FF}, {0x4E00, 0x9FFF}}, kWord);
    add({{'A', 'Z'},
         {'a', 'z'},
         {0xAA, 0xAA},
         {0xC0, 0xD6},
         {0xD8, 0xF6},
         {0xF8, 0x2B8},
         {0x370, 0x373},
         {0x388, 0x3FF},
         {0x400, 0x52F},
         {0x1E00, 0x1EFF},
         {0x2126, 0x212B},
         {0x2C60, 0x2C7F},
         {0x10400, 0x1044F}},
        kWord | kCased);
    add({{0x2B9, 0x2C1}}, kWord | kIgnorable);
    add({{'\'', '\''},
         {'.', '.'},
         {':', ':'},
         {0xAD, 0xAD},
         {0xB7, 0xB7},
         {0x300, 0x36F},
         {0x200B, 0x200F},
         {0x2019, 0x2019},
         {0x1F3FB, 0x1F3FF}},
        kIgnorable);
    add({{'\t', '\r'},
         {0x1C, ' '},
         {0x85, 0x85},
         {0xA0, 0xA0},
         {0x1680, 0x1680},
         {0x2000, 0x200A},
         {0x2028, 0x2029},
         {0x3000, 0x3000}},
        kSpace);
  }

  void add_lower_case() {
    for (const Range r : {Range{'A', 'Z'}, {0xC0, 0xD6}, {0xD8, 0xDE}, {0x391, 0x3A1}, {0x3A3, 0x3A9}, {0x410, 0x42F}})
      shift(r, 32);
    shift({0x400, 0x40F}, 80);
    shift({0x10400, 0x10427}, 40);
    for (std::uint32_t c = 0x100; c < 0x180; c += 2) shift({c, c}, 1);
    // Lower case in fewer bytes or in more, and the capital whose lower case is two characters.
    lower_[0x130] = 'i', lower_[0x212A] = 'k', lower_[0x212B] = 0xE5, lower_[0x2126] = 0x3C9, lower_[0x1E9E] = 0xDF;
    lower_[0x23A] = 0x2C65, lower_[0x23E] = 0x2C66, lower_[0x2C62] = 0x26B;
  }

  void add(std::initializer_list<Range> ranges, int character_class) {
    for (const Range r : ranges)
      for (std::uint32_t c = r.first; c <= r.last; ++c)
        classes_[c] = static_cast<std::uint8_t>(classes_[c] | character_class);
  }
  void shift(Range r, std::int32_t by) {
    for (std::uint32_t c = r.first; c <= r.last; ++c) lower_[c] += by;
  }

  std::vector<std::uint8_t> classes_;
  std::vector<std::int32_t> lower_;
};

// Tables of accents: characters that become one, none, three, or many.
class AccentTables {
 public:
  AccentTables() : plain_(0x2200) {
    std::iota(plain_.begin(), plain_.end(), 0);
    for (std::size_t c = 0xC0; c < 0x180; ++c) plain_[c] = static_cast<std::int32_t>('a' + c % 26);
    for (std::size_t c = 0x300; c < 0x370; ++c) add(c, {});
    add(0xBD, {'1', 0x2044, '2'});
    add(0xA8, {' '});
    add(0x2122, {'T', 'M'});
    add(0x2126, std::vector<std::int32_t>(64, 0x10400));
  }

  deciban::Accents accents() const {
    return {plain_.data(), sequences_.data(), static_cast<std::int64_t>(plain_.size())};
  }

 private:
  void add(std::size_t c, const std::vector<std::int32_t>& characters) {
    plain_[c] = -1 - static_cast<std::int32_t>(sequences_.size());
    sequences_.push_back(static_cast<std::int32_t>(characters.size()));
    sequences_.insert(sequences_.end(), characters.begin(), characters.end());
  }

  std::vector<std::int32_t> plain_, sequences_;
};

}  // namespace fuzz
