// Rows of delimited text and lines with labels: their ends are right, and no text is lost.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>

#include "check.hpp"
#include "core/strings.hpp"
#include "files/lines.hpp"

namespace fuzz {

inline void check_rows(deciban::Bytes text, std::uint8_t choice) {
  const unsigned char delimiter = static_cast<unsigned char>(",;\t|"[choice & 3]);
  const auto ends_within = [&](std::int64_t begin, std::int64_t end) {
    return deciban::row_ends(text.data + begin, end - begin, delimiter, '"');
  };
  const deciban::RowEnds whole = ends_within(0, text.size);
  CHECK(0 <= whole.first && whole.first <= whole.last && whole.last <= text.size);
  CHECK((whole.first == 0) == (whole.last == 0));
  if (!whole.first) return;
  for (const std::int64_t end : {whole.first, whole.last})
    CHECK(text.data[end - 1] == '\n' || text.data[end - 1] == '\r');
  // Text cut at the end of a row has the same rows.
  const deciban::RowEnds first_row = ends_within(0, whole.first);
  CHECK(first_row.first == whole.first && first_row.last == whole.first);
  CHECK(ends_within(0, whole.last).last == whole.last);
  CHECK(whole.first + ends_within(whole.first, text.size).last == whole.last);
}

// Checks one line against its label and text.
inline void check_line(const std::string& line, bool has_label, const std::string& label, const std::string& text) {
  CHECK(text.find('\n') == std::string::npos);
  CHECK(has_label || label.empty());
  CHECK(line.find("__label__" + label) != std::string::npos || !has_label);
  CHECK(text.rfind("__label__", 0) != 0);
  const std::size_t size = line.find_last_not_of(" \t\r") + 1;  // without blanks at the end
  CHECK(text.empty() || (size >= text.size() && line.compare(size - text.size(), text.size(), text) == 0));
  CHECK(text.find_first_of(" \t\r") != 0);
}

inline void check_lines(deciban::Bytes text) {
  const deciban::LabelledLines found = deciban::labelled_lines(text.data, text.size);
  const unsigned char *const begin = text.data, *const end = begin + text.size;
  const auto lines = static_cast<std::size_t>(std::count(begin, end, '\n') + (begin < end && end[-1] != '\n'));
  CHECK(found.has_label.size() == lines);
  CHECK(found.label_start.size() == lines + 1 && found.texts.size() == 16 * lines);
  CHECK(found.label_start.front() == 0);
  CHECK(found.label_start.back() == static_cast<std::int64_t>(found.labels.size()));
  CHECK(std::is_sorted(found.label_start.begin(), found.label_start.end()));
  CHECK(found.multi_labelled <= std::count(found.has_label.begin(), found.has_label.end(), 1));
  const std::string labels(found.labels.begin(), found.labels.end());
  CHECK(labels.find_first_of(" \t\r\n") == std::string::npos);
  const std::vector<deciban::Document> texts =
      deciban::list_views({found.texts.data(), static_cast<std::int64_t>(found.texts.size())}, {text},
                          {{nullptr, 0}, 0, static_cast<std::int64_t>(lines)});
  const unsigned char* line = begin;
  for (std::size_t i = 0; i < lines; ++i) {
    const unsigned char* const line_end = std::find(line, end, '\n');
    const std::string label(labels.begin() + found.label_start[i], labels.begin() + found.label_start[i + 1]);
    check_line({line, line_end}, found.has_label[i], label, {texts[i].data, texts[i].data + texts[i].size});
    line = line_end + (line_end < end);
  }
}

}  // namespace fuzz
