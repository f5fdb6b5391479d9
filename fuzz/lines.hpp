// Rows of delimited text and lines with labels: where they end, and that nothing is lost between them.
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
  const deciban::RowEnds whole = deciban::row_ends(text.data, text.size, delimiter, '"');
  CHECK(0 <= whole.first && whole.first <= whole.last && whole.last <= text.size);
  CHECK((whole.first == 0) == (whole.last == 0));
  if (!whole.first) return;
  for (const std::int64_t end : {whole.first, whole.last})
    CHECK(text.data[end - 1] == '\n' || text.data[end - 1] == '\r');
  // A part that ends with a row has the same rows, and so has what begins behind one.
  const deciban::RowEnds one = deciban::row_ends(text.data, whole.first, delimiter, '"');
  CHECK(one.first == whole.first && one.last == whole.first);
  CHECK(deciban::row_ends(text.data, whole.last, delimiter, '"').last == whole.last);
  const deciban::RowEnds others =
      deciban::row_ends(text.data + whole.first, text.size - whole.first, delimiter, '"');
  CHECK(whole.first + others.last == whole.last);
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
  CHECK(found.several <= std::count(found.has_label.begin(), found.has_label.end(), 1));
  const std::string labels(found.labels.begin(), found.labels.end());
  CHECK(labels.find_first_of(" \t\r\n") == std::string::npos);
  const std::vector<deciban::Document> texts =
      deciban::list_views({found.texts.data(), static_cast<std::int64_t>(found.texts.size())}, {text},
                          {{nullptr, 0}, 0, static_cast<std::int64_t>(lines)});
  const unsigned char* line = begin;
  for (std::size_t i = 0; i < lines; ++i) {
    const std::string label(labels.begin() + found.label_start[i], labels.begin() + found.label_start[i + 1]);
    const std::string rest(texts[i].data, texts[i].data + texts[i].size);
    CHECK(rest.find('\n') == std::string::npos);
    const unsigned char* const line_end = std::find(line, end, '\n');
    const std::string all(line, line_end);
    CHECK(found.has_label[i] || label.empty());
    CHECK(all.find("__label__" + label) != std::string::npos || !found.has_label[i]);
    CHECK(rest.rfind("__label__", 0) != 0);
    const std::size_t last = all.find_last_not_of(" \t\r");
    CHECK(rest.empty() || (last + 1 >= rest.size() && all.compare(last + 1 - rest.size(), rest.size(), rest) == 0));
    CHECK(rest.find_first_of(" \t\r") != 0);
    line = line_end + (line_end < end);
  }
}

}  // namespace fuzz
