// Writes the source of a driver (snag/gen_driver.h) and knows which line belongs to which piece.
#pragma once

#include <string>
#include <vector>

#include "tool/gen/build/adapters.h"

namespace snag::gen {

// One way to write one piece.
struct Choice {
  std::size_t piece = 0, variant = 0;
};

struct DriverSource {
  std::string text;
  // The first line of each choice, in ascending order; those of a choice end where the next begins.
  std::vector<std::pair<unsigned, Choice>> lines;

  // nullptr if that line belongs to no piece.
  const Choice* choice_at(unsigned line) const;
};

// `choices` in the order of the pieces. A piece may have several choices, except makers.
DriverSource write_driver(const ClassModel& model, const std::vector<std::string>& headers,
                          const std::vector<Piece>& pieces, const std::vector<Choice>& choices);

// As in an #include line: adds quotes if there are none.
std::string include_line(const std::string& header);

}  // namespace snag::gen
