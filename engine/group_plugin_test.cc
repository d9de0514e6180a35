#include "engine/group_plugin.h"

#include <gtest/gtest.h>

namespace snag {
namespace {

TEST(GroupPlugin, ThePathOfACompilerTellsItsVersion) {
  const auto gcc = [](const char* path) { return version_from_path(CompilerKind::kGcc, path); };
  const auto clang = [](const char* path) { return version_from_path(CompilerKind::kClang, path); };
  EXPECT_EQ(gcc("/usr/bin/x86_64-linux-gnu-g++-12"), "12");
  EXPECT_EQ(gcc("/usr/bin/gcc-13"), "13");
  EXPECT_EQ(gcc("/opt/gcc-13/bin/x86_64-linux-gnu-gcc-13.2.0"), "13");
  EXPECT_EQ(gcc("/opt/gcc-13/bin/g++"), "");
  EXPECT_EQ(clang("/usr/lib/llvm-19/bin/clang"), "19");
  EXPECT_EQ(clang("/usr/lib/llvm-14/bin/clang++"), "14");
  EXPECT_EQ(clang("/opt/bin/clang++-18"), "18");
  EXPECT_EQ(clang("/opt/bin/clang"), "");
  EXPECT_EQ(clang(""), "");
}

TEST(GroupPlugin, NoneIsFoundWhereThereIsNone) {
  const Compiler compiler{{"ccache", "g++"}, CompilerKind::kGcc};
  EXPECT_TRUE(group_plugin_flags(compiler, Resources{"/nowhere"}).empty());
}

}  // namespace
}  // namespace snag
