// Looks up addresses of a small program that is compiled here, by each compiler there is, in
// several ways.
#include "tool/binary/symbolizer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tool/base/text.h"
#include "tool/binary/program_check.h"

namespace snag::binary {
namespace {

// Prints the offset of the return address of each call of `mark` from the load bias. Each caller
// has something to do after the call, so that it is not a jump.
constexpr const char* kSource = R"(#include <cstdio>
extern "C" char __executable_start;
volatile int sink;
__attribute__((noinline)) void mark() {
  std::printf("%lx\n", (unsigned long)__builtin_return_address(0) - (PIE ? (unsigned long)&__executable_start : 0));
}
namespace shop {
template <class T>
struct Queue {
  __attribute__((noinline)) T pop(T x) {
    mark();                                   // line 11
    return sink + x;
  }
};
inline __attribute__((always_inline)) int inner(int x) {
  mark();                                     // line 16
  return sink * x;
}
__attribute__((noinline)) int outer(int x) {
  return inner(x) + 1;                        // line 20
}
}  // namespace shop
int main() {
  auto lambda = [](int x) __attribute__((noinline)) {
    mark();                                   // line 25
    return sink + x;
  };
  return shop::Queue<int>().pop(1) + shop::outer(2) + lambda(3) == 0;
}
)";

class Compiled : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    char name[] = "/tmp/snag-symbolizer-XXXXXX";
    folder_ = mkdtemp(name);
    std::ofstream(folder_ / "shop.cc") << kSource;
    program_ = folder_ / "shop";
    const std::string compiler = GetParam().substr(0, GetParam().find(' '));
    if (std::system(fmt::format("command -v {} >/dev/null", compiler).c_str()) != 0)
      GTEST_SKIP() << "no " << compiler;
    const int pie = GetParam().find("-no-pie") == std::string::npos;
    const std::string command = fmt::format("{} -DPIE={} {} -o {}", GetParam(), pie,
                                            (folder_ / "shop.cc").string(), program_);
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    FILE* pipe = popen(program_.c_str(), "r");
    for (unsigned long offset = 0; std::fscanf(pipe, "%lx", &offset) == 1;)
      offsets_.push_back(offset);
    pclose(pipe);
    ASSERT_EQ(offsets_.size(), 3u);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Frames lookup(std::size_t call) {
    constexpr std::uint64_t kBase = 0x555500000000;  // as if it were loaded there
    const ModuleMap modules({{kBase, kBase, kBase + 0x1000000, program_}});
    return symbolizer_.lookup(modules, kBase + offsets_[call]);
  }

  std::filesystem::path folder_;
  std::string program_;
  std::vector<std::uint64_t> offsets_;
  Symbolizer symbolizer_;
};

TEST_P(Compiled, MembersOfTemplates) {
  const Frames frames = lookup(0);
  ASSERT_FALSE(frames.empty());
  EXPECT_EQ(frames[0].function, "shop::Queue::pop");
  EXPECT_EQ(base_name(frames[0].file), "shop.cc");
  EXPECT_EQ(frames[0].line, 11);
  EXPECT_EQ(frames[0].function_line, 10);
  EXPECT_GT(frames[0].column, 0);
}

TEST_P(Compiled, InlinedFunctions) {
  const Frames frames = lookup(1);
  ASSERT_GE(frames.size(), 2u);
  EXPECT_EQ(frames[0].function, "shop::inner");
  EXPECT_EQ(frames[0].line, 16);
  EXPECT_EQ(frames[0].function_line, 15);
  EXPECT_EQ(frames[1].function, "shop::outer");
  EXPECT_EQ(frames[1].line, 20);
  EXPECT_EQ(frames[1].function_line, 19);
}

TEST_P(Compiled, Lambdas) {
  const Frames frames = lookup(2);
  ASSERT_FALSE(frames.empty());
  EXPECT_THAT(frames[0].function, testing::HasSubstr("main"));
  EXPECT_THAT(frames[0].function, testing::EndsWith("operator()"));
  EXPECT_EQ(frames[0].line, 25);
  EXPECT_GT(frames[0].function_line, 0);
}

TEST_P(Compiled, WithoutDebugInformationTheSymbolRemains) {
  ASSERT_EQ(std::system(fmt::format("strip --strip-debug {}", program_).c_str()), 0);
  const Frames frames = lookup(0);
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_THAT(frames[0].function, testing::StartsWith("shop::Queue::pop+0x"));
  EXPECT_EQ(frames[0].file, "");
}

TEST_P(Compiled, IsNotAProgramOfOurs) {
  const auto checked = check_program(program_);
  ASSERT_FALSE(checked.has_value());
  EXPECT_THAT(checked.error().message, testing::HasSubstr("was not built with Snag"));
}

INSTANTIATE_TEST_SUITE_P(Compilers, Compiled,
                         testing::Values("g++ -g -O0", "g++ -gdwarf-4 -O2", "g++ -g -O2 -no-pie",
                                         "clang++-19 -g -O0", "clang++-19 -gdwarf-4 -O2",
                                         "clang++-19 -g -O2 -gdwarf-aranges"));

TEST(Symbolizer, AddressInNoModuleHasNoFrames) {
  Symbolizer symbolizer;
  EXPECT_TRUE(symbolizer.lookup(ModuleMap{}, 0x1234).empty());
}

TEST(Symbolizer, FileThatIsGoneGivesAnOffset) {
  Symbolizer symbolizer;
  const ModuleMap modules({{0, 0, 0x1000, "/no/such/lib.so"}});
  const Frames& frames = symbolizer.lookup(modules, 0x101);
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].function, "lib.so+0x100");
}

TEST(DisplayFrame, SkipsTheStandardLibrary) {
  const Frames frames = {
      {"__gthread_mutex_lock", "/usr/include/c++/12/bits/gthr-default.h", 749, 1, 1},
      {"std::mutex::lock", "/usr/include/c++/12/bits/std_mutex.h", 100, 1, 1},
      {"Queue::pop", "queue.cc", 41, 5, 38}};
  EXPECT_EQ(display_frame(frames)->function, "Queue::pop");
  EXPECT_EQ(display_frame(Frames(frames.begin(), frames.begin() + 2))->function,
            "__gthread_mutex_lock");
  EXPECT_EQ(display_frame({}), nullptr);
}

TEST(UserFrame, LeavesOutHeadersOfTheCompilerAndOfSnag) {
  const auto in_file = [](const char* file) {
    Frame frame;
    frame.file = file;
    return is_user_frame(frame);
  };
  EXPECT_TRUE(in_file("/home/me/include/queue.h"));
  EXPECT_FALSE(in_file("/usr/include/c++/12/mutex"));
  EXPECT_FALSE(in_file("/opt/snag/include/snag/schedule.h"));
}

}  // namespace
}  // namespace snag::binary
