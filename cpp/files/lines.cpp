#include "files/lines.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace deciban {
namespace {

bool is_blank(unsigned char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace

RowEnds row_ends(const unsigned char* text, std::int64_t n, unsigned char delimiter, unsigned char quote) {
  RowEnds ends{0, 0};
  bool at_field_start = true, quoted = false;
  for (std::int64_t i = 0; i < n; ++i) {
    const unsigned char c = text[i];
    if (quoted) {
      if (c != quote) continue;
      if (i + 1 < n && text[i + 1] == quote)
        ++i;
      else
        quoted = false;
      continue;
    }
    if (c == '\n' || c == '\r') {
      if (c == '\r' && i + 1 < n && text[i + 1] == '\n') ++i;
      ends.last = i + 1;
      if (!ends.first) ends.first = i + 1;
      at_field_start = true;
    } else {
      quoted = at_field_start && c == quote;
      at_field_start = c == delimiter;
    }
  }
  return ends;
}

void append_view(const unsigned char* memory, const unsigned char* begin, const unsigned char* end,
                 std::vector<unsigned char>& views) {
  unsigned char view[16] = {};
  const auto size = static_cast<std::int32_t>(end - begin), at = static_cast<std::int32_t>(begin - memory);
  std::memcpy(view, &size, 4);
  if (size <= 12) {
    if (size) std::memcpy(view + 4, begin, static_cast<std::size_t>(size));
  } else {
    std::memcpy(view + 4, begin, 4);
    std::memcpy(view + 12, &at, 4);  // bytes 8 to 11 are the number of the buffer, 0
  }
  views.insert(views.end(), view, view + sizeof view);
}

LabelledLines labelled_lines(const unsigned char* text, std::int64_t size, bool each_label) {
  static constexpr char kPrefix[] = "__label__";
  constexpr std::int64_t prefix = sizeof kPrefix - 1;
  LabelledLines out;
  if (size > INT32_MAX)
    throw std::invalid_argument("a line of more than 2 GB cannot be read; does the text have lines?");
  out.label_start.assign(1, 0);
  const auto add_row = [&](bool has_label) {
    out.has_label.push_back(has_label);
    out.label_start.push_back(static_cast<std::int64_t>(out.labels.size()));
  };
  for (const unsigned char *p = text, *const end = text + size; p < end;) {
    const auto* line_break = static_cast<const unsigned char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
    const unsigned char* line_end = line_break ? line_break : end;
    const unsigned char* const next_line = line_break ? line_break + 1 : end;
    while (line_end > p && is_blank(line_end[-1])) --line_end;
    int labels = 0;
    for (;; ++labels) {
      while (p < line_end && is_blank(*p)) ++p;
      if (line_end - p < prefix || std::memcmp(p, kPrefix, prefix) != 0) break;
      const unsigned char* const label_end = std::find_if(p, line_end, is_blank);
      if (labels == 0 || each_label) {
        out.labels.insert(out.labels.end(), p + prefix, label_end);
        add_row(true);
      }
      p = label_end;
    }
    if (labels == 0) add_row(false);
    out.multi_labelled += labels > 1;
    for (int rows = each_label ? std::max(1, labels) : 1; rows > 0; --rows) append_view(text, p, line_end, out.texts);
    p = next_line;
  }
  return out;
}

}  // namespace deciban
