#include "tool/toolchain/compiler_args.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace snag::toolchain {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Words = std::vector<std::string>;

CompilerAction action(const Words& args) { return parse_compiler_args(args).action; }

Words inputs(const Words& args, ArgRole role) {
  Words result;
  for (const CompilerArg& arg : parse_compiler_args(args).args) {
    if (arg.role == role) result.push_back(arg.words.back());
  }
  return result;
}

TEST(CompilerArgs, QueriesDoNotBuild) {
  EXPECT_EQ(action({}), CompilerAction::kQuery);
  EXPECT_EQ(action({"--version"}), CompilerAction::kQuery);
  EXPECT_EQ(action({"-v"}), CompilerAction::kQuery);
  EXPECT_EQ(action({"-dumpmachine"}), CompilerAction::kQuery);
  EXPECT_EQ(action({"-print-file-name=libc.so"}), CompilerAction::kQuery);
  EXPECT_EQ(action({"--help=params", "-Q"}), CompilerAction::kQuery);
  EXPECT_EQ(action({"-Wl,--version"}), CompilerAction::kQuery);
}

TEST(CompilerArgs, StopsBeforeLinking) {
  EXPECT_EQ(action({"-c", "a.cc"}), CompilerAction::kCompile);
  EXPECT_EQ(action({"a.cc", "b.cc", "-c"}), CompilerAction::kCompile);
  EXPECT_EQ(action({"-S", "a.cc"}), CompilerAction::kCompile);
  EXPECT_EQ(action({"-E", "-dM", "-x", "c++", "/dev/null"}), CompilerAction::kCompile);
  EXPECT_EQ(action({"-M", "a.cc"}), CompilerAction::kCompile);
  EXPECT_EQ(action({"-MM", "a.cc"}), CompilerAction::kCompile);
  EXPECT_EQ(action({"-fsyntax-only", "a.cc"}), CompilerAction::kCompile);
  EXPECT_EQ(action({"-###", "a.cc"}), CompilerAction::kCompile);
}

TEST(CompilerArgs, PrecompiledHeaderIsNotLinked) {
  EXPECT_EQ(action({"all.h", "-o", "all.h.gch"}), CompilerAction::kCompile);
  EXPECT_EQ(action({"-x", "c++-header", "all", "-o", "all.gch"}), CompilerAction::kCompile);
}

TEST(CompilerArgs, Links) {
  EXPECT_EQ(action({"a.cc"}), CompilerAction::kLink);
  EXPECT_EQ(action({"a.o", "-o", "a"}), CompilerAction::kLink);
  EXPECT_EQ(action({"-xc++", "-"}), CompilerAction::kLink);
  EXPECT_EQ(action({"-MD", "a.cc"}), CompilerAction::kLink);
  EXPECT_EQ(action({"-lmain_in_archive"}), CompilerAction::kLink);
  EXPECT_EQ(action({"-v", "a.o"}), CompilerAction::kLink);
}

TEST(CompilerArgs, SeparateArgumentsAreNoInputs) {
  Words args = {"-I",       "x.cc", "-o",     "y.cc", "-include", "z.cc", "-MF",     "d.cc",
                "-Xlinker", "l.o",  "-mllvm", "-opt", "-D",       "m.cc", "real.cc", "lib.a"};
  EXPECT_THAT(inputs(args, ArgRole::kSource), ElementsAre("real.cc"));
  EXPECT_THAT(inputs(args, ArgRole::kLinkInput), ElementsAre("lib.a"));
  EXPECT_EQ(parse_compiler_args(args).output, "y.cc");
}

TEST(CompilerArgs, JoinedArgumentsStandAlone) {
  EXPECT_THAT(inputs({"-Ix", "a.cc", "-DX", "b.cc", "-L.", "c.cc"}, ArgRole::kSource),
              ElementsAre("a.cc", "b.cc", "c.cc"));
  EXPECT_THAT(inputs({"", "a.cc"}, ArgRole::kSource), ElementsAre("a.cc"));
}

