#include "tool/session/late_wakeups.h"

#include <algorithm>

#include "tool/binary/place.h"

namespace snag::session {

std::vector<LateWakeup> copy_late_wakeups(const Shared& shared) {
  std::vector<LateWakeup> result;
  const std::uint32_t count = std::min(shared.live.late_wakeup_count.load(), kMaxLateWakeups);
  for (std::uint32_t i = 0; i < count; ++i) {
    LateWakeup late;
    late.report = shared.late_wakeups[i];
    late.report.depth = std::min<std::uint16_t>(late.report.depth, kMaxStackDepth);
    late.modules = copy_modules(shared);
    result.push_back(std::move(late));
  }
  return result;
}

std::string late_wakeup_places(const LateWakeup& late, binary::Symbolizer& symbolizer) {
  const LateWakeupReport& report = late.report;
  const auto place = [&](std::span<const std::uint64_t> stack) {
    return binary::place_text(binary::user_frame(symbolizer, late.modules, stack));
  };
  return place({report.stack, report.depth}) + " " + place({&report.signal_pc, 1});
}

}  // namespace snag::session
