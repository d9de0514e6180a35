#include "tool/gen/build/config_file.h"

#include <gmock/gmock.h>

namespace snag::gen {
namespace {

using testing::ElementsAre;

TEST(ConfigFile, SaysWhatTheOptionsSay) {
  GenTarget options;
  options.flags = {"-O2"};
  const auto read = parse_config(R"(
class = "ns::Pool"
header = ["pool.h", "<memory>"]
flags = ["-std=c++20"]
factory = "make_pool"
include = ["get*"]
exclude = ["wait"]
[arg-pool]
int = [1, -2]
"resize.n" = [true, 1.5, 'std::string("x")']
)",
                                 "x.toml", options);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(options.class_name, "ns::Pool");
  EXPECT_THAT(options.headers, ElementsAre("pool.h", "<memory>"));
  EXPECT_THAT(options.flags, ElementsAre("-std=c++20", "-O2"));  // the command line's come last
  EXPECT_THAT(options.factories, ElementsAre("make_pool"));
  EXPECT_THAT(options.include, ElementsAre("get*"));
  EXPECT_THAT(options.exclude, ElementsAre("wait"));
  ASSERT_EQ(options.pools.size(), 2u);
  EXPECT_THAT(options.pools[0].values, ElementsAre("1", "-2"));
  EXPECT_EQ(options.pools[1].target, "resize.n");
  EXPECT_THAT(options.pools[1].values, ElementsAre("true", "1.5", "std::string(\"x\")"));
}

TEST(ConfigFile, TheCommandLinesClassStays) {
  GenTarget options;
  options.class_name = "mine";
  ASSERT_TRUE(parse_config("class = \"other\"", "x.toml", options));
  EXPECT_EQ(options.class_name, "mine");
}

TEST(ConfigFile, MistakesNameTheLine) {
  GenTarget options;
  for (const auto& [text, message] : {
           std::pair("\nclas = \"x\"", "'x.toml', line 2: there is no 'clas'"),
           std::pair("class = 3", "'x.toml', line 1: 'class' must be a string"),
           std::pair("class = [\"a\", \"b\"]", "'class' must be one string"),
           std::pair("header = [1]", "'header' must be a string, or a list of them"),
           std::pair("arg-pool = 1", "must be a table"),
           std::pair("[arg-pool]\nint = []", "line 2: 'int' needs a list"),
           std::pair("[arg-pool]\nint = [[1]]", "values of [arg-pool] are"),
           std::pair("class =", "'x.toml', line 1:"),
       }) {
    const auto read = parse_config(text, "x.toml", options);
    ASSERT_FALSE(read) << text;
    EXPECT_THAT(read.error().message, testing::HasSubstr(message));
  }
}

TEST(ArgPool, IsATypeAndValues) {
  const auto pool = parse_arg_pool("std::pair<int, int> ={1, 2},std::pair(3, 4)");
  ASSERT_TRUE(pool);
  EXPECT_EQ(pool->target, "std::pair<int, int>");
  EXPECT_THAT(pool->values, ElementsAre("{1, 2}", "std::pair(3, 4)"));
  for (const char* bad : {"", "int", "=1", "int=", "int=1,,2"})
    EXPECT_FALSE(parse_arg_pool(bad)) << bad;
}

}  // namespace
}  // namespace snag::gen
