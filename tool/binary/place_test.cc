#include "tool/binary/place.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "protocol/module_pc.h"

extern "C" char __executable_start;

namespace snag::binary {

// With names that the debug information has: nothing here is anonymous.
int places_test_first(int x) { return x + 1; }
int places_test_second(int x) { return x * 3; }

namespace {

using SortInts = void (*)(int*, int*);

class PlaceTest : public testing::Test {
 protected:
  // The address behind the first instruction byte of the function, as a call would return to.
  template <class Function>
  std::uint64_t inside(Function function) {
    return reinterpret_cast<std::uint64_t>(function) + 1;
  }
  std::uint64_t base_ = reinterpret_cast<std::uint64_t>(&__executable_start);
  ModuleMap modules_{
      {{base_, base_, base_ + (1u << 30), std::filesystem::canonical("/proc/self/exe").string()}}};
  Symbolizer symbolizer_;
  std::uint64_t first_ = inside(&places_test_first), second_ = inside(&places_test_second);
  std::uint64_t library_ = inside(static_cast<SortInts>(&std::sort<int*>));
};

TEST_F(PlaceTest, TheInnermostFrameOfTheUserIsTaken) {
  for (const auto& stack : {std::vector{library_, first_, second_}, {0, first_, library_}}) {
    const Frame* frame = user_frame(symbolizer_, modules_, stack);
    ASSERT_NE(frame, nullptr);
    EXPECT_EQ(frame->function, "snag::binary::places_test_first");
  }
}

TEST_F(PlaceTest, WithoutAUsersTheInnermostOfAllIsTaken) {
  const Frame* frame = user_frame(symbolizer_, modules_, std::vector{std::uint64_t{1}, library_});
  ASSERT_NE(frame, nullptr);
  EXPECT_TRUE(frame->function.starts_with("std::")) << frame->function;
  EXPECT_EQ(user_frame(symbolizer_, modules_, std::vector{std::uint64_t{1}}), nullptr);
  EXPECT_EQ(user_frame(symbolizer_, modules_, {}), nullptr);
}

TEST_F(PlaceTest, CodeIsLookedUpAsAddressesAre) {
  const std::vector<ModulePc> code{modules_.to_module_pc(library_), modules_.to_module_pc(second_)};
  const Frame* frame = user_frame_of_code(symbolizer_, modules_, code);
  ASSERT_NE(frame, nullptr);
  EXPECT_EQ(frame->function, "snag::binary::places_test_second");
  // As a file may have it: of a module that is not there.
  EXPECT_EQ(user_frame_of_code(symbolizer_, modules_, std::vector{make_module_pc(7, 1)}), nullptr);
}

TEST(PlaceText, SaysWhatIsKnown) {
  EXPECT_EQ(place_text("src/queue.cc", 41, "Queue::pop"), "queue.cc:41");
  EXPECT_EQ(place_text("", 0, "Queue::pop"), "Queue::pop");
  EXPECT_EQ(place_text("", 0, ""), "an unknown place");
  EXPECT_EQ(place_text(nullptr), "an unknown place");
  EXPECT_EQ(place_in_function("src/queue.cc", 41, "Queue::pop"), "queue.cc:41 in Queue::pop");
  EXPECT_EQ(place_in_function("src/queue.cc", 41, ""), "queue.cc:41");
  EXPECT_EQ(place_in_function("", 0, "Queue::pop"), "Queue::pop");
  EXPECT_EQ(place_in_function(nullptr), "an unknown place");
}

}  // namespace
}  // namespace snag::binary
