#include "tool/session/changed_files.h"

#include <gtest/gtest.h>

namespace snag::session {
namespace {

TEST(FileChanges, AreNamedUpToSome) {
  FileChanges changes;
  EXPECT_FALSE(changes.any());
  changes.files = {{"out.txt", FileChange::kCreated}, {"log", FileChange::kModified}};
  EXPECT_EQ(changes.text(), "out.txt (created), log (modified)");
  changes.files.push_back({"old", FileChange::kDeleted});
  changes.files.push_back({"a", FileChange::kCreated});
  changes.files.push_back({"b", FileChange::kCreated});
  changes.left_out = 7;
  EXPECT_EQ(changes.text(),
            "out.txt (created), log (modified), old (deleted), a (created) and 8 more");
  changes.files.clear();
  EXPECT_EQ(changes.text(), "7 more");
  EXPECT_TRUE(changes.any());
}

TEST(FileChanges, OfSeveralServersAreNamedOnce) {
  FileChanges one, two;
  one.files = {{"a", FileChange::kCreated}};
  two.files = {{"a", FileChange::kCreated}, {"b", FileChange::kDeleted}};
  two.left_out = 1;
  one.add(two);
  EXPECT_EQ(one.text(), "a (created), b (deleted) and 1 more");
}

}  // namespace
}  // namespace snag::session
