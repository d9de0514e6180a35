// Implements command.h: snag cover merge: combines data files of the same build.

#include <fmt/format.h>

#include "tool/base/whole_file.h"
#include "tool/cli/commands/command.h"
#include "tool/cli/options/cover_files.h"
#include "tool/cli/options/exit_codes.h"
#include "tool/cli/options/option_table.h"
#include "tool/coverage/data/data_file.h"
#include "tool/coverage/data/file.h"
#include "tool/coverage/data/merge.h"

namespace snag::cli {
namespace {

constexpr const char* kCoverMergeName = "snag cover merge";

struct CoverMergeSettings {
  std::string output;
};

constexpr cli::OptionRow<CoverMergeSettings> kCoverMergeRows[] = {
    {"-o,--output", "FILE", "the file to write", cli::set_text<&CoverMergeSettings::output>},
};

}  // namespace

int cover_merge_command(int argc, char** argv) {
  cli::OptionParser app(
      "Put data files of the same build together:\n"
      "  snag cover merge FILE... -o FILE\n",
      kCoverMergeName);
  CoverMergeSettings settings;
  std::vector<std::string> words;
  if (const auto code = cli::parse_with_words(app, kCoverMergeRows, argc, argv, settings, words))
    return *code;
  if (words.empty() || settings.output.empty()) {
    return cli::complain(kCoverMergeName, {ErrorKind::kUsage,
                                           "give the files to read, and the one to write with -o"});
  }
  auto data = cli::read_cover_files(words, kCoverMergeName);
  if (!data) return cli::complain(kCoverMergeName, data.error());
  if (auto free = coverage::check_not_measured(settings.output); !free)
    return cli::complain(kCoverMergeName, free.error());
  const std::string text = coverage::format_cover(coverage::in_order(*data));
  if (auto written = write_whole_file(settings.output, text); !written)
    return cli::complain(kCoverMergeName, written.error());
  return kExitClean;
}

}  // namespace snag::cli
