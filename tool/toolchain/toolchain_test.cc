#include "tool/toolchain/toolchain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace snag::toolchain {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using Words = std::vector<std::string>;

const Resources kResources{"/p"};
const Compiler kGcc{{"g++"}, CompilerKind::kGcc};
const Compiler kClang{{"ccache", "clang++"}, CompilerKind::kClang};
const std::string kRuntime = "/p/lib/snag/libsnag_runtime.a";

BuildPlan plan(const Compiler& compiler, const Words& args) {
  auto result = plan_build(compiler, args, kResources, "/scratch");
  EXPECT_TRUE(result.has_value()) << result.error();
  return result.value_or(BuildPlan{});
}

std::string refusal(const Words& args) {
  auto result = plan_build(kGcc, args, kResources, "/scratch");
  return result ? "" : result.error();
}

std::ptrdiff_t position(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) - words.begin();
}

TEST(Toolchain, NamesTellTheKind) {
  EXPECT_EQ(kind_from_name({"g++"}), CompilerKind::kGcc);
  EXPECT_EQ(kind_from_name({"/usr/bin/x86_64-linux-gnu-gcc-12"}), CompilerKind::kGcc);
  EXPECT_EQ(kind_from_name({"clang++-19"}), CompilerKind::kClang);
  EXPECT_EQ(kind_from_name({"ccache", "/opt/bin/clang"}), CompilerKind::kClang);
  EXPECT_EQ(kind_from_name({"ccache", "g++", "-m64"}), CompilerKind::kGcc);
  EXPECT_EQ(kind_from_name({"c++"}), std::nullopt);
  EXPECT_EQ(kind_from_name({"/opt/gcc/bin/cc"}), std::nullopt);
}

TEST(Toolchain, QueryIsPassedThrough) {
  EXPECT_THAT(plan(kGcc, {"--version"}).commands, ElementsAre(ElementsAre("g++", "--version")));
  EXPECT_THAT(plan(kClang, {"-v"}).commands, ElementsAre(ElementsAre("ccache", "clang++", "-v")));
  EXPECT_THAT(plan(kGcc, {"-flto", "-v"}).commands, ElementsAre(ElementsAre("g++", "-flto", "-v")));
}

TEST(Toolchain, CompileIsInstrumentedBeforeTheUsersFlags) {
  for (const Compiler& compiler : {kGcc, kClang}) {
    BuildPlan result = plan(compiler, {"-g0", "-c", "a.cc", "-o", "a.o"});
    ASSERT_THAT(result.commands, SizeIs(1));
    const Words& command = result.commands[0];
    EXPECT_THAT(command, AllOf(Contains("-fsanitize=thread"), Contains("-D__SNAG__=1"),
                               Contains("/p/include")));
    EXPECT_THAT(command, Not(Contains(kRuntime)));
    EXPECT_LT(position(command, "-g"), position(command, "-g0"));
    EXPECT_FALSE(result.links_runtime);
    EXPECT_FALSE(result.uses_scratch);
  }
}

TEST(Toolchain, PreprocessingSeesWhatCompilingSees) {
  Words compile = plan(kGcc, {"-c", "a.cc"}).commands[0];
  Words preprocess = plan(kGcc, {"-E", "a.cc"}).commands[0];
  compile[static_cast<std::size_t>(position(compile, "-c"))] = "-E";
  EXPECT_EQ(preprocess, compile);
}

TEST(Toolchain, LinkTakesTheRuntimeButNotTheFlag) {
  for (const Compiler& compiler : {kGcc, kClang}) {
    BuildPlan result = plan(compiler, {"a.o", "-o", "a", "-lz"});
    ASSERT_THAT(result.commands, SizeIs(1));
    const Words& command = result.commands[0];
    EXPECT_THAT(command, AllOf(Contains(kRuntime), Not(Contains("-fsanitize=thread"))));
    EXPECT_THAT(command, Contains("--dynamic-list=/p/lib/snag/exports.list"));
    EXPECT_LT(position(command, "-lz"), position(command, kRuntime));
    EXPECT_TRUE(result.links_runtime);
  }
}

TEST(Toolchain, GccCompilesAndLinksInTwoSteps) {
  BuildPlan result = plan(
      kGcc, {"-O2", "x/a.cc", "b.o", "-x", "c", "c.txt", "-MD", "-MF", "d", "-o", "out", "-lz"});
  ASSERT_THAT(result.commands, SizeIs(3));
  const Words& first = result.commands[0];
  EXPECT_EQ((Words(first.end() - 4, first.end())), (Words{"-c", "-o", "/scratch/0-a.o", "x/a.cc"}));
  EXPECT_THAT(first, AllOf(Contains("-fsanitize=thread"), Contains("-O2"), Contains("-MF")));
  EXPECT_THAT(first, AllOf(Not(Contains("b.o")), Not(Contains("-lz")), Not(Contains("out")),
                           Not(Contains("-x"))));
  const Words& second = result.commands[1];
  EXPECT_EQ((Words(second.end() - 5, second.end())),
            (Words{"-o", "/scratch/1-c.o", "-x", "c", "c.txt"}));

  Words begin = {"g++", "-L/p/lib/snag/instrumented",
                 "-O2", "/scratch/0-a.o",
                 "b.o", "/scratch/1-c.o",
                 "-o",  "out",
                 "-lz"};
  const Words& link = result.commands[2];
  ASSERT_GT(link.size(), begin.size());
  EXPECT_EQ((Words(link.begin(), link.begin() + static_cast<std::ptrdiff_t>(begin.size()))), begin);
  EXPECT_THAT(link, Contains(kRuntime));
  EXPECT_TRUE(result.uses_scratch);
}

