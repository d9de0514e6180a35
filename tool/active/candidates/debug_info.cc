#include "tool/active/candidates/debug_info.h"

#include <algorithm>
#include <set>

namespace snag::active {

bool lacks_debug_info(const Observation& observation, PlaceNames& names) {
  std::set<std::uint32_t> known;
  bool has_unknown = false;
  for (const auto run : observation.runs()) {
    for (const WatchEvent& event : run) {
      if (event.place == 0 || !known.insert(event.place).second) continue;
      const NamedPlace& place = names.place(event.place);
      if (place.is_users) return false;
      has_unknown |= std::any_of(place.frames.begin(), place.frames.end(),
                                 [](const binary::Frame& frame) { return frame.file.empty(); });
    }
  }
  return has_unknown;
}

}  // namespace snag::active
