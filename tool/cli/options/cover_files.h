// What the commands of `snag cover` share: their command line, reading data files, and writing
// results.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tool/base/error.h"
#include "tool/cli/options/option_table.h"
#include "tool/coverage/data/data.h"
#include "tool/coverage/data/prune.h"

namespace snag::cli {

// Accepts options and words in any order, even after "--"; returns as parse_options does.
template <class Settings, std::size_t count>
std::optional<int> parse_with_words(OptionParser& parser, const OptionRow<Settings> (&rows)[count],
                                    int argc, char** argv, Settings& settings,
                                    std::vector<std::string>& words) {
  SplitLine line;
  const auto code = parse_options(parser, std::span<const OptionRow<Settings>>(rows), argc, argv,
                                  Words::kBetweenOptions, settings, line);
  words = std::move(line.words);
  words.insert(words.end(), line.tail.begin(), line.tail.end());
  return code;
}

// Reads one data file, or several of the same build as one; without a name, that of the current
// folder. Reports damaged lines on standard error.
Expected<coverage::CoverData> read_cover_files(const std::vector<std::string>& paths,
                                               const char* command);

// The given file; otherwise that of the current folder, or nothing if there is none.
Expected<coverage::PruneList> read_prune_file(const std::string& path);

// To a file, or with "-" to standard output.
Expected<void> write_result(const std::string& path, const std::string& text);

// Prints the error, with the command in front; returns the exit code.
int complain(const char* command, const Error& error);

}  // namespace snag::cli
