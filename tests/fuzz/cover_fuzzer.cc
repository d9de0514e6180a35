// Any text: it is refused, or what was read is written and read again without a change. Checksums
// would keep most mutations away from what is behind them, so they are also put right.
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "tests/fuzz/require.h"
#include "tool/coverage/data/file.h"
#include "tool/coverage/data/merge.h"

namespace {

using namespace snag::coverage;

std::string with_checksums(std::string_view text) {
  std::string result;
  bool is_first = true;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    constexpr std::size_t kPrefix = 9;
    if (!is_first && line.size() > kPrefix) {
      line.remove_prefix(kPrefix);
      result += fmt::format("{:08x} {}\n", checksum_of(line), line);
    } else {
      result += fmt::format("{}\n", line);
    }
    is_first = false;
  }
  return result;
}

void check(std::string_view text) {
  const auto first = parse_cover(text, "file");
  if (!first) {
    REQUIRE(first.error().message.starts_with("'file' "));
    return;
  }
  const CoverData& data = first->data;
  for (const Location& location : data.locations()) {
    REQUIRE(location.shown < location.frames.size());
    REQUIRE(location.frames.size() <= kMaxFrames);
  }
  for (const Pair& pair : data.pairs()) {
    REQUIRE(pair.first < data.locations().size() && pair.second < data.locations().size());
    REQUIRE(has_pairs(pair.metric));
    REQUIRE(pair.moment.shard == kNoShard || pair.moment.shard < data.shards().size());
  }
  const std::string written = format_cover(in_order(data));
  const auto second = parse_cover(written, "file");
  REQUIRE(second.has_value());
  REQUIRE(second->bad_lines == 0);
  REQUIRE(format_cover(in_order(second->data)) == written);
  REQUIRE(format_cover(merge(data, data)) == written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(text);
  check(with_checksums(text));
  return 0;
}
