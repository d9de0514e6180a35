// Rows of options that several commands have, for settings with a member of that name.
#pragma once

#include <fmt/format.h>

#include "tool/cli/options/option_table.h"
#include "tool/report/formats/format.h"

namespace snag::cli {

template <class Settings>
Expected<void> set_format(Settings& settings, const std::string& text) {
  settings.format = report::find_format(text);
  if (settings.format != nullptr) return {};
  std::vector<std::string_view> names;
  for (const report::Format& format : report::kFormats) names.emplace_back(format.name);
  return must_be(names, text);
}

template <class Settings>
Expected<void> set_json(Settings& settings, const std::string&) {
  settings.format = report::find_format("json");
  return {};
}

template <class Settings>
inline constexpr OptionRow<Settings> kJsonRow = {
    "--json", nullptr, "the result as one JSON object on standard output", set_json};

template <class Settings>
inline constexpr OptionRow<Settings> kFormatRow = {
    "--format", "NAME",
    "print the result in this format, one of:" SNAG_REPORT_FORMATS(
        SNAG_FORMAT_NAME) "; default text",
    set_format};

template <class Settings>
inline constexpr OptionRow<Settings> kQuietRow = {
    "--quiet", nullptr, "no progress on standard error", set_flag<&Settings::quiet>};

template <class Settings>
inline constexpr OptionRow<Settings> kShowOutputRow = {
    "--show-output", nullptr,
    "all of the failing run's output that was kept (8 KiB), not only its last lines",
    set_flag<&Settings::show_output>};

template <class Settings>
inline constexpr OptionRow<Settings> kTraceFolderRow = {
    "--out", "DIR", "folder for the traces of failures; default snag-traces",
    set_text<&Settings::out>};

template <class Settings>
inline constexpr OptionRow<Settings> kSuppressionsRow = {
    "--suppressions", "FILE", "known races, heap errors, deadlocks and lock errors not to report",
    set_text<&Settings::suppressions>};

template <class Settings>
inline constexpr OptionRow<Settings> kStdinRow = {
    "--stdin", "FILE", "standard input of the program; default /dev/null",
    set_text<&Settings::stdin_file>};

}  // namespace snag::cli
