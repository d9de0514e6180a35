#include "tool/base/progress.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace snag {
namespace {

using std::chrono::milliseconds;

struct ProgressTest : testing::Test {
  ProgressTest() { file = open_memstream(&buffer, &size); }
  ~ProgressTest() override {
    std::fclose(file);
    std::free(buffer);
  }
  std::string written() {
    std::fflush(file);
    return std::string(buffer, size);
  }
  char* buffer = nullptr;
  std::size_t size = 0;
  std::FILE* file = nullptr;
  Progress::Clock::time_point now{};
};

TEST_F(ProgressTest, APlainLineEveryFiveSeconds) {
  Progress progress("snag run", true, false, file, now);
  int asked = 0;
  for (int tenth = 1; tenth <= 100; ++tenth)
    progress.update([&] { return std::to_string(++asked); }, now + tenth * milliseconds(100));
  progress.finish();
  EXPECT_EQ(written(), "snag run: 1\nsnag run: 2\n");
  EXPECT_EQ(asked, 2) << "the text is made only when it is shown";
}

TEST_F(ProgressTest, ALiveLineIsRewrittenAndErased) {
  Progress progress("snag run", true, true, file, now);
  progress.update([] { return "too early"; }, now + milliseconds(99));
  progress.update([] { return "one"; }, now + milliseconds(100));
  progress.update([] { return "too early"; }, now + milliseconds(150));
  progress.update([] { return "two"; }, now + milliseconds(200));
  progress.finish();
  progress.finish();
  EXPECT_EQ(written(), "\r\x1b[Kone\r\x1b[Ktwo\r\x1b[K");
}

TEST_F(ProgressTest, IsErasedInTheEndEvenIfNotFinished) {
  {
    Progress progress("snag run", true, true, file, now);
    progress.update([] { return "one"; }, now + milliseconds(100));
  }
  EXPECT_EQ(written(), "\r\x1b[Kone\r\x1b[K");
}

TEST_F(ProgressTest, SaysNothingIfNothingIsDue) {
  Progress live("snag run", true, true, file, now);
  live.update([] { return "x"; }, now);
  live.finish();
  Progress quiet("snag run", false, false, file, now);
  quiet.update([] { return "x"; }, now + milliseconds(60'000));
  quiet.finish();
  EXPECT_EQ(written(), "");
}

}  // namespace
}  // namespace snag
