#include "runtime/base/symbols.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace snag::rt {
namespace {

bool names(const char* symbol, const std::string& name) {
  return names_function(symbol, name.c_str(), name.size());
}

TEST(NamesFunction, SymbolItself) {
  EXPECT_TRUE(names("take", "take"));
  EXPECT_FALSE(names("take2", "take"));
  EXPECT_FALSE(names("tak", "take"));
  EXPECT_TRUE(names("_ZN4Pool4takeEm", "_ZN4Pool4takeEm"));
}

TEST(NamesFunction, CppFunctions) {
  EXPECT_TRUE(names("_Z4takem", "take"));
  EXPECT_TRUE(names("_ZL4takem", "take"));
  EXPECT_FALSE(names("_Z5take2m", "take"));
  EXPECT_FALSE(names("_ZN4Pool4takeEm", "take"));
  EXPECT_TRUE(names("_ZN4Pool4takeEm", "Pool::take"));
  EXPECT_TRUE(names("_ZNK4Pool4takeEm", "Pool::take"));
  EXPECT_FALSE(names("_ZN4Pool4takeEm", "Pool::tak"));
  EXPECT_FALSE(names("_ZN4Pool4takeEm", "Pool"));
  EXPECT_FALSE(names("_ZN4Pool4take3nowEm", "Pool::take"));
  EXPECT_TRUE(names("_ZN4base4Pool4takeEm", "base::Pool::take"));
  EXPECT_TRUE(names("_ZN12_GLOBAL__N_14takeEm", "(anonymous namespace)::take"));
}

TEST(NamesFunction, PartOfAText) {
  EXPECT_TRUE(names_function("take", "take/give", 4));
  EXPECT_FALSE(names_function("take", "take/give", 9));
}

[[gnu::noinline]] int function_of_this_test(int n) {
  asm volatile("" : "+r"(n));
  return n + 1;
}

TEST(ForEachFunction, FindsStaticFunctions) {
  ASSERT_EQ(function_of_this_test(1), 2);
  struct Found {
    int count = 0;
    std::uint64_t size = 0;
  } found;
  ASSERT_TRUE(for_each_function(
      "/proc/self/exe",
      [](void* context, const char* name, std::uint64_t, std::uint64_t size) {
        if (std::strstr(name, "function_of_this_test") == nullptr) return;
        auto* result = static_cast<Found*>(context);
        ++result->count;
        result->size = size;
      },
      &found));
  EXPECT_EQ(found.count, 1);
  EXPECT_GT(found.size, 0u);
}

TEST(ForEachFunction, NoSuchFile) {
  const auto nothing = [](void*, const char*, std::uint64_t, std::uint64_t) {};
  EXPECT_FALSE(for_each_function("/nowhere/at/all", nothing, nullptr));
  EXPECT_FALSE(for_each_function("/proc/self/cmdline", nothing, nullptr));
}

}  // namespace
}  // namespace snag::rt
