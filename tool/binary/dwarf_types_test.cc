#include "tool/binary/dwarf_types.h"

#include <gtest/gtest.h>

namespace snag::binary {
namespace {

TEST(ReadableSymbol, HasNoVersion) {
  EXPECT_EQ(readable_symbol("_ZSt4cout@GLIBCXX_3.4"), "std::cout");
  EXPECT_EQ(readable_symbol("_ZSt4cout@@GLIBCXX_3.4"), "std::cout");
  EXPECT_EQ(readable_symbol("stdout@GLIBC_2.2.5"), "stdout");
  EXPECT_EQ(readable_symbol("counter"), "counter");
}

}  // namespace
}  // namespace snag::binary
