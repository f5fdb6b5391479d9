#include "files/json.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "core/bytes.hpp"
#include "core/utf8.hpp"
#include "files/lines.hpp"

namespace deciban {
namespace {

// The high bits of those of eight bytes that end a run of plain characters: quotes, backslashes, control characters.
// Those above the first may be wrong.
std::uint64_t special(std::uint64_t eight) {
  const auto zero = [](std::uint64_t x) { return (x - kOnes) & ~x; };
  return (zero(eight ^ (kOnes * '"')) | zero(eight ^ (kOnes * '\\')) | ((eight - kOnes * 0x20) & ~eight)) & kHighBits;
}

int hex_digit(unsigned char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Reads along objects. Every step tells whether there was what it looks for.
class Walk {
 public:
  Walk(const unsigned char* text, std::int64_t size, const std::vector<std::string_view>& names)
      : at_(text), begin_(text), end_(text + size), seen_(names.size(), 0) {
    for (std::size_t i = 0; i < names.size(); ++i) names_.emplace(names[i], i);
    out_.members.resize(names.size());
    // No string is longer than it was written; the last is copied in steps that go beyond its end.
    out_.bytes = Buffer<unsigned char>(static_cast<std::size_t>(size) + sizeof(std::uint64_t));
  }

  std::optional<TakenOut> all() {
    for (blanks(); at_ < end_; blanks())
      if (!object()) return std::nullopt;
    fit();
    return std::move(out_);
  }

 private:
  // Little text does not keep the memory of much.
  void fit() {
    const std::size_t size = out_.bytes.size();
    if (2 * size > static_cast<std::size_t>(end_ - begin_)) return;
    Buffer<unsigned char> exact(size);
    exact.append(out_.bytes.data(), size);
    out_.bytes = std::move(exact);
  }

  void blanks() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\n' || *at_ == '\r')) ++at_;
  }

  bool next(unsigned char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }

  bool object() {
    if (!next('{')) return false;
    out_.rest.push_back('{');
    const std::size_t empty = out_.rest.size();
    blanks();
    if (!next('}')) {
      do {
        blanks();
        if (!member(out_.rest.size() == empty)) return false;
        blanks();
      } while (next(','));
      if (!next('}')) return false;
    }
    out_.rest.push_back('}');
    out_.rest.push_back('\n');
    ++rows_;
    for (TakenTexts& member : out_.members)
      if (member.valid.size() < rows_) end_row(member, false, 0);
    return true;
  }

  bool member(bool first) {
    const unsigned char* const begin = at_;
    if (!next('"')) return false;
    at_ = std::find_if(at_, end_, [](unsigned char c) { return c == '"' || c == '\\' || c < 0x20; });
    const std::string_view name(reinterpret_cast<const char*>(begin) + 1, static_cast<std::size_t>(at_ - begin) - 1);
    if (!next('"')) return false;
    blanks();
    if (!next(':')) return false;
    blanks();
    if (const auto found = names_.find(name); found != names_.end()) {
      if (std::exchange(seen_[found->second], rows_ + 1) == rows_ + 1) return false;
      if (next('"')) return string(out_.members[found->second]);
    }
    if (!skip_value()) return false;
    if (!first) out_.rest.push_back(',');
    out_.rest.insert(out_.rest.end(), begin, at_);
    return true;
  }

  // With the last so many bytes for a string, or without one.
  void end_row(TakenTexts& member, bool valid, std::size_t size) {
    const unsigned char* const end = out_.bytes.data() + out_.bytes.size();
    member.valid.push_back(valid);
    append_view(out_.bytes.data(), end - size, end, member.views);
  }

  // The rest of a string, to where it belongs.
  bool string(TakenTexts& member) {
    unsigned char* const begin = out_.bytes.data() + out_.bytes.size();
    unsigned char* out = begin;
    for (;;) {
      out = plain(out);
      if (at_ == end_ || *at_ < 0x20) return false;
      if (*at_++ == '"') break;
      out = escape(out);
      if (!out) return false;
    }
    const auto size = static_cast<std::size_t>(out - begin);
    out_.bytes.grow(size);
    end_row(member, true, size);
    return true;
  }

  // Copies what is plain.
  unsigned char* plain(unsigned char* out) {
    for (std::uint64_t eight; end_ - at_ >= 8; at_ += 8, out += 8) {
      std::memcpy(&eight, at_, sizeof eight);
      std::memcpy(out, &eight, sizeof eight);
      if (const std::uint64_t found = special(eight)) {
        const int before = std::countr_zero(found) / 8;
        at_ += before;
        return out + before;
      }
    }
    while (at_ < end_ && *at_ != '"' && *at_ != '\\' && *at_ >= 0x20) *out++ = *at_++;
    return out;
  }

  // What comes behind a backslash; null: nothing that is meant.
  unsigned char* escape(unsigned char* out) {
    static constexpr char kEscapes[] = "\"\\/bfnrt", kMeant[] = "\"\\/\b\f\n\r\t";
    if (at_ == end_) return nullptr;
    if (*at_ == 'u') return unicode(out);
    const auto* const found = static_cast<const char*>(std::memchr(kEscapes, *at_, sizeof kEscapes - 1));
    if (!found) return nullptr;
    ++at_;
    *out++ = static_cast<unsigned char>(kMeant[found - kEscapes]);
    return out;
  }

  unsigned char* unicode(unsigned char* out) {
    std::int64_t code = four_digits();
    if (code >= 0xDC00 && code <= 0xDFFF) return nullptr;
    if (code >= 0xD800 && code <= 0xDBFF) {
      if (!next('\\')) return nullptr;
      const std::int64_t low = four_digits();
      if (low < 0xDC00 || low > 0xDFFF) return nullptr;
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    return code < 0 ? nullptr : encode_utf8(static_cast<std::uint32_t>(code), out);
  }

  // u and four digits; -1: something else.
  std::int64_t four_digits() {
    if (end_ - at_ < 5 || *at_ != 'u') return -1;
    std::int64_t code = 0;
    for (int i = 1; i <= 4; ++i) {
      const int digit = hex_digit(at_[i]);
      if (digit < 0) return -1;
      code = code << 4 | digit;
    }
    at_ += 5;
    return code;
  }

  // Past a value that nobody has looked into yet.
  bool skip_value() {
    const unsigned char* const begin = at_;
    std::int64_t depth = 0;
    while (at_ < end_) {
      const unsigned char c = *at_;
      if (depth == 0 && (c == ',' || c == '}' || c == ']' || c <= ' ')) break;
      ++at_;
      if (c == '"' && !skip_string()) return false;
      depth += (c == '{' || c == '[') - (c == '}' || c == ']');
    }
    return at_ > begin && depth == 0;
  }

  bool skip_string() {
    while (at_ < end_ && *at_ != '"') at_ += *at_ == '\\' && end_ - at_ > 1 ? 2 : 1;
    return next('"');
  }

  const unsigned char* at_;
  const unsigned char *const begin_, *const end_;
  std::unordered_map<std::string_view, std::size_t> names_;  // and which member each is
  TakenOut out_;
  std::size_t rows_ = 0;
  std::vector<std::size_t> seen_;  // the last row, counting from 1, with each of the members
};

}  // namespace

std::optional<TakenOut> take_texts(const unsigned char* text, std::int64_t size,
                                   const std::vector<std::string_view>& names) {
  if (size > INT32_MAX) throw std::invalid_argument("a block of more than 2 GB cannot be read");
  return Walk(text, size, names).all();
}

}  // namespace deciban
