// Colours, where they are wanted: on a terminal, unless NO_COLOR says otherwise (no-color.org).
#pragma once

#include <string>
#include <string_view>

namespace snag::report {

enum class Colour { kNone, kRed, kGreen, kYellow, kBold, kDim };

class Painter {
 public:
  explicit Painter(bool enabled) : enabled_(enabled) {}
  std::string paint(Colour colour, std::string_view text) const;

 private:
  bool enabled_;
};

bool is_terminal(int fd);
bool wants_colour(int fd);

// "12,345"
std::string grouped(unsigned long long number);
// "1 run", "2 runs", "12,345 runs"
std::string counted(unsigned long long number, std::string_view one, std::string_view many);

}  // namespace snag::report
