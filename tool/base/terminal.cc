#include "tool/base/terminal.h"

#include <fmt/format.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace snag {
namespace {

// Narrower is too narrow for columns; wider is too wide to read.
constexpr int kMinWidth = 40;
constexpr int kMaxWidth = 160;

// As setlocale does it: the first of the three variables that is set.
bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    return strcasestr(value, "utf-8") != nullptr || strcasestr(value, "utf8") != nullptr;
  }
  return false;
}

int terminal_width(int fd) {
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return Painter::kDefaultWidth;
  return std::clamp<int>(size.ws_col, kMinWidth, kMaxWidth);
}

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

Painter painter_for(int fd) {
  if (!is_terminal(fd)) return Painter(wants_colour(fd));
  return Painter(wants_colour(fd), terminal_width(fd), locale_is_utf8());
}

std::size_t display_width(std::string_view text) {
  return text.size() -
         static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues_character));
}

std::string shortened(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  const std::size_t keep = width > 3 ? width - 3 : width;
  std::size_t end = 0, columns = 0;
  while (end < text.size()) {
    if (!continues_character(text[end]) && ++columns > keep) break;
    ++end;
  }
  return std::string(text.substr(0, end)) + (width > 3 ? "..." : "");
}

std::string padded(std::string_view text, std::size_t width) {
  std::string result = shortened(text, width);
  return result.append(width - display_width(result), ' ');
}

std::string Painter::paint(Colour colour, std::string_view text) const {
  static constexpr const char* kCodes[] = {"", "31", "32", "33", "1", "2", "36", "35", "34"};
  if (!colours_ || colour == Colour::kNone) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", kCodes[static_cast<int>(colour)], text);
}

bool is_terminal(int fd) { return isatty(fd) == 1; }

bool wants_colour(int fd) {
  const char* no_colour = std::getenv("NO_COLOR");
  if (no_colour != nullptr && *no_colour != '\0') return false;
  const char* terminal = std::getenv("TERM");
  if (terminal != nullptr && std::string_view(terminal) == "dumb") return false;
  return is_terminal(fd);
}

}  // namespace snag
