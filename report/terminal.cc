#include "report/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

namespace snag::report {

std::string Painter::paint(Colour colour, std::string_view text) const {
  static constexpr const char* kCodes[] = {"", "31", "32", "33", "1", "2"};
  if (!enabled_ || colour == Colour::kNone) return std::string(text);
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

std::string grouped(unsigned long long number) {
  const std::string digits = std::to_string(number);
  std::string result;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) result += ',';
    result += digits[i];
  }
  return result;
}

std::string counted(unsigned long long number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", grouped(number), number == 1 ? one : many);
}

}  // namespace snag::report
