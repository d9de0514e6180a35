// Which files count as changed when a run is over.
#include "runtime/record/changed_files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "runtime/base/arena.h"
#include "runtime/sched/scheduler_state.h"

namespace snag::rt {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class ChangedFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/snag-changed-XXXXXX";
    folder_ = mkdtemp(name);
    before_ = fs::current_path();
    fs::current_path(folder_);
    shared_ = reinterpret_cast<Shared*>(map_shared<char>(sizeof(Shared)));
    sched.shared = shared_;
    ignore_changed_files(nullptr, nullptr);
  }
  void TearDown() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
    munmap(shared_, sizeof(Shared));
  }

  static void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }
  // A write that note_file_change announces.
  static void change(const std::string& path, const std::string& text) {
    note_file_change(AT_FDCWD, path.c_str());
    write(path, text);
  }

  // What the run left changed; the next one begins.
  std::vector<std::string> end_run() {
    find_changed_files(shared_);
    ChangedFiles& files = shared_->run.changed_files;
    std::vector<std::string> result = names(files);
    files.count = files.left_out = 0;
    return result;
  }
  std::vector<std::string> names(const ChangedFiles& files) const {
    std::vector<std::string> result;
    for (std::uint32_t i = 0; i < files.count; ++i) {
      result.push_back(std::string(files.files[i].path).substr(folder_.string().size()) + " " +
                       kFileChangeNames[static_cast<int>(files.files[i].change)]);
    }
    return result;
  }
  std::uint64_t counted() const {
    return shared_->live.uncontrolled[static_cast<int>(Uncontrolled::kChangedFiles)];
  }

  fs::path folder_, before_;
  Shared* shared_ = nullptr;
};

TEST_F(ChangedFilesTest, AreThoseThatDifferAfterTheRun) {
  write("old", "1");
  write("gone", "1");
  write("same", "1");
  change("old", "12");
  change("new", "1");
  note_file_change(AT_FDCWD, "gone");
  fs::remove("gone");
  note_file_change(AT_FDCWD, "same");
  change("came and went", "1");
  fs::remove("came and went");
  EXPECT_THAT(end_run(), ElementsAre("/old modified", "/new created", "/gone deleted"));
  EXPECT_EQ(counted(), 1u);
  EXPECT_THAT(end_run(), IsEmpty());
  EXPECT_EQ(counted(), 1u);
}

TEST_F(ChangedFilesTest, OfAllRunsAreKnownOnce) {
  change("a", "1");
  end_run();
  change("a", "12");
  change("b", "1");
  EXPECT_THAT(end_run(), ElementsAre("/a modified", "/b created"));
  EXPECT_THAT(names(shared_->changed_files), ElementsAre("/a created", "/b created"));
}

TEST_F(ChangedFilesTest, ThatALaterRunUsesAreMarked) {
  note_file_use(AT_FDCWD, "a");
  change("a", "1");
  change("b", "1");
  shared_->run.number = 4;
  end_run();
  EXPECT_EQ(shared_->changed_files.files[0].used_by, 0u);  // its own change
  shared_->run.number = 5;
  note_file_use(AT_FDCWD, "./a");
  note_file_use(AT_FDCWD, "other");
  change("b", "12");
  note_file_use(AT_FDCWD, "b");
  end_run();
  EXPECT_EQ(shared_->changed_files.files[0].used_by, 6u);
  EXPECT_EQ(shared_->changed_files.files[1].used_by, 0u);
}

TEST_F(ChangedFilesTest, HaveOneNameHoweverTheyAreCalled) {
  fs::create_directory("sub");
  const int sub = open("sub", O_RDONLY | O_DIRECTORY);
  note_file_change(AT_FDCWD, "sub/file");
  note_file_change(AT_FDCWD, ".//sub/./file");
  note_file_change(sub, "file");
  note_file_change(AT_FDCWD, (folder_ / "sub/file").c_str());
  EXPECT_EQ(shared_->run.changed_files.count, 1u);
  write("sub/file", "1");
  EXPECT_THAT(end_run(), ElementsAre("/sub/file created"));
  close(sub);
}

TEST_F(ChangedFilesTest, AreNotThoseThatArePutBackOrAreNoFiles) {
  ignore_changed_files((folder_ / "covered").c_str(), nullptr);
  fs::create_directory("covered");
  change("covered/file", "1");
  change("covered file", "1");
  note_file_change(AT_FDCWD, "/dev/null");
  note_file_change(AT_FDCWD, "/proc/self/comm");
  note_file_change(AT_FDCWD, nullptr);
  note_file_change(AT_FDCWD, "");
  EXPECT_THAT(end_run(), ElementsAre("/covered file created"));
}

TEST_F(ChangedFilesTest, AreWhereLinksLead) {
  ignore_changed_files((folder_ / "covered").c_str(), nullptr);
  fs::create_directory("covered");
  fs::create_directory("outside");
  write("outside/old", "1");
  fs::create_symlink("../outside/old", "covered/link");
  fs::create_symlink(folder_ / "outside", "covered/folder");
  fs::create_symlink("folder/new", "covered/dangling");
  fs::create_symlink("covered", "into");
  fs::create_symlink("loop", "loop");
  change("covered/link", "12");
  change("covered/dangling", "1");
  change("covered/folder/another", "1");
  change("covered/../up", "1");
  change("into/kept", "1");
  note_file_change(AT_FDCWD, "loop");
  EXPECT_THAT(end_run(), ElementsAre("/outside/old modified", "/outside/new created",
                                     "/outside/another created", "/up created"));
}

TEST_F(ChangedFilesTest, AreTheLinksWhereACallDoesNotFollowThem) {
  write("target", "1");
  fs::create_symlink("target", "link");
  note_file_change(AT_FDCWD, "link", false);
  fs::remove("link");
  EXPECT_THAT(end_run(), ElementsAre("/link deleted"));
  EXPECT_TRUE(fs::exists("target"));
}

TEST_F(ChangedFilesTest, ThatAreNewAreCreated) {
  write("new", "1");
  note_new_file("new");
  EXPECT_THAT(end_run(), ElementsAre("/new created"));
}

TEST_F(ChangedFilesTest, BeyondTheTableAreCountedButNotThoseThatCameAndWent) {
  for (std::uint32_t i = 0; i < 3 * kMaxChangedFiles; ++i) {
    const std::string name = std::to_string(i);
    change(name, "1");
    fs::remove(name);
  }
  EXPECT_EQ(shared_->run.changed_files.left_out, 0u);
  EXPECT_THAT(end_run(), IsEmpty());
  for (std::uint32_t i = 0; i < kMaxChangedFiles + 5; ++i) change(std::to_string(i), "1");
  change(std::string(2 * kChangedPath, 'x'), "1");
  end_run();
  EXPECT_EQ(shared_->changed_files.left_out, 6u);
}

}  // namespace
}  // namespace snag::rt
