#include "tool/cli/options/cover_files.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "tool/base/whole_file.h"
#include "tool/cli/options/option_table.h"
#include "tool/coverage/data/file.h"
#include "tool/coverage/data/merge.h"
#include "tool/coverage/data/wording.h"

namespace snag::cli {

using coverage::CoverData;

Expected<CoverData> read_cover_files(const std::vector<std::string>& paths, const char* command) {
  const std::vector<std::string> files =
      paths.empty() ? std::vector<std::string>{coverage::kDefaultCoverFile} : paths;
  CoverData all;
  for (std::size_t i = 0; i < files.size(); ++i) {
    auto read = coverage::read_cover(files[i]);
    if (!read) return tl::unexpected(read.error());
    if (read->bad_lines > 0) {
      fmt::print(stderr, "{}: '{}' was cut or damaged: {} left out, the rest is used\n", command,
                 files[i], counted(read->bad_lines, "line was", "lines were"));
    }
    if (i == 0) {
      all = std::move(read->data);
      continue;
    }
    if (auto same = coverage::check_same_build(all, files[0], read->data, files[i]); !same)
      return tl::unexpected(same.error());
    all = coverage::merge(all, read->data);
  }
  return all;
}

Expected<coverage::PruneList> read_prune_file(const std::string& path) {
  if (!path.empty()) return coverage::PruneList::read(path);
  std::error_code ignored;
  if (!std::filesystem::exists(coverage::kDefaultPruneFile, ignored)) return coverage::PruneList();
  return coverage::PruneList::read(coverage::kDefaultPruneFile);
}

Expected<void> write_result(const std::string& path, const std::string& text) {
  if (path != "-") return write_whole_file(path, text);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return {};
}

int complain(const char* command, const Error& error) {
  fmt::print(stderr, "{}: {}\n", command, error.message);
  return exit_code_of(error);
}

}  // namespace snag::cli
