// The settings of a run (protocol/settings.h) as options of a command: names, help, parsing and
// errors come from the rows. A command's own settings have a member `run` of type ChosenSettings,
// and its table of options a row run_settings_row().
#pragma once

#include <string>

#include "protocol/settings.h"
#include "tool/base/error.h"

namespace snag::cli {

struct GivenSettings {
#define SNAG_FIELD(type, field, ...) bool field = false;
  SNAG_RUN_SETTINGS(SNAG_FIELD)
#undef SNAG_FIELD
};

struct ChosenSettings {
  RunSettings values;        // before the command line is read: the command's defaults
  GivenSettings given = {};  // on the command line

  bool any_given() const;
};

std::string help_of(const SettingRow& row, SettingCommands command, const RunSettings& defaults);

Expected<void> choose(const SettingRow& row, SettingCommands command, const std::string& text,
                      ChosenSettings& chosen);

// "--seed, --strategy, --depth": all options that the command offers.
std::string option_names(SettingCommands command);

// Replaces the settings that the command offers.
void replace_settings(SettingCommands command, const RunSettings& chosen, RunSettings& settings);

// Checks that options of one strategy were given only with that strategy.
Expected<void> check_strategy_options(const ChosenSettings& chosen);

}  // namespace snag::cli
