#include "runtime/record/step_values.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cerrno>

namespace snag::rt {
namespace {

class StepValues : public testing::Test {
 protected:
  void SetUp() override { reset_step_values(); }
  void begin(std::uint64_t number, OpKind kind, const void* address, std::uint64_t size) {
    begin_step_value(values_, number, kind, address, size);
  }
  StepValue values_[4] = {{9, 9, 9}, {9, 9, 9}, {9, 9, 9}, {9, 9, 9}};
};

TEST_F(StepValues, OfAWriteAreKnownAtTheNextStep) {
  alignas(8) int words[2] = {1, 5};
  begin(0, OpKind::kWrite, &words[1], 4);
  words[1] = 6;
  begin(1, OpKind::kMutexLock, nullptr, 0);
  words[1] = 7;
  EXPECT_EQ(values_[0].before, 5u);
  EXPECT_EQ(values_[0].after, 6u);
  EXPECT_EQ(values_[0].size, 4);
  EXPECT_EQ(values_[1].size, 0);
}

TEST_F(StepValues, OfAReadAreThoseOfTheStep) {
  std::uint64_t word = 3;
  begin(0, OpKind::kAtomicLoad, &word, 8);
  word = 4;
  end_step_values(0);
  EXPECT_EQ(values_[0].before, 3u);
  EXPECT_EQ(values_[0].after, 3u);
}

TEST_F(StepValues, OfTheLastStepAreKnownAtTheEnd) {
  std::uint8_t byte = 0;
  begin(0, OpKind::kAtomicRmw, &byte, 1);
  byte = 1;
  end_step_values(0);
  EXPECT_EQ(values_[0].before, 0u);
  EXPECT_EQ(values_[0].after, 1u);
}

TEST_F(StepValues, AreUnknownWhereThereIsNoMemory) {
  begin(0, OpKind::kRead, nullptr, 4);
  EXPECT_EQ(values_[0].size, 0);
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  begin(1, OpKind::kWrite, page, 8);
  EXPECT_EQ(values_[1].size, 8);
  munmap(page, 4096);
  begin(2, OpKind::kWrite, page, 8);
  EXPECT_EQ(values_[1].size, 0) << "given back before anybody looked";
  EXPECT_EQ(values_[2].size, 0);
}

TEST_F(StepValues, AreUnknownForTheAccessThatCrashed) {
  int word = 1;
  begin(0, OpKind::kWrite, &word, 4);
  end_step_values(reinterpret_cast<std::uint64_t>(&word) + 2);
  EXPECT_EQ(values_[0].size, 0);
}

TEST_F(StepValues, AreUnknownForWideAccesses) {
  char block[16] = {};
  begin(0, OpKind::kWrite, block, 16);
  EXPECT_EQ(values_[0].size, 0);
}

TEST_F(StepValues, LeaveErrnoAlone) {
  errno = EDOM;
  begin(0, OpKind::kRead, nullptr, 4);
  EXPECT_EQ(errno, EDOM);
}

}  // namespace
}  // namespace snag::rt
