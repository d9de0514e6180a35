#include "tool/report/formats/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tool/report/view/failure_example_for_test.h"

namespace snag::report {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x80; });
}

Interleaving of_threads(Tid count) {
  Interleaving interleaving;
  for (Tid i = 0; i < count; ++i) {
    interleaving.threads.push_back({i, ""});
    interleaving.events.push_back(
        example::access(i, i + 1u, OpKind::kWrite, example::kTake, "size_", "1", "2"));
  }
  return interleaving;
}

TEST(Table, OfNothingIsEmpty) { EXPECT_EQ(table_text({}, Painter(false)), ""); }

TEST(Table, FitsEveryWidthAndNumberOfThreads) {
  for (const int width : {40, 60, 80, 100, 160}) {
    for (Tid threads = 1; threads <= 9; ++threads) {
      for (const bool unicode : {false, true}) {
        const std::string text = table_text(of_threads(threads), Painter(false, width, unicode));
        for (const std::string& line : lines_of(text))
          EXPECT_LE(display_width(line), static_cast<std::size_t>(width)) << line;
      }
    }
  }
}

TEST(Table, HasAColumnAThreadUpToFour) {
  EXPECT_NE(table_text(of_threads(4), Painter(false)).find(" | "), std::string::npos);
  const std::string list = table_text(of_threads(5), Painter(false));
  EXPECT_EQ(list.find(" | "), std::string::npos);
  EXPECT_TRUE(list.starts_with("  T0 (main)"));
  EXPECT_NE(list.find("\n  T4 "), std::string::npos);
}

TEST(Table, IsAsciiUnlessAskedOtherwise) {
  const Interleaving interleaving = example::deadlock().interleaving;
  EXPECT_TRUE(is_ascii(table_text(interleaving, Painter(false))));
  EXPECT_FALSE(is_ascii(table_text(interleaving, Painter(false, 100, true))));
}

TEST(Table, ColoursChangeNothingElse) {
  const Interleaving interleaving = example::assertion().interleaving;
  std::string coloured = table_text(interleaving, Painter(true));
  while (coloured.find('\x1b') != std::string::npos) {
    const std::size_t begin = coloured.find('\x1b');
    coloured.erase(begin, coloured.find('m', begin) - begin + 1);
  }
  EXPECT_EQ(coloured, table_text(interleaving, Painter(false)));
}

TEST(Table, CutsUmlautsWhole) {
  Interleaving interleaving = of_threads(2);
  for (int i = 0; i < 60; ++i) interleaving.events[0].place.source += "ä";
  const std::string text = table_text(interleaving, Painter(false));
  EXPECT_NE(text.find("ä..."), std::string::npos);
  for (const std::string& line : lines_of(text)) EXPECT_LE(display_width(line), 100u);
}

TEST(Table, LeavesTheSourceOutWhereItWouldNotFit) {
  Interleaving interleaving = of_threads(2);
  for (int i = 0; i < 30; ++i) {
    Event event = example::event(1, 3u + static_cast<std::uint64_t>(i), OpKind::kWrite,
                                 example::kTake, "size_");
    event.place.line = i;
    interleaving.events.push_back(event);
  }
  const std::string text = table_text(interleaving, Painter(false));
  EXPECT_EQ(text.find("size_ > 0"), std::string::npos);
  EXPECT_EQ(lines_of(text).size(), 34u);
}

TEST(Table, KeepsFoldsThatDoNotMatterToItself) {
  Interleaving interleaving = of_threads(2);
  interleaving.events.push_back(example::folded(1, 3, 2));
  EXPECT_NE(table_text(interleaving, Painter(false)).find("... 2 more steps"), std::string::npos);
  interleaving.events.back().is_minor = true;
  EXPECT_EQ(table_text(interleaving, Painter(false)).find("..."), std::string::npos);
}

TEST(Table, NamesSomeOfTheThreadsWithoutARole) {
  Interleaving interleaving = of_threads(2);
  for (Tid i = 2; i < 100; ++i) interleaving.others.push_back({i, ""});
  EXPECT_NE(table_text(interleaving, Painter(false))
                .find("without a part in it: T2, T3, T4, T5, T6, T7 and 92 more threads"),
            std::string::npos);
}

TEST(Table, BreaksLongOperationsAtBlanks) {
  Interleaving interleaving = of_threads(4);
  interleaving.events = {example::waits(1, OpKind::kMutexLock, example::kTake, "accounts+120", 2)};
  const std::string text = table_text(interleaving, Painter(false));
  EXPECT_NE(text.find("waits for "), std::string::npos);
  EXPECT_NE(text.find("  accounts+120,"), std::string::npos);
  EXPECT_NE(text.find("  held by T2"), std::string::npos);
}

TEST(Table, WorksWithoutDebugInformation) {
  Interleaving interleaving;
  interleaving.threads = {{1, ""}, {2, ""}};
  interleaving.events = {example::event(1, 1, OpKind::kWrite, {}, "A"),
                         example::event(2, 2, OpKind::kRead, {"f+0x10", "", 0, ""}, "A")};
  const std::string text = table_text(interleaving, Painter(false));
  EXPECT_NE(text.find("an unknown place  writes A"), std::string::npos);
  EXPECT_NE(text.find("f+0x10  reads A"), std::string::npos);
}

}  // namespace
}  // namespace snag::report
