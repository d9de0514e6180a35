#include "tool/binary/program_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "protocol/shared_memory.h"

// This test looks like a program with the runtime of an older Snag.
extern "C" __attribute__((visibility("default"), used)) const std::uint32_t __snag_runtime_version =
    snag::kProtocolId - (1u << snag::kProtocolTableBits);

namespace snag::binary {
namespace {

using testing::HasSubstr;

class ProgramCheck : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/snag-program-XXXXXX";
    folder_ = mkdtemp(name);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& content, mode_t mode = 0700) {
    const std::string path = folder_ / "program";
    std::ofstream(path) << content;
    chmod(path.c_str(), mode);
    return path;
  }
  static std::string problem(const std::string& path) {
    const auto checked = check_program(path);
    if (checked) return "";
    EXPECT_EQ(checked.error().kind, ErrorKind::kNothingRan);
    return checked.error().message;
  }
  std::filesystem::path folder_;
};

TEST_F(ProgramCheck, SaysWhatIsWrong) {
  EXPECT_THAT(problem(folder_ / "none"), HasSubstr("there is no program"));
  EXPECT_THAT(problem(folder_), HasSubstr("is a folder"));
  EXPECT_THAT(problem("/dev/null"), HasSubstr("not a regular file"));
  EXPECT_THAT(problem(file("#!/bin/sh\n")), HasSubstr("is a script"));
  EXPECT_THAT(problem(file("")), HasSubstr("is empty"));
  EXPECT_THAT(problem(file("hello world")), HasSubstr("not an ELF program"));
  EXPECT_THAT(problem(file("\x7f"
                           "ELF and then rubbish")),
              HasSubstr("is damaged"));
  EXPECT_THAT(problem(file("#!/bin/sh\n", 0600)), HasSubstr("not executable"));
  EXPECT_THAT(problem("/bin/true"), HasSubstr("was not built with Snag"));
  EXPECT_THAT(problem("/proc/self/exe"), HasSubstr("was built with an older Snag"));
}

TEST_F(ProgramCheck, CutOffProgramIsAnswered) {
  std::ifstream self("/proc/self/exe", std::ios::binary);
  std::string image(200'000, '\0');
  self.read(image.data(), static_cast<std::streamsize>(image.size()));
  for (const std::size_t size : {20u, 64u, 100u, 5'000u, 150'000u}) {
    EXPECT_NE(problem(file(image.substr(0, size))), "") << size;
  }
}

TEST_F(ProgramCheck, HashFollowsTheContent) {
  const auto first = hash_file(file("one"));
  const auto again = hash_file(file("one"));
  const auto other = hash_file(file("two"));
  ASSERT_TRUE(first && again && other);
  EXPECT_EQ(*first, *again);
  EXPECT_NE(*first, *other);
  EXPECT_FALSE(hash_file(folder_ / "none").has_value());
}

}  // namespace
}  // namespace snag::binary
