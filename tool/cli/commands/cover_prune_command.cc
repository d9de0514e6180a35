// Implements command.h: snag cover prune: maintains the list of pairs that cannot be covered, with
// the reasons.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tool/base/whole_file.h"
#include "tool/cli/commands/command.h"
#include "tool/cli/options/cover_files.h"
#include "tool/cli/options/exit_codes.h"
#include "tool/cli/options/option_table.h"
#include "tool/coverage/data/file.h"
#include "tool/coverage/data/prune.h"

namespace snag::cli {
namespace {

using coverage::PrunedPair;
using coverage::PruneList;

constexpr const char* kCoverPruneName = "snag cover prune";

struct CoverPruneSettings {
  std::string prune = coverage::kDefaultPruneFile;
  std::string data = coverage::kDefaultCoverFile;
  std::string add, remove;
  bool list = false, propose = false;
};

constexpr cli::OptionRow<CoverPruneSettings> kCoverPruneRows[] = {
    {"--list", nullptr, "show the list, and what became of its pairs; the default",
     cli::set_flag<&CoverPruneSettings::list>},
    {"--add", "PAIR", "add a pair, as a report shows it; the reason is the next argument",
     cli::set_text<&CoverPruneSettings::add>},
    {"--remove", "PAIR", "take a pair off the list", cli::set_text<&CoverPruneSettings::remove>},
    {"--propose", nullptr,
     "print pairs that cannot be covered as far as was seen, in the form of the file",
     cli::set_flag<&CoverPruneSettings::propose>},
    {"--prune", "FILE", "the list; default snag.prune", cli::set_text<&CoverPruneSettings::prune>},
    {"-i,--input", "FILE", "the data file; default snag.cover",
     cli::set_text<&CoverPruneSettings::data>},
};

struct Pairs {
  coverage::CoverData data;
  bool is_there = false;
};

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

// The list can be edited without a data file.
Expected<Pairs> read_pairs(const std::string& path) {
  Pairs pairs;
  if (!exists(path)) return pairs;
  auto data = cli::read_cover_files({path}, kCoverPruneName);
  if (!data) return tl::unexpected(data.error());
  pairs.data = std::move(*data);
  pairs.is_there = true;
  return pairs;
}

Expected<PruneList> read_list(const std::string& path) {
  return exists(path) ? PruneList::read(path) : PruneList();
}

Expected<std::string> read_text(const std::string& path) {
  std::string text;
  if (!exists(path)) return text;
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return usage_error(fmt::format("cannot read '{}'", path));
  char buffer[4096];
  for (std::size_t count; (count = std::fread(buffer, 1, sizeof(buffer), file)) > 0;)
    text.append(buffer, count);
  std::fclose(file);
  return text;
}

Expected<void> add_pair(const CoverPruneSettings& settings, const std::vector<std::string>& words) {
  if (words.size() != 1)
    return usage_error("--add PAIR needs the reason as one more argument, in quotes");
  auto pair = coverage::parse_pruned_pair(settings.add);
  if (!pair) return tl::unexpected(pair.error());
  pair->reason = words[0];
  auto list = read_list(settings.prune);
  if (!list) return tl::unexpected(list.error());
  if (std::any_of(list->entries.begin(), list->entries.end(),
                  [&](const PrunedPair& entry) { return entry.is_same_pair(*pair); }))
    return usage_error(fmt::format("it is in '{}' already", settings.prune));
  auto pairs = read_pairs(settings.data);
  if (!pairs) return tl::unexpected(pairs.error());
  if (pairs->is_there) {
    PruneList alone;
    alone.entries.push_back(*pair);
    const coverage::Wording wording(pairs->data);
    const coverage::Pruned pruned = coverage::find_pruned(alone, pairs->data, wording);
    if (!pruned.is_used[0]) {
      fmt::print(stderr, "{}: note: there is no such pair in '{}'\n", kCoverPruneName,
                 settings.data);
    }
    for (std::size_t i = 0; i < pairs->data.pairs().size(); ++i) {
      if (pruned.is_pruned(i) && pairs->data.pairs()[i].is_covered())
        return usage_error(fmt::format("it can be covered: '{}' has it covered", settings.data));
    }
  }
  auto text = read_text(settings.prune);
  if (!text) return tl::unexpected(text.error());
  if (text->empty()) *text = PruneList().text();
  if (!text->ends_with('\n')) *text += '\n';
  *text += fmt::format("{}\n    {}\n", pair->text(), pair->reason);
  if (auto good = PruneList::parse(*text, settings.prune); !good)
    return tl::unexpected(good.error());
  return write_whole_file(settings.prune, *text);
}

// Also removes the reason; comments stay.
Expected<void> remove_pair(const CoverPruneSettings& settings) {
  auto wanted = coverage::parse_pruned_pair(settings.remove);
  if (!wanted) return tl::unexpected(wanted.error());
  auto text = read_text(settings.prune);
  if (!text) return tl::unexpected(text.error());
  std::string rest;
  bool is_removing = false, was_there = false;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = std::min(text->find('\n', at), text->size() - 1) + 1;
    const std::string line = text->substr(at, end - at);
    at = end;
    const bool is_pair = line.find_first_of(" \t#\r\n") != 0;
    if (is_pair) {
      const auto pair = coverage::parse_pruned_pair(line);
      is_removing = pair && pair->is_same_pair(*wanted);
      was_there = was_there || is_removing;
    }
    const bool is_reason = line[0] == ' ' || line[0] == '\t';
    if (!is_removing || !(is_pair || is_reason)) rest += line;
  }
  if (!was_there) return usage_error(fmt::format("'{}' has no such pair", settings.prune));
  return write_whole_file(settings.prune, rest);
}

Expected<void> print_list(const CoverPruneSettings& settings) {
  auto list = read_list(settings.prune);
  if (!list) return tl::unexpected(list.error());
  auto pairs = read_pairs(settings.data);
  if (!pairs) return tl::unexpected(pairs.error());
  const coverage::Wording wording(pairs->data);
  const coverage::Pruned pruned = coverage::find_pruned(*list, pairs->data, wording);
  std::vector<int> covered(list->entries.size());
  for (std::size_t i = 0; i < pairs->data.pairs().size(); ++i) {
    if (pruned.is_pruned(i) && pairs->data.pairs()[i].is_covered()) ++covered[pruned.entry_of[i]];
  }
  for (std::size_t i = 0; i < list->entries.size(); ++i) {
    const PrunedPair& entry = list->entries[i];
    fmt::print("{}\n    {}\n", entry.text(), entry.reason);
    if (covered[i] > 0) fmt::print("    !! it was covered all the same: take it off the list\n");
    if (pairs->is_there && !pruned.is_used[i])
      fmt::print("    !! there is no such pair in '{}': has the source changed?\n", settings.data);
  }
  if (list->entries.empty()) fmt::print("no pairs are pruned\n");
  return {};
}

// As lines that a person who agrees can append to the file.
Expected<void> print_proposals(const CoverPruneSettings& settings) {
  auto data = cli::read_cover_files({settings.data}, kCoverPruneName);
  if (!data) return tl::unexpected(data.error());
  auto list = read_list(settings.prune);
  if (!list) return tl::unexpected(list.error());
  const coverage::Wording wording(*data);
  const coverage::Pruned pruned = coverage::find_pruned(*list, *data, wording);
  const auto proposals = coverage::proposals(*data, pruned, wording);
  for (const PrunedPair& proposal : proposals)
    fmt::print("{}\n    {}\n", proposal.text(), proposal.reason);
  if (proposals.empty()) {
    fmt::print(stderr, "{}: nothing to propose: no uncovered pair was proved to be impossible\n",
               kCoverPruneName);
  }
  return {};
}

}  // namespace

