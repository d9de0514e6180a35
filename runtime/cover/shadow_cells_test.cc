#include "runtime/cover/shadow_cells.h"

#include <gmock/gmock.h>

#include <map>
#include <tuple>
#include <utility>

namespace snag::rt {
namespace {

// Of neighbours in memory that have neighbouring histories.
TEST(CoverReading, DiffersForDifferentAddressesAndWords) {
  const std::uint64_t key = key_of({make_access(1, kReads, 77), 40, 0, 0});
  std::map<std::pair<CoverRead*, CoverRead>, std::pair<std::uint64_t, std::uint64_t>> known;
  for (std::uint64_t address = 0x7ffff0001000; address < 0x7ffff0001200; ++address) {
    for (std::uint64_t word = 32; word < 160; ++word) {
      for (const std::uint64_t found : {word, word << 32 | word, word | 5 << kNumberBits}) {
        const auto [other, is_new] =
            known.insert({{cover_read(nullptr, key, address),
                           cover_reading(key, address, /*epoch=*/0xbf58476d1ce4e5b9, found)},
                          {address, found}});
        ASSERT_TRUE(is_new) << address << " with " << found << ", " << other->second.first
                            << " with " << other->second.second;
      }
    }
  }
}

}  // namespace
}  // namespace snag::rt
