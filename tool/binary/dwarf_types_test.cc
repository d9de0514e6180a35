// Reads the types of this test program.
#include "tool/binary/dwarf_types.h"

#include <dwarf.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace types_under_test {

struct Base {
  int id;
};
struct Limits {
  int min, max;
};
union Word {
  int whole;
  char bytes[4];
};
template <class T>
struct Box {
  T content;
};
struct Sample : Base {
  Limits limits;
  int values[4];
  Limits table[2];
  Limits* pointer;
};
using Alias = const volatile Limits;

[[gnu::used]] Sample sample;
[[gnu::used]] Alias aliased{1, 2};
[[gnu::used]] int plain;
[[gnu::used]] int& reference = plain;
[[gnu::used]] Limits* pointer;
[[gnu::used]] Limits matrix[2][3];
[[gnu::used]] Word word;
[[gnu::used]] Box<Limits> box;
[[gnu::used]] std::unique_ptr<Limits> owner;
[[gnu::used]] std::vector<int> list;

}  // namespace types_under_test

namespace snag::binary {
namespace {

using types_under_test::Limits;
using types_under_test::Sample;

TEST(ReadableSymbol, HasNoVersion) {
  EXPECT_EQ(readable_symbol("_ZSt4cout@GLIBCXX_3.4"), "std::cout");
  EXPECT_EQ(readable_symbol("_ZSt4cout@@GLIBCXX_3.4"), "std::cout");
  EXPECT_EQ(readable_symbol("stdout@GLIBC_2.2.5"), "stdout");
  EXPECT_EQ(readable_symbol("counter"), "counter");
}

class DwarfTypes : public ::testing::Test {
 protected:
  DwarfTypes() : fd_(open("/proc/self/exe", O_RDONLY | O_CLOEXEC)) {
    dwarf_ = dwarf_begin(fd_, DWARF_C_READ);
  }
  ~DwarfTypes() override {
    if (dwarf_ != nullptr) dwarf_end(dwarf_);
    close(fd_);
  }

  // The variable in types_under_test.
  std::optional<Dwarf_Die> variable(const std::string& name) {
    if (dwarf_ == nullptr) return std::nullopt;
    Dwarf_Off offset = 0, next = 0;
    for (std::size_t size = 0;
         dwarf_nextcu(dwarf_, offset, &next, &size, nullptr, nullptr, nullptr) == 0;
         offset = next) {
      Dwarf_Die unit;
      if (dwarf_offdie(dwarf_, offset + size, &unit) == nullptr) continue;
      const auto inside = child(&unit, DW_TAG_namespace, "types_under_test");
      if (!inside) continue;
      Dwarf_Die room = *inside;
      if (auto found = child(&room, DW_TAG_variable, name)) return found;
    }
    return std::nullopt;
  }
  Dwarf_Die type(const std::string& name) {
    auto die = variable(name);
    EXPECT_TRUE(die) << name;
    if (!die) return {};
    const auto result = type_of(&*die);
    EXPECT_TRUE(result) << name;
    return result.value_or(Dwarf_Die{});
  }

 private:
  static std::optional<Dwarf_Die> child(Dwarf_Die* parent, int tag, const std::string& name) {
    Dwarf_Die die;
    if (dwarf_child(parent, &die) != 0) return std::nullopt;
    do {
      const char* own = dwarf_diename(&die);
      if (dwarf_tag(&die) == tag && own != nullptr && name == own) return die;
    } while (dwarf_siblingof(&die, &die) == 0);
    return std::nullopt;
  }