TEST(Toolchain, ClangCompilesAndLinksInOneStep) {
  BuildPlan result = plan(kClang, {"-xc++", "-", "-o", "out"});
  ASSERT_THAT(result.commands, SizeIs(1));
  const Words& command = result.commands[0];
  EXPECT_THAT(command,
              AllOf(Contains("-fsanitize=thread"), Contains("-fno-sanitize-link-runtime")));
  EXPECT_LT(position(command, "none"), position(command, kRuntime));
  EXPECT_FALSE(result.uses_scratch);
}

TEST(Toolchain, ClangWithTheUsersSanitizerNeedsTwoSteps) {
  BuildPlan result = plan(kClang, {"-fsanitize=undefined", "a.cc"});
  ASSERT_THAT(result.commands, SizeIs(2));
  EXPECT_THAT(result.commands[1],
              AllOf(Contains("-fsanitize=undefined"), Not(Contains("-fno-sanitize-link-runtime"))));
}

TEST(Toolchain, SharedLibraryIsInstrumentedWithoutRuntime) {
  for (const Compiler& compiler : {kGcc, kClang}) {
    BuildPlan result = plan(compiler, {"-shared", "-fPIC", "a.cc", "-o", "liba.so"});
    EXPECT_THAT(result.commands.front(), Contains("-fsanitize=thread"));
    EXPECT_THAT(result.commands.back(), Not(Contains(kRuntime)));
    EXPECT_FALSE(result.links_runtime);
  }
  EXPECT_THAT(plan(kGcc, {"-shared", "a.o"}).commands[0],
              AllOf(Contains("-Wl,-z,undefs"), Contains(HasSubstr("--wrap=memcpy"))));
  EXPECT_THAT(plan(kGcc, {"-shared", "a.o", "-fuse-ld=gold"}).commands[0],
              Not(Contains("-Wl,-z,undefs")));
  EXPECT_THAT(plan(kGcc, {"-r", "a.o", "-o", "b.o"}).commands[0], Not(Contains(kRuntime)));
}

TEST(Toolchain, LtoIsTurnedOff) {
  EXPECT_THAT(plan(kGcc, {"-flto=auto", "-fno-fat-lto-objects", "-c", "a.cc"}).commands[0],
              AllOf(Not(Contains("-flto=auto")), Not(Contains("-fno-fat-lto-objects"))));
  EXPECT_THAT(plan(kGcc, {"-flto", "a.o"}).commands[0], Not(Contains("-flto")));
  EXPECT_THAT(plan(kClang, {"-flto=thin", "a.cc"}).commands[0], Not(Contains("-flto=thin")));
}

TEST(Toolchain, FortifiedFunctionsAreTurnedOff) {
  EXPECT_EQ(plan(kGcc, {"-c", "a.cc", "-D_FORTIFY_SOURCE=2"}).commands[0].back(),
            "-U_FORTIFY_SOURCE");
}

TEST(Toolchain, SideFilesGoWhereOneCommandPutsThem) {
  Words command = plan(kGcc, {"-MMD", "--coverage", "dir/a.cc", "-o", "out/prog"}).commands[0];
  auto after = [&](const std::string& word) {
    return command[static_cast<std::size_t>(position(command, word)) + 1];
  };
  EXPECT_EQ(after("-MF"), "out/prog.d");
  EXPECT_EQ(after("-MT"), "out/prog");
  EXPECT_EQ(after("-dumpdir"), "out/prog-");
  EXPECT_EQ(after("-dumpbase"), "a.cc");
  EXPECT_EQ(after("-dumpbase-ext"), ".cc");

  command = plan(kGcc, {"-MD", "dir/a.cc"}).commands[0];
  EXPECT_EQ(after("-MF"), "a.d");
  EXPECT_EQ(after("-MT"), "a.o");
}

TEST(Toolchain, RefusesWhatCannotWork) {
  EXPECT_THAT(refusal({"-fsanitize=thread", "a.cc"}), HasSubstr("leave out -fsanitize=thread"));
  EXPECT_THAT(refusal({"-fsanitize=undefined,address", "-c", "a.cc"}),
              HasSubstr("leave out -fsanitize=address"));
  EXPECT_THAT(refusal({"-fsanitize=memory", "a.cc"}), HasSubstr("memory"));
  EXPECT_THAT(refusal({"-fsanitize=hwaddress", "a.cc"}), HasSubstr("hwaddress"));
  EXPECT_THAT(refusal({"-static", "a.cc"}), HasSubstr("leave out -static:"));
  EXPECT_THAT(refusal({"a.o", "-static-pie"}), HasSubstr("leave out -static-pie:"));
}

TEST(Toolchain, PassesWhatCan) {
  EXPECT_EQ(refusal({"-fsanitize=undefined", "a.cc"}), "");
  EXPECT_EQ(refusal({"-fsanitize=address", "-fno-sanitize=address", "a.cc"}), "");
  EXPECT_EQ(refusal({"-static", "-c", "a.cc"}), "");  // matters only when linking
  EXPECT_EQ(refusal({"-static-libstdc++", "a.cc"}), "");
  EXPECT_EQ(refusal({"-fsanitize=thread", "--version"}), "");
}

}  // namespace
}  // namespace snag::toolchain
