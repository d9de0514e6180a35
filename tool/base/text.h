// Small functions on text: trimming, the last name of a path, splitting into lines.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace snag {

inline constexpr std::string_view kBlanks = " \t\r\n";

// Without the blanks at both ends.
inline std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// "queue.cc" of "src/queue.cc".
inline std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

// Takes the first line off the text, without its end.
inline std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

inline void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

inline bool is_printable(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](unsigned char c) { return c < 32 || c == 127; });
}

}  // namespace snag
