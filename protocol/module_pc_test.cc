#include "protocol/module_pc.h"

#include <gtest/gtest.h>

namespace snag {
namespace {

TEST(ModulePc, KeepsModuleAndOffset) {
  const ModulePc pc = make_module_pc(3, 0x7fff'1234'5678);
  EXPECT_EQ(module_of(pc), 3u);
  EXPECT_EQ(offset_of(pc), 0x7fff'1234'5678u);
}

TEST(ModulePc, OffsetsInTheFirstModuleAreTheirOwnNumbers) {
  EXPECT_EQ(make_module_pc(0, 0x1234), 0x1234u);
}

TEST(ModulePc, TheLargestModuleAndOffsetDoNotMix) {
  const ModulePc pc = make_module_pc(0xffff, kModuleOffsetMask);
  EXPECT_EQ(pc, ~std::uint64_t{0});
  EXPECT_EQ(module_of(pc), 0xffffu);
  EXPECT_EQ(offset_of(pc), kModuleOffsetMask);
}

}  // namespace
}  // namespace snag