  int fd_;
  Dwarf* dwarf_ = nullptr;
};

TEST_F(DwarfTypes, SizesAreThoseOfTheCompiler) {
  EXPECT_EQ(size_of(type("sample")), sizeof(Sample));
  EXPECT_EQ(size_of(type("plain")), sizeof(int));
  EXPECT_EQ(size_of(type("matrix")), sizeof(types_under_test::matrix));
  EXPECT_EQ(size_of(type("word")), sizeof(types_under_test::Word));
}

TEST_F(DwarfTypes, TypedefsAndQualifiersAreSkipped) {
  EXPECT_EQ(type_name(type("aliased")), "types_under_test::Limits");
  EXPECT_EQ(size_of(type("aliased")), sizeof(Limits));
}

TEST_F(DwarfTypes, KindsOfTypes) {
  EXPECT_TRUE(is_class(type("sample")));
  EXPECT_FALSE(is_class(type("plain")));
  EXPECT_FALSE(is_class(type("pointer")));
  EXPECT_TRUE(is_pointer(type("pointer")));
  EXPECT_FALSE(is_pointer(type("reference")));
  EXPECT_TRUE(is_reference(type("reference")));
  EXPECT_FALSE(is_reference(type("plain")));
}

TEST_F(DwarfTypes, TargetsOfPointersReferencesAndContainers) {
  const auto target_name = [&](const std::string& name) {
    const auto target = target_of(type(name));
    return target ? type_name(*target) : std::string("none");
  };
  EXPECT_EQ(target_name("pointer"), "types_under_test::Limits");
  EXPECT_EQ(target_name("reference"), "int");
  EXPECT_EQ(target_name("matrix"), "types_under_test::Limits");
  EXPECT_EQ(target_name("owner"), "types_under_test::Limits");
  EXPECT_EQ(target_name("list"), "int");
  EXPECT_EQ(target_name("plain"), "none");
}

TEST_F(DwarfTypes, NamesWithAndWithoutTemplateArguments) {
  EXPECT_EQ(type_name(type("box")), "types_under_test::Box");
  EXPECT_EQ(full_type_name(type("box")), "types_under_test::Box<types_under_test::Limits>");
  auto die = variable("sample");
  ASSERT_TRUE(die);
  EXPECT_EQ(variable_name(&*die), "types_under_test::sample");
}

TEST_F(DwarfTypes, MembersOfTheClassAndOfItsBase) {
  const Dwarf_Die sample = type("sample");
  const auto limits = find_member(sample, "limits");
  ASSERT_TRUE(limits);
  EXPECT_EQ(limits->offset, offsetof(Sample, limits));
  EXPECT_EQ(type_name(limits->type), "types_under_test::Limits");
  EXPECT_EQ(type_name(limits->owner), "types_under_test::Sample");
  const auto id = find_member(sample, "id");
  ASSERT_TRUE(id);
  EXPECT_EQ(id->offset, 0u);
  EXPECT_EQ(type_name(id->owner), "types_under_test::Base");
  EXPECT_FALSE(find_member(sample, "max"));
  EXPECT_FALSE(find_member(type("plain"), "limits"));
}

TEST_F(DwarfTypes, PathsToParts) {
  const Dwarf_Die sample = type("sample");
  EXPECT_EQ(path_at(sample, 0, 4), ".id");
  EXPECT_EQ(path_at(sample, offsetof(Sample, limits) + offsetof(Limits, max), 4), ".limits.max");
  EXPECT_EQ(path_at(sample, offsetof(Sample, limits), sizeof(Limits)), ".limits");
  EXPECT_EQ(path_at(sample, offsetof(Sample, values) + 2 * sizeof(int), 4), ".values[2]");
  EXPECT_EQ(path_at(sample, offsetof(Sample, table) + sizeof(Limits), 4), ".table[1].min");
  EXPECT_EQ(path_at(sample, offsetof(Sample, pointer), sizeof(void*)), ".pointer");
  EXPECT_EQ(path_at(type("matrix"), 4 * sizeof(Limits) + 4, 4), "[1][1].max");
}

TEST_F(DwarfTypes, AnAccessToSeveralPartsIsOneToTheWhole) {
  EXPECT_EQ(path_at(type("sample"), 0, sizeof(Sample)), "");
  EXPECT_EQ(path_at(type("plain"), 0, 4), "");
}

// Private members of the standard library mean nothing to the user.
TEST_F(DwarfTypes, PathsEndAtTheStandardLibrary) {
  EXPECT_EQ(path_at(type("list"), 8, 8), "");
  EXPECT_EQ(path_at(type("owner"), 0, 8), "");
}

}  // namespace
}  // namespace snag::binary
