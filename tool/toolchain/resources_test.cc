#include "tool/toolchain/resources.h"

#include <gtest/gtest.h>
#include <stdlib.h>

namespace snag::toolchain {
namespace {

TEST(Resources, LieBesideTheExecutable) {
  Resources resources = resources_of("/opt/snag/bin/snag");
  EXPECT_EQ(resources.prefix, "/opt/snag");
  EXPECT_EQ(resources.executable(), "/opt/snag/bin/snag");
  EXPECT_EQ(resources.runtime(), "/opt/snag/lib/snag/libsnag_runtime.a");
  EXPECT_EQ(resources.exports(), "/opt/snag/lib/snag/exports.list");
  EXPECT_EQ(resources.include_dir(), "/opt/snag/include");
  EXPECT_EQ(resources.data_dir(), "/opt/snag/share/snag");
}

TEST(Resources, VariableOverridesTheExecutable) {
  setenv(kPrefixVariable, "/elsewhere", 1);
  EXPECT_EQ(find_resources().prefix, "/elsewhere");
  setenv(kPrefixVariable, "", 1);
  EXPECT_NE(find_resources().prefix, "");
  unsetenv(kPrefixVariable);
  EXPECT_NE(find_resources().prefix, "/elsewhere");
}

}  // namespace
}  // namespace snag::toolchain
