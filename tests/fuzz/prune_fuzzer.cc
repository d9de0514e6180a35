// Any text: it is refused with a line of it, or what was read is written and read again without a
// change; and whatever the list is, looking for its pairs ends.
#include <cstdint>
#include <string>
#include <string_view>

#include "tests/fuzz/require.h"
#include "tool/coverage/data/coverage_example_for_test.h"
#include "tool/coverage/data/prune.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace snag::coverage;
  static const CoverData queue = example::queue();
  static const Wording wording(queue);
  const auto first = PruneList::parse({reinterpret_cast<const char*>(data), size}, "file");
  if (!first) {
    REQUIRE(first.error().message.starts_with("file:"));
    return 0;
  }
  const auto second = PruneList::parse(first->text(), "file");
  REQUIRE(second.has_value());
  REQUIRE(second->text() == first->text());
  const Pruned pruned = find_pruned(*first, queue, wording);
  REQUIRE(pruned.entry_of.size() == queue.pairs().size());
  for (const std::uint32_t entry : pruned.entry_of)
    REQUIRE(entry == Pruned::kNot || pruned.is_used[entry]);
  return 0;
}
