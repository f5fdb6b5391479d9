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

// Marks quotes, backslashes and control characters among eight bytes by their highest bits. The lowest mark is exact,
// those above it may be wrong.
std::uint64_t special_bytes(std::uint64_t eight) {
  const auto zero_bytes = [](std::uint64_t x) { return (x - kOnes) & ~x; };
  const std::uint64_t control = (eight - kOnes * 0x20) & ~eight;
  return (zero_bytes(eight ^ (kOnes * '"')) | zero_bytes(eight ^ (kOnes * '\\')) | control) & kHighBits;
}

int hex_digit(unsigned char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Reads objects from front to end. A step that returns false has found something that only a parser can judge.
class JsonReader {
 public:
  JsonReader(const unsigned char* text, std::int64_t size, const std::vector<std::string_view>& names)
      : at_(text), begin_(text), end_(text + size), last_row_(names.size(), 0) {
    for (std::size_t i = 0; i < names.size(); ++i) names_.emplace(names[i], i);
    out_.members.resize(names.size());
    // No string is longer than its JSON text. Copying in steps of eight bytes may write beyond the last string.
    out_.bytes = Buffer<unsigned char>(static_cast<std::size_t>(size) + sizeof(std::uint64_t));
  }

  std::optional<TakenTexts> read_all() {
    for (skip_blanks(); at_ < end_; skip_blanks())
      if (!read_object()) return std::nullopt;
    shrink();
    return std::move(out_);
  }

 private:
  // Copies the strings to a smaller buffer if they fill less than half of theirs.
  void shrink() {
    const std::size_t size = out_.bytes.size();
    if (2 * size > static_cast<std::size_t>(end_ - begin_)) return;
    Buffer<unsigned char> exact(size);
    exact.append(out_.bytes.data(), size);
    out_.bytes = std::move(exact);
  }

  void skip_blanks() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\n' || *at_ == '\r')) ++at_;
  }

  // Skips character c. Returns false if there is another one.
  bool skip(unsigned char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }

  bool read_object() {
    if (!skip('{')) return false;
    out_.rest.push_back('{');
    const std::size_t empty_size = out_.rest.size();
    skip_blanks();
    if (!skip('}')) {
      do {
        skip_blanks();
        if (!read_member(out_.rest.size() == empty_size)) return false;
        skip_blanks();
      } while (skip(','));
      if (!skip('}')) return false;
    }
    out_.rest.push_back('}');
    out_.rest.push_back('\n');
    ++rows_;
    for (TakenColumn& member : out_.members)
      if (member.valid.size() < rows_) append_row(member, false, 0);
    return true;
  }

  bool read_member(bool first) {
    const unsigned char* const begin = at_;
    if (!skip('"')) return false;
    at_ = std::find_if(at_, end_, [](unsigned char c) { return c == '"' || c == '\\' || c < 0x20; });
    const std::string_view name(reinterpret_cast<const char*>(begin) + 1, static_cast<std::size_t>(at_ - begin) - 1);
    if (!skip('"')) return false;
    skip_blanks();
    if (!skip(':')) return false;
    skip_blanks();
    if (const auto found = names_.find(name); found != names_.end()) {
      if (std::exchange(last_row_[found->second], rows_ + 1) == rows_ + 1) return false;
      if (skip('"')) return take_string(out_.members[found->second]);
    }
    if (!skip_value()) return false;
    if (!first) out_.rest.push_back(',');
    out_.rest.insert(out_.rest.end(), begin, at_);
    return true;
  }

  // Appends the last `size` bytes as the string of a row, or a missing value.
  void append_row(TakenColumn& member, bool valid, std::size_t size) {
    const unsigned char* const end = out_.bytes.data() + out_.bytes.size();
    member.valid.push_back(valid);
    append_view(out_.bytes.data(), end - size, end, member.views);
  }

  // Takes a string whose opening quote has been read.
  bool take_string(TakenColumn& member) {
    unsigned char* const begin = out_.bytes.data() + out_.bytes.size();
    unsigned char* out = begin;
    for (;;) {
      out = copy_plain(out);
      if (at_ == end_ || *at_ < 0x20) return false;
      if (*at_++ == '"') break;
      out = write_escaped(out);
      if (!out) return false;
    }
    const auto size = static_cast<std::size_t>(out - begin);
    out_.bytes.grow(size);
    append_row(member, true, size);
    return true;
  }

  // Copies up to the next quote, backslash or control character.
  unsigned char* copy_plain(unsigned char* out) {
    for (; end_ - at_ >= 8; at_ += 8, out += 8) {
      const std::uint64_t eight = load_eight(at_);
      std::memcpy(out, &eight, sizeof eight);
      if (const std::uint64_t found = special_bytes(eight)) {
        const int before = std::countr_zero(found) / 8;
        at_ += before;
        return out + before;
      }
    }
    while (at_ < end_ && *at_ != '"' && *at_ != '\\' && *at_ >= 0x20) *out++ = *at_++;
    return out;
  }

  // Writes the character of an escape whose backslash has been read. Returns null if it is not valid.
  unsigned char* write_escaped(unsigned char* out) {
    static constexpr char kEscapes[] = "\"\\/bfnrt", kCharacters[] = "\"\\/\b\f\n\r\t";
    if (at_ == end_) return nullptr;
    if (*at_ == 'u') return write_unicode(out);
    const auto* const found = static_cast<const char*>(std::memchr(kEscapes, *at_, sizeof kEscapes - 1));
    if (!found) return nullptr;
    ++at_;
    *out++ = static_cast<unsigned char>(kCharacters[found - kEscapes]);
    return out;
  }

  unsigned char* write_unicode(unsigned char* out) {
    std::int64_t code = read_four_digits();
    if (code >= 0xDC00 && code <= 0xDFFF) return nullptr;
    if (code >= 0xD800 && code <= 0xDBFF) {
      if (!skip('\\')) return nullptr;
      const std::int64_t low = read_four_digits();
      if (low < 0xDC00 || low > 0xDFFF) return nullptr;
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    return code < 0 ? nullptr : encode_utf8(static_cast<std::uint32_t>(code), out);
  }

  // Reads u and four hexadecimal digits. Returns -1 if there is something else.
  std::int64_t read_four_digits() {
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

  // Skips a value of any kind, without checking it.
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
    return skip('"');
  }

  const unsigned char* at_;
  const unsigned char *const begin_, *const end_;
  std::unordered_map<std::string_view, std::size_t> names_;  // index of every member
  TakenTexts out_;
  std::size_t rows_ = 0;
  std::vector<std::size_t> last_row_;  // by member: the last row, from 1 on, that has it
};

}  // namespace

std::optional<TakenTexts> take_texts(const unsigned char* text, std::int64_t size,
                                     const std::vector<std::string_view>& names) {
  if (size > INT32_MAX) throw std::invalid_argument("a block of more than 2 GB cannot be read");
  return JsonReader(text, size, names).read_all();
}

}  // namespace deciban
