#include "tool/gen/session/result_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>
#include <vector>

namespace snag::gen {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string text_of(const fs::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class ResultFilesTest : public ::testing::Test {
 protected:
  ResultFilesTest() {
    std::string path = (fs::temp_directory_path() / "result_files_test-XXXXXX").string();
    folder_ = mkdtemp(path.data());
  }
  ~ResultFilesTest() override { fs::remove_all(folder_); }

  std::string in_folder(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

TEST_F(ResultFilesTest, NothingIsReplaced) {
  const std::string path = in_folder("file");
  ASSERT_TRUE(write_new_file(path, "first"));
  const auto again = write_new_file(path, "second");
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().message, HasSubstr("cannot write"));
  EXPECT_EQ(text_of(path), "first");
}

TEST_F(ResultFilesTest, TestsGetTheFirstNumberThatIsFree) {
  const std::string stem = in_folder("Queue-data-race");
  EXPECT_EQ(write_numbered_test(stem, "a").value(), stem + "-1");
  ASSERT_TRUE(write_new_file(stem + "-2_test.cc", "somebody's"));
  EXPECT_EQ(write_numbered_test(stem, "b").value(), stem + "-3");
  EXPECT_EQ(text_of(stem + "-1.test"), "a");
  EXPECT_EQ(text_of(stem + "-3.test"), "b");
}

TEST_F(ResultFilesTest, SessionsAtTheSameTimeGetDifferentNames) {
  constexpr int kThreads = 4, kFiles = 25;
  std::vector<std::vector<std::string>> names(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      for (int n = 0; n < kFiles; ++n)
        names[i].push_back(write_numbered_test(in_folder("X"), std::to_string(i)).value());
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::string> different;
  for (int i = 0; i < kThreads; ++i) {
    for (const std::string& name : names[i]) {
      different.insert(name);
      EXPECT_EQ(text_of(name + ".test"), std::to_string(i));
    }
  }
  EXPECT_EQ(different.size(), std::size_t{kThreads * kFiles});
}

TEST_F(ResultFilesTest, FolderThatCannotBeUsedIsRefused) {
  ASSERT_TRUE(write_new_file(in_folder("file"), ""));
  for (const std::string& path : {in_folder("file"), in_folder("file/below"),
                                  std::string("/proc/xx"), std::string("/proc/self")}) {
    const auto made = ResultFolder::make(path);
    ASSERT_FALSE(made) << path;
    EXPECT_EQ(made.error().kind, ErrorKind::kUsage);
    EXPECT_THAT(made.error().message, HasSubstr(path));
  }
}

TEST_F(ResultFilesTest, FolderIsMadeAndRemovedIfNothingCameOfIt) {
  {
    const auto made = ResultFolder::make(in_folder("a/b"));
    ASSERT_TRUE(made);
    EXPECT_TRUE(fs::is_empty(in_folder("a/b")));
  }
  EXPECT_FALSE(fs::exists(in_folder("a/b")));
  {
    const auto made = ResultFolder::make(in_folder("c"));
    ASSERT_TRUE(write_new_file(in_folder("c/file"), "text"));
  }
  EXPECT_EQ(text_of(in_folder("c/file")), "text");
}

TEST_F(ResultFilesTest, FolderThatWasThereStays) {
  fs::create_directory(in_folder("a"));
  { const auto made = ResultFolder::make(in_folder("a")); }
  EXPECT_TRUE(fs::exists(in_folder("a")));
}

TEST(NamelessFileTest, CanBeReadByItsPath) {
  const auto file = NamelessFile::make("text");
  ASSERT_TRUE(file);
  EXPECT_EQ(text_of(file->path()), "text");
}

}  // namespace
}  // namespace snag::gen
