// Options of a subcommand, declared once as a table: parsing, checking and help come from it.
//
//   constexpr OptionRow<Settings> kOptions[] = {
//       {"--runs", "N", "stop after N runs", set_number<&Settings::runs, 1, 1000>},
//       {"--quiet", nullptr, "no progress", set_flag<&Settings::quiet>},
//   };
//
// Words that are not options, and everything after `--`, are left to the caller.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tool/base/error.h"
#include "tool/cli/options/chosen_settings.h"
#include "tool/cli/options/exit_codes.h"
#include "tool/cli/options/option_values.h"

// CLI11 is only included by option_table.cc: compiling it takes ten seconds.
namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace snag::cli {

template <class Settings>
struct OptionRow {
  const char* name = nullptr;   // as CLI11 writes it: "-j,--jobs"
  const char* value = nullptr;  // what the help calls the value; nullptr: a flag
  const char* help = nullptr;
  Expected<void> (*set)(Settings&, const std::string& value) = nullptr;
  bool may_repeat = false;         // may be repeated, each time with another value
  SettingCommands run_settings{};  // see run_settings_row
};

// Stands for the options about how to run (protocol/settings.h) that the command offers.
template <class Settings>
constexpr OptionRow<Settings> run_settings_row(SettingCommands command) {
  return {.run_settings = command};
}

// Setters for the usual kinds of members.
template <auto Member, std::uint64_t kMin, std::uint64_t kMax, class Settings>
Expected<void> set_number(Settings& settings, const std::string& text) {
  const auto value = parse_number(text, kMin, kMax);
  if (!value) return tl::unexpected(value.error());
  settings.*Member = *value;
  return {};
}

template <auto Member, std::uint64_t kMax, class Settings>
Expected<void> set_seconds(Settings& settings, const std::string& text) {
  const auto value = parse_seconds(text, kMax);
  if (!value) return tl::unexpected(value.error());
  settings.*Member = *value;
  return {};
}

// 0 is valid, too: it switches the work off that would take the time.
template <auto Member, std::uint64_t kMax, class Settings>
Expected<void> set_seconds_or_none(Settings& settings, const std::string& text) {
  if (text != "0") return set_seconds<Member, kMax>(settings, text);
  settings.*Member = 0;
  return {};
}

template <auto Member, class Settings>
Expected<void> set_text(Settings& settings, const std::string& text) {
  if (text.empty()) return usage_error("must not be empty");
  settings.*Member = text;
  return {};
}

template <auto Member, class Settings>
Expected<void> set_flag(Settings& settings, const std::string&) {
  settings.*Member = true;
  return {};
}

// Whether options may follow a word that is not an option. Not if the word is a program with
// options of its own.
enum class Words { kEndOptions, kBetweenOptions };

struct SplitLine {
  std::vector<std::string> options;  // `--name value` became `--name=value`
  std::vector<std::string> words;
  std::vector<std::string> tail;  // behind `--`, or from the word that ended the options
};
SplitLine split_line(int argc, char** argv, Words words,
                     const std::function<bool(const std::string&)>& takes_value);

// Whether one of the comma-separated names is this word.
bool has_name(const std::string& names, const std::string& word);

// The options of one command, from one table or several.
class OptionParser {
 public:
  // `help` comes before the options, `command` as in "snag run".
  OptionParser(const std::string& help, const std::string& command);
  ~OptionParser();

  // `rows` and `settings` must stay until the line is parsed.
  template <class Settings>
  void add(std::span<const OptionRow<Settings>> rows, Settings& settings) {
    for (const OptionRow<Settings>& row : rows) {
      if constexpr (requires { settings.run.given; }) {
        if (row.run_settings != SettingCommands{}) {
          add_run_settings(row.run_settings, settings.run);
          continue;
        }
      }
      add(row.name, row.value, row.help, row.may_repeat,
          [&settings, &row](const std::string& text) { return row.set(settings, text); });
    }
  }

  struct Added {
    std::string name;
    std::string value;  // empty: a flag
    std::string help;
    const CLI::Option* option;
    bool may_repeat;

    bool takes_value() const { return !value.empty(); }
  };
  const std::vector<Added>& options() const { return added_; }

  // Returns an exit code when the command is over already (an error, or --help). The hidden option
  // --help-markdown prints the help as a section of docs/reference/options.md.
  std::optional<int> parse(int argc, char** argv, Words words, SplitLine& line);

 private:
  using Set = std::function<Expected<void>(const std::string&)>;
  void add(const std::string& name, const char* value, const std::string& help, bool may_repeat,
           Set set);
  void add_run_settings(SettingCommands command, ChosenSettings& chosen);
  void print_markdown() const;

  std::unique_ptr<CLI::App> app_;
  std::vector<Added> added_;
};

// Parses into `settings`; returns an exit code when the command is over already (an error, or
// --help).
template <class Settings>
std::optional<int> parse_options(OptionParser& parser, std::span<const OptionRow<Settings>> rows,
                                 int argc, char** argv, Words words, Settings& settings,
                                 SplitLine& line) {
  parser.add(rows, settings);
  return parser.parse(argc, argv, words, line);
}

// The exit code for an error.
inline int exit_code_of(const Error& error) {
  switch (error.kind) {
    case ErrorKind::kUsage:
      return kExitUsage;
    case ErrorKind::kNothingRan:
      return kExitNothingRan;
    case ErrorKind::kInternal:
      break;
  }
  return kExitInternalError;
}

}  // namespace snag::cli
