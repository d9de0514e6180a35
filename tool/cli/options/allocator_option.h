// The option --allocator, for settings with a member `run` of type ChosenSettings.
#pragma once

#include <string>

#include "protocol/settings.h"
#include "tool/cli/options/option_table.h"

namespace snag::cli {

// Adds one value of the option.
Expected<void> add_allocator(AllocatorNames& names, const std::string& text);

template <class Settings>
Expected<void> set_allocator(Settings& settings, const std::string& text) {
  return add_allocator(settings.run.values.allocators, text);
}

template <class Settings>
inline constexpr OptionRow<Settings> kAllocatorRow = {
    "--allocator", "NAMES",
    "my_alloc/my_free: functions that hand out memory and take it back (docs/detectors/races.md)",
    set_allocator<Settings>, true};

}  // namespace snag::cli
