// Colours, where they are wanted: on a terminal, unless NO_COLOR says otherwise (no-color.org).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tool/base/number_text.h"

namespace snag {

enum class Colour { kNone, kRed, kGreen, kYellow, kBold, kDim, kCyan, kMagenta, kBlue };

// How to draw: with colours or without, how wide, and whether only in ASCII.
class Painter {
 public:
  static constexpr int kDefaultWidth = 100;

  explicit Painter(bool colours, int width = kDefaultWidth, bool unicode = false)
      : colours_(colours), width_(width), unicode_(unicode) {}
  std::string paint(Colour colour, std::string_view text) const;
  int width() const { return width_; }
  bool unicode() const { return unicode_; }

 private:
  bool colours_;
  int width_;
  bool unicode_;
};

// The style that suits a file or a terminal: the terminal's width and, if the locale uses UTF-8,
// drawn lines.
Painter painter_for(int fd);

bool is_terminal(int fd);
bool wants_colour(int fd);

// Columns that the text takes: characters of UTF-8 count as one.
std::size_t display_width(std::string_view text);
// Text that is too long is cut and ends in "...".
std::string shortened(std::string_view text, std::size_t width);
// The same, with blanks up to the width.
std::string padded(std::string_view text, std::size_t width);

}  // namespace snag
