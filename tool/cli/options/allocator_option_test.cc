#include "tool/cli/options/allocator_option.h"

#include <gtest/gtest.h>

#include <string>

namespace snag::cli {
namespace {

TEST(AddAllocator, JoinsAll) {
  AllocatorNames names{};
  EXPECT_TRUE(add_allocator(names, "my_alloc/my_free"));
  EXPECT_TRUE(add_allocator(names, "take,Pool::take@2/give,Pool::give@2"));
  EXPECT_STREQ(names.text, "my_alloc/my_free;take,Pool::take@2/give,Pool::give@2");
}

TEST(AddAllocator, Refuses) {
  for (const char* text : {"", "my_alloc", "/", "a/", "/b", "a//b", "a/b/c", "a@0/b", "a@7/b",
                           "a@12/b", "a,/b", "a;b/c", "@1/b"}) {
    AllocatorNames names{};
    const auto done = add_allocator(names, text);
    ASSERT_FALSE(done) << text;
    EXPECT_NE(done.error().message.find("must be two functions"), std::string::npos) << text;
    EXPECT_TRUE(names.empty()) << text;
  }
}

TEST(AddAllocator, TooLong) {
  AllocatorNames names{};
  const std::string longest(AllocatorNames::kSize / 2 - 1, 'x');
  EXPECT_TRUE(add_allocator(names, longest + "/" + longest));
  const auto more = add_allocator(names, "a/b");
  ASSERT_FALSE(more);
  EXPECT_NE(more.error().message.find("too long"), std::string::npos);
}

}  // namespace
}  // namespace snag::cli