TEST(CompilerArgs, SuffixTellsSourcesFromLinkInputs) {
  Words args = {"a.c", "b.cpp", "c.C", "d.s", "e.S", "f.o", "g.so.1", "h.a", "dir.cc/noext", "k"};
  EXPECT_THAT(inputs(args, ArgRole::kSource), ElementsAre("a.c", "b.cpp", "c.C", "d.s", "e.S"));
  EXPECT_THAT(inputs(args, ArgRole::kLinkInput),
              ElementsAre("f.o", "g.so.1", "h.a", "dir.cc/noext", "k"));
}

TEST(CompilerArgs, LanguageHoldsUntilNone) {
  auto parsed = parse_compiler_args({"a.cc", "-x", "c", "b.txt", "-xnone", "c.o"});
  EXPECT_EQ(parsed.count(ArgRole::kSource), 2);
  EXPECT_EQ(parsed.args[0].language, "");
  EXPECT_EQ(parsed.args[2].language, "c");
  EXPECT_EQ(parsed.args[4].role, ArgRole::kLinkInput);
}

TEST(CompilerArgs, LastWordOnSanitizersCounts) {
  EXPECT_THAT(
      parse_compiler_args({"-fsanitize=address,undefined", "-fno-sanitize=address"}).sanitizers,
      ElementsAre("undefined"));
  EXPECT_THAT(parse_compiler_args({"-fsanitize=thread", "-fno-sanitize=all"}).sanitizers,
              IsEmpty());
  EXPECT_THAT(parse_compiler_args({"-fno-sanitize=thread", "-fsanitize=thread"}).sanitizers,
              ElementsAre("thread"));
}

TEST(CompilerArgs, LinkerModes) {
  EXPECT_TRUE(parse_compiler_args({"-shared", "a.o"}).shared);
  EXPECT_TRUE(parse_compiler_args({"-r", "a.o"}).relocatable);
  EXPECT_FALSE(parse_compiler_args({"-rdynamic", "a.o"}).relocatable);
  EXPECT_TRUE(parse_compiler_args({"-fuse-ld=gold", "a.o"}).gold);
  EXPECT_EQ(parse_compiler_args({"-static", "a.o"}).static_option, "-static");
  EXPECT_EQ(parse_compiler_args({"-static-pie", "a.o"}).static_option, "-static-pie");
  EXPECT_EQ(parse_compiler_args({"-static-libgcc", "-static-libstdc++", "a.o"}).static_option, "");
}

TEST(ResponseFile, SplitsLikeGcc) {
  EXPECT_THAT(split_response_file(" a\tb\n\nc "), ElementsAre("a", "b", "c"));
  EXPECT_THAT(split_response_file("'a b' \"c d\"e f\\ g"), ElementsAre("a b", "c de", "f g"));
  EXPECT_THAT(split_response_file("-DX=\\\"y\\\" '' \"it's\""),
              ElementsAre("-DX=\"y\"", "", "it's"));
  EXPECT_THAT(split_response_file(""), IsEmpty());
}

TEST(ResponseFile, ExpandsNestedFilesAndKeepsMissingOnes) {
  std::map<std::string, std::string> files = {
      {"one", "-c @two"}, {"two", "a.cc"}, {"self", "@self"}};
  FileReader read = [&](const std::string& path) -> std::optional<std::string> {
    auto file = files.find(path);
    if (file == files.end()) return std::nullopt;
    return file->second;
  };
  EXPECT_THAT(expand_response_files({"@one", "@missing", "@"}, read),
              ElementsAre("-c", "a.cc", "@missing", "@"));
  EXPECT_THAT(expand_response_files({"@self"}, read), ElementsAre("@self"));
}

TEST(ResponseFile, QuotingReadsBack) {
  for (std::string arg :
       {"plain", "with space", "quo\"te", "it's", "back\\slash", "$HOME `x`", "", "#x"}) {
    EXPECT_THAT(split_response_file(quote_argument(arg)), ElementsAre(arg));
  }
  EXPECT_EQ(quote_argument("-Wl,--wrap=memcpy"), "-Wl,--wrap=memcpy");
}

}  // namespace
}  // namespace snag::toolchain