int cover_prune_command(int argc, char** argv) {
  cli::OptionParser app(
      "Keep the list of pairs that cannot be covered:\n"
      "  snag cover prune [--list]\n"
      "  snag cover prune --add PAIR REASON\n"
      "  snag cover prune --remove PAIR\n"
      "  snag cover prune --propose >> snag.prune\n",
      kCoverPruneName);
  CoverPruneSettings settings;
  std::vector<std::string> words;
  if (const auto code = cli::parse_with_words(app, kCoverPruneRows, argc, argv, settings, words))
    return *code;
  const int actions = (settings.list ? 1 : 0) + (settings.propose ? 1 : 0) +
                      (settings.add.empty() ? 0 : 1) + (settings.remove.empty() ? 0 : 1);
  Expected<void> done;
  if (actions > 1) {
    done = usage_error("give one of --list, --add, --remove and --propose");
  } else if (!settings.add.empty()) {
    done = add_pair(settings, words);
  } else if (!words.empty()) {
    done = usage_error(fmt::format("what is '{}' for?", words[0]));
  } else if (!settings.remove.empty()) {
    done = remove_pair(settings);
  } else if (settings.propose) {
    done = print_proposals(settings);
  } else {
    done = print_list(settings);
  }
  return done ? static_cast<int>(kExitClean) : cli::complain(kCoverPruneName, done.error());
}

}  // namespace snag::cli
