#include "tool/gen/build/driver_folder.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <utility>

namespace snag::gen {
namespace {

namespace fs = std::filesystem;

class DriverFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "driver-folder-test-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    out_ = name;
  }
  void TearDown() override { fs::remove_all(out_); }

  // What a session leaves that is killed.
  void leave_one() const {
    const pid_t child = fork();
    if (child == 0) {
      auto folder = DriverFolder::make(out_);
      if (folder) std::ofstream(folder->path() + "/driver.cc") << "// half of it";
      _exit(folder ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_EQ(status, 0);
  }

  std::size_t folders() const {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(out_)) ++count;
    return count;
  }

  std::string out_;
};

TEST_F(DriverFolderTest, IsRemovedAtItsEnd) {
  {
    auto folder = DriverFolder::make(out_);
    ASSERT_TRUE(folder);
    EXPECT_FALSE(folder->is_kept());
    EXPECT_TRUE(fs::is_directory(folder->path()));
    const DriverFolder moved = std::move(*folder);
    EXPECT_TRUE(fs::is_directory(moved.path()));
  }
  EXPECT_EQ(folders(), 0u);
}

TEST_F(DriverFolderTest, StaysIfSomebodyWantsIt) {
  std::string path;
  {
    auto folder = DriverFolder::make(out_);
    ASSERT_TRUE(folder);
    path = folder->path();
    folder->keep();
    EXPECT_TRUE(folder->is_kept());
  }
  EXPECT_TRUE(fs::is_directory(path));
  EXPECT_TRUE(fs::is_empty(path));
  { ASSERT_TRUE(DriverFolder::make(out_)); }
  EXPECT_TRUE(fs::is_directory(path));
}

TEST_F(DriverFolderTest, OfAKilledSessionIsRemovedByTheNextOne) {
  leave_one();
  EXPECT_EQ(folders(), 1u);
  auto folder = DriverFolder::make(out_);
  ASSERT_TRUE(folder);
  EXPECT_EQ(folders(), 1u);
}

TEST_F(DriverFolderTest, OfASessionThatGoesOnIsLeftAlone) {
  auto first = DriverFolder::make(out_);
  auto second = DriverFolder::make(out_);
  ASSERT_TRUE(first && second);
  EXPECT_TRUE(fs::is_directory(first->path()));
  EXPECT_TRUE(fs::is_directory(second->path()));
  const pid_t child = fork();
  if (child == 0) {
    // As another process sees it.
    auto third = DriverFolder::make(out_);
    _exit(third && fs::is_directory(first->path()) && fs::is_directory(second->path()) ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(DriverFolderTest, OneWithAnotherNameIsNobodysBusiness) {
  fs::create_directory(out_ + "/mine");
  std::ofstream(out_ + "/mine/unfinished") << "x";
  std::ofstream(out_ + "/driver-notes") << "x";
  fs::create_directory(out_ + "/driver-of-mine");
  { ASSERT_TRUE(DriverFolder::make(out_)); }
  EXPECT_EQ(folders(), 3u);
}

TEST_F(DriverFolderTest, NoFolder) { EXPECT_FALSE(DriverFolder::make(out_ + "/nowhere")); }

}  // namespace
}  // namespace snag::gen
