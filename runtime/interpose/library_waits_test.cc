#include "runtime/interpose/library_waits.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "arch/arch.h"

namespace snag::rt {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::vector<std::size_t> system_calls(Bytes code) {
  constexpr std::size_t kPadding = 16;  // what is looked at behind the last instruction
  code.resize(code.size() + kPadding, 0x90);
  std::vector<std::size_t> result;
  for_each_system_call(code.data(), code.size(), [&](const std::uint8_t* at) {
    result.push_back(static_cast<std::size_t>(at - code.data()));
  });
  return result;
}

TEST(SystemCalls, AreFoundBetweenInstructions) {
  EXPECT_EQ(system_calls({0x31, 0xd2,              // xor %edx,%edx
                          0xb8, 0xca, 0, 0, 0,     // mov $202,%eax
                          0x0f, 0x05,              // syscall
                          0x48, 0x83, 0xf8, 0xda,  // cmp $-38,%rax
                          0x0f, 0x05}),            // syscall
            (std::vector<std::size_t>{7, 13}));
}

// Each has the bytes of a system call in it, and is none.
TEST(SystemCalls, AreNotFoundInOperands) {
  for (const Bytes& code : {
           Bytes{0xb8, 0x0f, 0x05, 0, 0},                       // mov $0x50f,%eax
           Bytes{0x48, 0xb8, 0, 0x0f, 0x05, 0, 0, 0, 0, 0},     // movabs
           Bytes{0x8b, 0x35, 0x0f, 0x05, 0x02, 0},              // mov 0x2050f(%rip),%esi
           Bytes{0x81, 0x25, 0, 0, 0, 0, 0x0f, 0x05, 0, 0},     // andl $0x50f,(%rip)
           Bytes{0xf7, 0x04, 0x24, 0x0f, 0x05, 0, 0},           // testl $0x50f,(%rsp)
           Bytes{0x66, 0xc7, 0x44, 0x24, 0x08, 0x0f, 0x05},     // movw $0x50f,8(%rsp)
           Bytes{0x0f, 0x84, 0x0f, 0x05, 0, 0},                 // je
           Bytes{0xe8, 0x0f, 0x05, 0, 0},                       // call
           Bytes{0xc5, 0xf8, 0x28, 0x05, 0x0f, 0x05, 0, 0},     // vmovaps 0x50f(%rip),%xmm0
           Bytes{0xc4, 0xe3, 0x79, 0x0f, 0x05, 0, 0, 0, 0, 1},  // vpalignr
           Bytes{0x62, 0xf1, 0x7c, 0x48, 0x28, 0x05, 0x0f, 0x05, 0, 0},  // vmovaps, %zmm0
       }) {
    EXPECT_EQ(system_calls(code), std::vector<std::size_t>{}) << "begins with " << int{code[0]};
  }
}

}  // namespace
}  // namespace snag::rt
