#include "tool/toolchain/group_plugin.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace snag::toolchain {
namespace {

namespace fs = std::filesystem;

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

// An installation with a plugin for g++ 12, and compilers that are links to it as Debian has them.
class GroupPluginFlags : public testing::Test {
 protected:
  GroupPluginFlags() {
    fs::create_directories(resources().library_dir());
    fs::create_directories(folder_ / "bin");
    std::ofstream(plugin()) << "plugin";
    const fs::path compiler = folder_ / "bin" / "x86_64-linux-gnu-g++-12";
    std::ofstream(compiler) << "#!/bin/sh\n";
    fs::permissions(compiler, fs::perms::owner_all);
    for (const char* name : {"g++", "c++"}) fs::create_symlink(compiler, folder_ / "bin" / name);
  }
  ~GroupPluginFlags() override { fs::remove_all(folder_); }

  Resources resources() const { return Resources{folder_.string()}; }
  std::string plugin() const { return resources().library_dir() + "/groups-gcc-12.so"; }
  std::vector<std::string> flags(const char* name) const {
    return group_plugin_flags({{(folder_ / "bin" / name).string()}, CompilerKind::kGcc},
                              resources());
  }

 private:
  const fs::path folder_ = fs::path(testing::TempDir()) / ("plugin" + std::to_string(getpid()));
};

TEST_F(GroupPluginFlags, AreForTheFileThatACommandLeadsTo) {
  EXPECT_THAT(flags("g++"), testing::ElementsAre("-fplugin=" + plugin()));
  EXPECT_THAT(flags("c++"), testing::ElementsAre("-fplugin=" + plugin()));
  EXPECT_THAT(flags("gcc"), testing::IsEmpty());
}

TEST_F(GroupPluginFlags, AreLeftOutIfTheUserSaysSo) {
  setenv("SNAG_PLUGIN", "0", 1);
  EXPECT_THAT(flags("g++"), testing::IsEmpty());
  unsetenv("SNAG_PLUGIN");
}

TEST(GroupPlugin, NoneIsFoundWhereThereIsNone) {
  const Compiler compiler{{"ccache", "g++"}, CompilerKind::kGcc};
  EXPECT_TRUE(group_plugin_flags(compiler, Resources{"/nowhere"}).empty());
}

}  // namespace
}  // namespace snag::toolchain
