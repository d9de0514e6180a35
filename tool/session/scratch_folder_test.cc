#include "tool/session/scratch_folder.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace snag::session {
namespace {

namespace fs = std::filesystem;

class ScratchFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/scratch-test-XXXXXX";
    place_ = mkdtemp(name);
  }
  void TearDown() override { fs::remove_all(place_); }
  std::size_t count() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(place_), fs::directory_iterator()));
  }

  fs::path place_;
};

TEST_F(ScratchFolderTest, IsRemovedWithAllThatIsInIt) {
  std::string path;
  {
    auto folder = ScratchFolder::make(place_.string());
    ASSERT_TRUE(folder);
    path = folder->path();
    std::ofstream(path + "/file") << "1";
    ScratchFolder moved = std::move(*folder);
    EXPECT_EQ(moved.path(), path);
    EXPECT_TRUE(fs::exists(path + "/file"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(ScratchFolderTest, OfAKilledOwnerIsRemovedByTheNext) {
  const pid_t child = fork();
  if (child == 0) {
    auto folder = ScratchFolder::make(place_.string());
    std::ofstream(folder->path() + "/file") << "1";
    _exit(0);  // without destructors, as if killed
  }
  waitpid(child, nullptr, 0);
  ASSERT_EQ(count(), 1u);
  auto next = ScratchFolder::make(place_.string());
  ASSERT_TRUE(next);
  EXPECT_EQ(count(), 1u);
  EXPECT_TRUE(fs::exists(next->path()));
}

TEST_F(ScratchFolderTest, OfALivingOwnerAndOthersStay) {
  auto first = ScratchFolder::make(place_.string());
  ASSERT_TRUE(first);
  fs::create_directory(place_ / "snag-result");
  fs::create_directory(place_ / "snag-others");
  auto second = ScratchFolder::make(place_.string());
  ASSERT_TRUE(second);
  EXPECT_TRUE(fs::exists(first->path()));
  EXPECT_TRUE(fs::exists(second->path()));
  EXPECT_EQ(count(), 4u);
}

TEST_F(ScratchFolderTest, CannotBeMadeWhereThereIsNoPlace) {
  EXPECT_FALSE(ScratchFolder::make((place_ / "missing").string()));
}

}  // namespace
}  // namespace snag::session
