#include "tool/cli/options/chosen_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "tool/cli/options/option_values.h"

namespace snag::cli {
namespace {

// In the order of kRunSettings.
constexpr bool GivenSettings::*kGiven[] = {
#define SNAG_MEMBER(type, field, ...) &GivenSettings::field,
    SNAG_RUN_SETTINGS(SNAG_MEMBER)
#undef SNAG_MEMBER
};

bool is_strategy(const SettingRow& row) {
  return row.values.words.data() == std::data(kStrategyWords);
}

StrategyChoice place_of(SettingCommands command) {
  return command == kOnRun ? StrategyChoice::kRun : StrategyChoice::kEverywhere;
}

std::string value_text(const SettingRow& row, std::uint64_t value) {
  if (row.initial_word != nullptr && value == row.initial()) return row.initial_word;
  if (row.values.is_duration) return fmt::format("{:g}", static_cast<double>(value) / 1000);
  if (row.values.words.empty()) return fmt::format("{}", value);
  const Word* word = find_word(row.values.words, value);
  return word != nullptr ? word->name : "unknown";
}

Expected<std::uint64_t> parse_value(const SettingRow& row, SettingCommands command,
                                    const std::string& text) {
  const SettingValues& values = row.values;
  if (values.is_duration) {
    const auto seconds = parse_seconds(text, values.max / 1000);
    if (!seconds) return tl::unexpected(seconds.error());
    return std::max(static_cast<std::uint64_t>(*seconds * 1000), values.min);
  }
  if (values.words.empty()) return parse_number(text, values.min, values.max);
  std::vector<std::string_view> names;
  for (const Word& word : values.words) {
    if (is_strategy(row) && !may_choose(*find_strategy(word.value), place_of(command))) continue;
    if (word.name == text) return word.value;
    names.emplace_back(word.name);
  }
  return must_be(names, text);
}

}  // namespace

bool ChosenSettings::any_given() const {
  return std::any_of(std::begin(kGiven), std::end(kGiven),
                     [this](bool GivenSettings::*member) { return given.*member; });
}

std::string help_of(const SettingRow& row, SettingCommands command, const RunSettings& defaults) {
  std::string text = command == kOnCover ? "--control: " : "";
  if (!is_strategy(row)) {
    text += row.help;
  } else if (command == kOnRun) {
    text += list_strategies(StrategyChoice::kRun, ", or ", ": see docs/guide/cover.md").text;
  } else {
    text += list_strategies(place_of(command), " or ").text;
  }
  return text + "; default " + value_text(row, row.get(defaults));
}

Expected<void> choose(const SettingRow& row, SettingCommands command, const std::string& text,
                      ChosenSettings& chosen) {
  const auto value = parse_value(row, command, text);
  if (!value) return tl::unexpected(value.error());
  row.set(chosen.values, *value);
  chosen.given.*kGiven[&row - kRunSettings] = true;
  return {};
}

std::string option_names(SettingCommands command) {
  std::string names;
  for (const SettingRow& row : kRunSettings) {
    if ((row.commands & command) == 0) continue;
    if (!names.empty()) names += ", ";
    names += row.option;
  }
  return names;
}

void replace_settings(SettingCommands command, const RunSettings& chosen, RunSettings& settings) {
  for (const SettingRow& row : kRunSettings) {
    if ((row.commands & command) != 0) row.set(settings, row.get(chosen));
  }
}

Expected<void> check_strategy_options(const ChosenSettings& chosen) {
  const StrategyKind strategy = chosen.values.strategy;
  if (chosen.given.preemption_bound && !has_trait(strategy, kSystematic)) {
    return usage_error(
        "--preemptions bounds the systematic search only: add --strategy dfs, or leave it out");
  }
  if (chosen.given.pct_depth && strategy != StrategyKind::kPct)
    return usage_error("--depth is of the strategy pct only: add --strategy pct, or leave it out");
  return {};
}

}  // namespace snag::cli
