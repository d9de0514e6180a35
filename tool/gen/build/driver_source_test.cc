#include "tool/gen/build/driver_source.h"

#include <gmock/gmock.h>

#include <sstream>

#include "tool/gen/model/model_for_test.h"

namespace snag::gen {
namespace {

std::string line_of(const std::string& text, unsigned number) {
  std::istringstream lines(text);
  std::string line;
  for (unsigned i = 0; i < number; ++i) std::getline(lines, line);
  return line;
}

TEST(DriverSource, EveryLineOfAPieceLeadsToIt) {
  const ClassModel model =
      queue_model({method("push", {parameter("int", "integer")}), method("pop", {})});
  std::vector<Piece> pieces = constructor_pieces(model, {});
  for (Piece& piece : method_pieces(model, {})) pieces.push_back(piece);
  ASSERT_EQ(pieces.size(), 3u);
  const DriverSource source =
      write_driver(model, {"queue.h", "<map>"}, pieces, {{0, 0}, {1, 0}, {2, 0}});
  EXPECT_THAT(source.text, testing::HasSubstr("#include \"queue.h\"\n#include <map>\n"));
  EXPECT_THAT(source.text, testing::HasSubstr("SNAG_GEN_CLASS(ns::Queue<int>)"));
  unsigned found = 0;
  for (unsigned line = 1; !source.text.empty() && line <= 200; ++line) {
    const std::string text = line_of(source.text, line);
    const Choice* choice = source.choice_at(line);
    for (const auto& [name, piece] : {std::pair("\"Queue()\"", 0u), std::pair("\"push(int)\"", 1u),
                                      std::pair("\"pop()\"", 2u)}) {
      if (text.find(name) == std::string::npos) continue;
      ++found;
      ASSERT_NE(choice, nullptr) << text;
      EXPECT_EQ(choice->piece, piece) << text;
      ASSERT_NE(source.choice_at(line + 1), nullptr);
      EXPECT_EQ(source.choice_at(line + 1)->piece, piece) << "its code is on the next line";
      break;
    }
    if (text.find("#include") != std::string::npos ||
        text.find("SNAG_GEN_DRIVER") != std::string::npos) {
      EXPECT_EQ(choice, nullptr) << text;
    }
    if (text.find("SNAG_GEN_DRIVER") != std::string::npos) break;
  }
  EXPECT_EQ(found, 3u);
  EXPECT_EQ(source.choice_at(0), nullptr);
}

}  // namespace
}  // namespace snag::gen
