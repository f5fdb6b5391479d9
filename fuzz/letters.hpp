// Tables of letters like those of deciban.text, without Python: close to Unicode where it is strange, coarse elsewhere.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <vector>

#include "words/letters.hpp"

namespace fuzz {

class Tables {
 public:
  Tables() : kind_(kSize, 0), lower_(kSize) {
    using namespace deciban;
    std::iota(lower_.begin(), lower_.end(), 0);
    for (const Range r : {Range{'0', '9'}, {'_', '_'}, {0xB2, 0xB3}, {0x3040, 0x30FF}, {0x4E00, 0x9FFF}})
      mark(r, kWord);
    for (const Range r : {Range{'A', 'Z'}, {'a', 'z'}, {0xAA, 0xAA}, {0xC0, 0xD6}, {0xD8, 0xF6}, {0xF8, 0x2B8},
                          {0x370, 0x373}, {0x388, 0x3FF}, {0x400, 0x52F}, {0x1E00, 0x1EFF}, {0x2126, 0x212B},
                          {0x2C60, 0x2C7F}, {0x10400, 0x1044F}})
      mark(r, kWord | kCased);
    mark({0x2B9, 0x2C1}, kWord | kIgnorable);
    for (const Range r : {Range{'\'', '\''}, {'.', '.'}, {':', ':'}, {0xAD, 0xAD}, {0xB7, 0xB7}, {0x300, 0x36F},
                          {0x200B, 0x200F}, {0x2019, 0x2019}, {0x1F3FB, 0x1F3FF}})
      mark(r, kIgnorable);
    for (const Range r : {Range{'\t', '\r'}, {0x1C, ' '}, {0x85, 0x85}, {0xA0, 0xA0}, {0x1680, 0x1680},
                          {0x2000, 0x200A}, {0x2028, 0x2029}, {0x3000, 0x3000}})
      mark(r, kSpace);
    for (const Range r : {Range{'A', 'Z'}, {0xC0, 0xD6}, {0xD8, 0xDE}, {0x391, 0x3A1}, {0x3A3, 0x3A9}, {0x410, 0x42F}})
      move(r, 32);
    move({0x400, 0x40F}, 80);
    move({0x10400, 0x10427}, 40);
    for (std::uint32_t c = 0x100; c < 0x180; c += 2) move({c, c}, 1);
    // One byte for two or three, three for two, and the capital of which the reader knows more.
    lower_[0x130] = 'i', lower_[0x212A] = 'k', lower_[0x212B] = 0xE5, lower_[0x2126] = 0x3C9, lower_[0x1E9E] = 0xDF;
    lower_[0x23A] = 0x2C65, lower_[0x23E] = 0x2C66, lower_[0x2C62] = 0x26B;
  }

  deciban::Letters letters() const { return {kind_.data(), lower_.data(), kSize}; }

 private:
  struct Range {
    std::uint32_t first, last;
  };
  static constexpr std::int64_t kSize = 0x1F400;  // less than Unicode has, so that there is something beyond

  void mark(Range r, int what) {
    for (std::uint32_t c = r.first; c <= r.last; ++c) kind_[c] = static_cast<std::uint8_t>(kind_[c] | what);
  }
  void move(Range r, std::int32_t by) {
    for (std::uint32_t c = r.first; c <= r.last; ++c) lower_[c] += by;
  }

  std::vector<std::uint8_t> kind_;
  std::vector<std::int32_t> lower_;
};

}  // namespace fuzz
