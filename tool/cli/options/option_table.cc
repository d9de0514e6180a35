#include "tool/cli/options/option_table.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

namespace snag::cli {

bool has_name(const std::string& names, const std::string& word) {
  for (std::string_view rest = names; !rest.empty();) {
    const std::string_view name = rest.substr(0, rest.find(','));
    if (name == word) return true;
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
  }
  return false;
}

SplitLine split_line(int argc, char** argv, Words words,
                     const std::function<bool(const std::string&)>& takes_value) {
  SplitLine line;
  int i = 1;
  for (; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--") {
      ++i;
      break;
    }
    if (word.size() < 2 || word[0] != '-') {
      if (words == Words::kEndOptions) break;
      line.words.push_back(word);
    } else if (!takes_value(word)) {
      line.options.push_back(word);
    } else if (word.starts_with("--") && i + 1 < argc) {
      // Joined, so that a value that looks like an option remains a value.
      line.options.push_back(word + "=" + argv[++i]);
    } else {
      line.options.push_back(word);
      if (i + 1 < argc) line.options.emplace_back(argv[++i]);
    }
  }
  for (; i < argc; ++i) line.tail.emplace_back(argv[i]);
  return line;
}

OptionParser::OptionParser(const std::string& help, const std::string& command)
    : app_(std::make_unique<CLI::App>(help, command)) {}

OptionParser::~OptionParser() = default;

void OptionParser::add_run_settings(SettingCommands command, ChosenSettings& chosen) {
  for (const SettingRow& row : kRunSettings) {
    if ((row.commands & command) == 0) continue;
    add(row.option, row.value, help_of(row, command, chosen.values), false,
        [&row, &chosen, command](const std::string& text) {
          return choose(row, command, text, chosen);
        });
  }
}

void OptionParser::add(const std::string& name, const char* value, const std::string& help,
                       bool may_repeat, Set set) {
  const auto apply = [name, set = std::move(set)](const std::string& text) {
    if (auto done = set(text); !done)
      throw CLI::ValidationError(fmt::format("{} {}", name, done.error().message));
  };
  CLI::Option* option = nullptr;
  if (value == nullptr) {
    option = app_->add_flag_callback(
        name, [apply] { apply(""); }, help);
  } else {
    const auto apply_all = [apply](const std::vector<std::string>& texts) {
      for (const std::string& text : texts) apply(text);
    };
    option = app_->add_option_function<std::vector<std::string>>(name, apply_all, help)
                 ->type_name(value)
                 ->expected(1);
  }
  // An option that is given twice but must not repeat is reported below, in our words.
  option->multi_option_policy(may_repeat ? CLI::MultiOptionPolicy::TakeAll
                                         : CLI::MultiOptionPolicy::TakeLast);
  added_.push_back({name, value == nullptr ? "" : value, help, option, may_repeat});
}

void OptionParser::print_markdown() const {
  fmt::print("\n## {}\n\n", app_->get_name());
  bool in_code = false;
  for (const std::string& text : CLI::detail::split(app_->get_description(), '\n')) {
    if (text.empty()) continue;
    const bool is_code = text.starts_with("  ");
    fmt::print("{}{}{}\n", is_code == in_code ? "" : "\n", is_code ? "  " : "", text);
    in_code = is_code;
  }
  fmt::print("\n| option | meaning |\n|---|---|\n");
  for (const Added& added : added_) {
    std::string names = added.name;
    if (const std::size_t comma = names.find(','); comma != std::string::npos)
      names.insert(comma + 1, " ");
    if (added.takes_value()) names.append(" ").append(added.value);
    fmt::print("| `{}` | {} |\n", names, added.help);
  }
}

std::optional<int> OptionParser::parse(int argc, char** argv, Words words, SplitLine& line) {
  if (argc == 2 && std::string_view(argv[1]) == "--help-markdown") {
    print_markdown();
    return kExitClean;
  }
  line = split_line(argc, argv, words, [&](const std::string& word) {
    for (const Added& added : added_) {
      if (added.takes_value() && has_name(added.name, word)) return true;
    }
    return false;
  });
  // The parser would take the word that follows for the value.
  for (const Added& added : added_) {
    const auto is_empty = [&](const std::string& word) {
      return word.ends_with('=') && has_name(added.name, word.substr(0, word.size() - 1));
    };
    if (!added.takes_value() || std::none_of(line.options.begin(), line.options.end(), is_empty))
      continue;
    fmt::print(stderr, "{}: {} must not be empty; see {} --help\n", app_->get_name(), added.name,
               app_->get_name());
    return kExitUsage;
  }
  try {
    std::vector<std::string> reversed(line.options.rbegin(), line.options.rend());
    app_->parse(reversed);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app_->help());
    return kExitClean;
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "{}: {}; see {} --help\n", app_->get_name(), error.what(), app_->get_name());
    return kExitUsage;
  }
  for (const Added& added : added_) {
    if (added.option->count() < 2 || added.may_repeat) continue;
    fmt::print(stderr, "{}: {} was given more than once: leave one out; see {} --help\n",
               app_->get_name(), added.name, app_->get_name());
    return kExitUsage;
  }
  return std::nullopt;
}

}  // namespace snag::cli
