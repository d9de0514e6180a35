// The settings of runs that users choose.
#pragma once

#include <cstdint>

namespace snag {

// Which operations are schedule points.
enum class Points : std::uint8_t { kSync, kShared, kAll };
// How the runtime switches between threads.
enum class Backend : std::uint8_t { kUser, kFutex };
// What happens at a data race: nothing, a report when the run is over, or the end of the run.
enum class Races : std::uint8_t { kOff, kReport, kFail };

}  // namespace snag
