// Copies of folders: all that a program may find there, and whether something has changed.
#include "runtime/server/folder_copy.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace snag::rt {
namespace {

namespace fs = std::filesystem;

class FolderCopyTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/snag-copy-XXXXXX";
    folder_ = mkdtemp(name);
    fs::create_directories(from() / "a" / "b");
    fs::create_directory(to());
    write(from() / "one", "1");
    write(from() / "a" / "b" / "two", std::string(100'000, '2'));
    fs::create_symlink("one", from() / "link");
    mkfifo((from() / "pipe").c_str(), 0640);
    fs::permissions(from() / "one", fs::perms::owner_read | fs::perms::owner_exec);
  }
  void TearDown() override { fs::remove_all(folder_); }

  static void write(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }
  static std::string text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  fs::path from() const { return folder_ / "from"; }
  fs::path to() const { return folder_ / "to"; }
  CopyEnd copy(const char* except = nullptr) const {
    return copy_folder(from().c_str(), to().c_str(), except);
  }
  std::uint64_t state() const { return state_of_folder(to().c_str()); }

  fs::path folder_;
};

TEST_F(FolderCopyTest, HasAllThatWasThere) {
  ASSERT_EQ(copy(), CopyEnd::kDone);
  EXPECT_EQ(text_of(to() / "one"), "1");
  EXPECT_EQ(text_of(to() / "a" / "b" / "two"), std::string(100'000, '2'));
  EXPECT_EQ(fs::read_symlink(to() / "link"), "one");
  EXPECT_TRUE(fs::is_fifo(to() / "pipe"));
  EXPECT_EQ(fs::status(to() / "one").permissions(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(fs::last_write_time(to() / "one"), fs::last_write_time(from() / "one"));
  EXPECT_EQ(fs::last_write_time(to() / "a"), fs::last_write_time(from() / "a"));
}

TEST_F(FolderCopyTest, LeavesOutTheFolderThatItIsIn) {
  fs::create_directories(from() / "scratch" / "folder");
  write(from() / "scratch" / "file", "3");
  ASSERT_EQ(copy((from() / "scratch").c_str()), CopyEnd::kDone);
  EXPECT_FALSE(fs::exists(to() / "scratch"));
  EXPECT_TRUE(fs::exists(to() / "one"));
}

TEST_F(FolderCopyTest, HasALimit) {
  for (std::uint64_t i = 0; i <= kMostCopiedFiles; ++i) write(from() / "a" / std::to_string(i), "");
  EXPECT_EQ(copy(), CopyEnd::kTooBig);
}

TEST_F(FolderCopyTest, TellsWhetherSomethingHasChanged) {
  ASSERT_EQ(copy(), CopyEnd::kDone);
  const std::uint64_t before = state();
  text_of(to() / "one");
  EXPECT_EQ(state(), before);
  std::uint64_t last = before;
  const auto expect_other = [&](const char* what) {
    const std::uint64_t now = state();
    EXPECT_NE(now, last) << what;
    EXPECT_NE(now, before) << what;
    last = now;
  };
  write(to() / "a" / "b" / "two", std::string(100'000, '3'));
  expect_other("other bytes");
  write(to() / "a" / "b" / "two", "");
  expect_other("another size");
  write(to() / "new", "");
  expect_other("a new file");
  fs::remove(to() / "link");
  expect_other("a file less");
  fs::permissions(to() / "one", fs::perms::owner_write);
  expect_other("other permissions");
}

TEST_F(FolderCopyTest, TellsWhoseFilesTheyAre) {
  EXPECT_TRUE(is_owned_by(from().c_str(), getuid(), getgid()));
  EXPECT_FALSE(is_owned_by(from().c_str(), getuid() + 1, getgid()));
  EXPECT_FALSE(is_owned_by((from() / "none").c_str(), getuid(), getgid()));
  if (chown((from() / "a" / "b" / "two").c_str(), getuid() + 1, getgid()) != 0) return;
  EXPECT_FALSE(is_owned_by(from().c_str(), getuid(), getgid()));
}

TEST_F(FolderCopyTest, IsRemovedWithAllThatIsInIt) {
  ASSERT_EQ(copy(), CopyEnd::kDone);
  fs::permissions(to() / "a" / "b", fs::perms::none);
  remove_folder(to().c_str());
  EXPECT_FALSE(fs::exists(to()));
  EXPECT_TRUE(fs::exists(from() / "one"));
  remove_folder(to().c_str());  // not there
}

}  // namespace
}  // namespace snag::rt
