#include "tool/gen/build/compile_input.h"

#include <gmock/gmock.h>

namespace snag::gen {
namespace {

using testing::ElementsAre;

TEST(CompileInput, IncludesAreFoundInAllShapes) {
  EXPECT_THAT(included_headers("#include <vector>\n  # include \"a/b.h\" // why\n//#include <no>\n"
                               "#define X\nint include;\n#include NAME\n"),
              ElementsAre("<vector>", "\"a/b.h\""));
}

TEST(CompileInput, OutputsAreLeftOut) {
  EXPECT_THAT(
      without_outputs({"-O2", "-c", "-o", "x.o", "-MD", "-MF", "x.d", "-Iinc", "a.cc", "-lm"}),
      ElementsAre("-O2", "-Iinc", "a.cc", "-lm"));
}

TEST(CompileInput, TheDatabaseIsAskedByAnyEndOfThePath) {
  const char* json = R"([
    {"directory": "/p/build", "file": "../src/other.cc", "command": "g++ -DOTHER -c ../src/other.cc"},
    {"directory": "/p/build", "file": "../src/a.cc", "command": "g++ -DX='a b' -o a.o -c ../src/a.cc"},
    {"directory": "/p/build", "file": "/p/src/b.cc", "arguments": ["g++", "-DB", "-c", "/p/src/b.cc"]}
  ])";
  const auto a = find_compile_command(json, "src/a.cc");
  ASSERT_TRUE(a) << a.error().message;
  EXPECT_THAT(a->flags, ElementsAre("-DX=a b", "-iquote", "/p/src"));
  EXPECT_EQ(a->directory, "/p/build");
  EXPECT_THAT(a->headers, ElementsAre("/p/src/a.cc"));
  const auto b = find_compile_command(json, "/p/src/b.cc");
  ASSERT_TRUE(b) << b.error().message;
  EXPECT_THAT(b->flags, ElementsAre("-DB", "-iquote", "/p/src"));
}

TEST(CompileInput, BadDatabasesAreErrors) {
  EXPECT_FALSE(find_compile_command("[]", "a.cc"));
  EXPECT_FALSE(find_compile_command("[{}]", "a.cc"));
  EXPECT_FALSE(find_compile_command("{", "a.cc"));
  EXPECT_FALSE(find_compile_command("[{\"directory\": 1, \"file\": 2}]", "a.cc"));
}

}  // namespace
}  // namespace snag::gen
