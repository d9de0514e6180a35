// Options of a subcommand, declared once as a table: parsing, checking and help come from it.
//
//   constexpr OptionRow<Settings> kOptions[] = {
//       {"--runs", "N", "stop after N runs", set_number<&Settings::runs, 1, 1000>},
//       {"--quiet", nullptr, "no progress", set_flag<&Settings::quiet>},
//   };
//
// Words that are no options, and everything behind `--`, are left to the caller.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/exit_codes.h"
#include "engine/error.h"

namespace snag::cli {

template <class Settings>
struct OptionRow {
  const char* name;   // as CLI11 writes it: "-j,--jobs"
  const char* value;  // what the help calls the value; nullptr: a flag
  const char* help;
  engine::Expected<void> (*set)(Settings&, const std::string& value);
  bool may_repeat = false;  // each time with another value
};

// Setters for the usual kinds of members.
template <auto Member, std::uint64_t kMin, std::uint64_t kMax, class Settings>
engine::Expected<void> set_number(Settings& settings, const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < kMin || value > kMax) {
    return engine::usage_error(
        fmt::format("needs a number from {} to {}, not '{}'", kMin, kMax, text));
  }
  settings.*Member = value;
  return {};
}

template <auto Member, std::uint64_t kMax, class Settings>
engine::Expected<void> set_seconds(Settings& settings, const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // Written so that "nan" fails too.
  if (error != std::errc{} || end != text.data() + text.size() ||
      !(value > 0 && value <= double{kMax})) {
    return engine::usage_error(
        fmt::format("needs a number of seconds, more than 0 and at most {}, not '{}'", kMax, text));
  }
  settings.*Member = value;
  return {};
}

template <auto Member, class Settings>
engine::Expected<void> set_text(Settings& settings, const std::string& text) {
  if (text.empty()) return engine::usage_error("must not be empty");
  settings.*Member = text;
  return {};
}

template <auto Member, class Settings>
engine::Expected<void> set_flag(Settings& settings, const std::string&) {
  settings.*Member = true;
  return {};
}

// Whether options may follow a word that is none. Not where the word is a program with options of
// its own.
enum class Words { kEndOptions, kBetweenOptions };

struct SplitLine {
  std::vector<std::string> options;  // `--name value` became `--name=value`
  std::vector<std::string> words;
  std::vector<std::string> tail;  // behind `--`, or from the word that ended the options
};
SplitLine split_line(int argc, char** argv, Words words,
                     const std::function<bool(const std::string&)>& takes_value);

// Whether one of the comma-separated names is this word.
bool has_name(const char* names, const std::string& word);

// Parses into `settings`; returns an exit code when the command is over already (an error, or
// --help).
template <class Settings>
std::optional<int> parse_options(CLI::App& app, std::span<const OptionRow<Settings>> rows, int argc,
                                 char** argv, Words words, Settings& settings, SplitLine& line) {
  std::vector<const CLI::Option*> options;  // one per row
  // Whoever gives an option twice is told so below, in our words.
  const auto keep = [&](CLI::Option* option) {
    options.push_back(option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast));
  };
  for (const OptionRow<Settings>& row : rows) {
    if (row.value == nullptr) {
      keep(app.add_flag_callback(
          row.name, [&settings, &row] { (void)row.set(settings, ""); }, row.help));
      continue;
    }
    const auto apply = [&settings, &row](const std::string& text) {
      if (auto set = row.set(settings, text); !set) {
        throw CLI::ValidationError(fmt::format("{} {}", row.name, set.error().message));
      }
    };
    if (row.may_repeat) {
      const auto apply_all = [apply](const std::vector<std::string>& texts) {
        for (const std::string& text : texts) apply(text);
      };
      options.push_back(
          app.add_option_function<std::vector<std::string>>(row.name, apply_all, row.help)
              ->type_name(row.value)
              ->expected(1)
              ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll));
      continue;
    }
    keep(app.add_option_function<std::string>(row.name, apply, row.help)->type_name(row.value));
  }
  line = split_line(argc, argv, words, [&](const std::string& word) {
    for (const OptionRow<Settings>& row : rows) {
      if (row.value != nullptr && has_name(row.name, word)) return true;
    }
    return false;
  });
  try {
    std::vector<std::string> reversed(line.options.rbegin(), line.options.rend());
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return kExitClean;
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "{}: {}; see {} --help\n", app.get_name(), error.what(), app.get_name());
    return kExitUsage;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (options[i]->count() < 2 || rows[i].may_repeat) continue;
    fmt::print(stderr, "{}: {} was given more than once: leave one out; see {} --help\n",
               app.get_name(), rows[i].name, app.get_name());
    return kExitUsage;
  }
  return std::nullopt;
}

// The exit code for an error.
inline int exit_code_of(const engine::Error& error) {
  switch (error.kind) {
    case engine::ErrorKind::kUsage:
      return kExitUsage;
    case engine::ErrorKind::kNothingRan:
      return kExitNothingRan;
    case engine::ErrorKind::kInternal:
      break;
  }
  return kExitInternalError;
}

}  // namespace snag::cli
