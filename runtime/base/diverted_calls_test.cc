#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "arch/arch.h"

namespace snag::rt {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Function = int (*)();

int return_seven() { return 7; }

// A page with a function at its beginning, data behind it, and room for the diversion.
class DivertedCallsTest : public testing::Test {
 protected:
  static constexpr std::size_t kPage = 4096, kData = 256, kRoom = 1024;

  DivertedCallsTest() {
    void* memory = mmap(nullptr, kPage, PROT_READ | PROT_WRITE | PROT_EXEC,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    page_ = static_cast<std::uint8_t*>(memory);
  }
  ~DivertedCallsTest() override { munmap(page_, kPage); }

  Function divert(const Bytes& code) {
    std::copy(code.begin(), code.end(), page_);
    const void* original = Diversion(page_, code.size(), page_ + kRoom)
                               .make(reinterpret_cast<const void*>(&return_seven));
    return reinterpret_cast<Function>(const_cast<void*>(original));
  }
  int call() const { return reinterpret_cast<Function>(page_)(); }

  std::uint8_t* page_ = nullptr;
};

// endbr64; mov $5,%eax; ret
TEST_F(DivertedCallsTest, CallsReplacementAndOriginal) {
  const Function original = divert({0xf3, 0x0f, 0x1e, 0xfa, 0xb8, 5, 0, 0, 0, 0xc3});
  ASSERT_NE(original, nullptr);
  EXPECT_EQ(call(), 7);
  EXPECT_EQ(original(), 5);
}

// mov data(%rip),%eax; ret
TEST_F(DivertedCallsTest, MovesOperandsRelativeToTheInstruction) {
  const std::int32_t value = 42;
  std::memcpy(page_ + kData, &value, sizeof value);
  Bytes code = {0x8b, 0x05, 0, 0, 0, 0, 0xc3};
  const std::int32_t distance = kData - 6;
  std::memcpy(code.data() + 2, &distance, sizeof distance);
  const Function original = divert(code);
  ASSERT_NE(original, nullptr);
  EXPECT_EQ(call(), 7);
  EXPECT_EQ(original(), 42);
}

// jmp to the end; ...; mov $3,%eax; ret
TEST_F(DivertedCallsTest, MovesJumps) {
  const Function original = divert({0xe9, 2, 0, 0, 0, 0x90, 0x90, 0xb8, 3, 0, 0, 0, 0xc3});
  ASSERT_NE(original, nullptr);
  EXPECT_EQ(call(), 7);
  EXPECT_EQ(original(), 3);
}

TEST_F(DivertedCallsTest, DivertsTwice) {
  // push %rbp; mov $9,%eax; pop %rbp; ret
  const Function original = divert({0x55, 0xb8, 9, 0, 0, 0, 0x5d, 0xc3});
  ASSERT_NE(original, nullptr);
  const void* again = Diversion(page_, 8, page_ + kRoom + kDiversionSize)
                          .make(reinterpret_cast<const void*>(original));
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(call(), 9);
  EXPECT_EQ(reinterpret_cast<Function>(const_cast<void*>(again))(), 7);
}

TEST_F(DivertedCallsTest, RefusesAndChangesNothing) {
  const Bytes refused[] = {
      {0xb0, 1, 0xc3},                                         // shorter than the jump
      {0xeb, 0x03, 0x90, 0x90, 0x90, 0xb8, 1, 0, 0, 0, 0xc3},  // a short jump
      {0x90, 0x90, 0x90, 0xff, 0xc8, 0x75, 0xfc, 0xc3},        // jumps back into what would move
  };
  for (const Bytes& code : refused) {
    EXPECT_EQ(divert(code), nullptr);
    EXPECT_TRUE(std::equal(code.begin(), code.end(), page_));
  }
}

}  // namespace
}  // namespace snag::rt
