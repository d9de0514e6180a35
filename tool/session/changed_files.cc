#include "tool/session/changed_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iterator>

#include "tool/base/text.h"

namespace snag::session {
namespace {

// A report names the first ones: the others are there for the same reason.
constexpr std::size_t kNamed = 4;

// The program may have overwritten it.
std::string checked_path(const ChangedFile& file) {
  std::string path(file.path, strnlen(file.path, sizeof(file.path)));
  for (char& c : path) {
    if (!is_printable({&c, 1})) c = '?';
  }
  return path;
}

std::string shown_path(const std::string& path) {
  std::error_code error;
  const std::string folder = std::filesystem::current_path(error).string() + "/";
  return path.starts_with(folder) ? path.substr(folder.size()) : path;
}

// Those for which `is_wanted` is true.
template <class Wanted>
FileChanges copy_if(const ChangedFiles& from, Wanted is_wanted) {
  FileChanges changes;
  const std::uint32_t count = std::min(from.count.load(), kMaxChangedFiles);
  for (std::uint32_t i = 0; i < count; ++i) {
    const ChangedFile& file = from.files[i];
    if (static_cast<std::size_t>(file.change) >= std::size(kFileChangeNames)) continue;
    if (is_wanted(file)) changes.files.push_back({shown_path(checked_path(file)), file.change});
  }
  return changes;
}

}  // namespace

void FileChanges::add(const FileChanges& more) {
  for (const FileChangeEntry& file : more.files) {
    // With what the first of them saw: the others found what that one had left.
    const bool is_known =
        std::any_of(files.begin(), files.end(),
                    [&](const FileChangeEntry& other) { return other.path == file.path; });
    if (!is_known) files.push_back(file);
  }
  left_out += more.left_out;
}

std::string FileChanges::text() const {
  std::vector<std::string> names;
  for (const FileChangeEntry& file : files) {
    if (names.size() == kNamed) break;
    names.push_back(
        fmt::format("{} ({})", file.path, kFileChangeNames[static_cast<int>(file.change)]));
  }
  const std::uint64_t others = files.size() - names.size() + left_out;
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (others != 0) text += fmt::format("{}{} more", names.empty() ? "" : " and ", others);
  return text;
}

FileChanges copy_file_changes(const Shared& shared) {
  FileChanges changes = copy_if(shared.changed_files, [](const ChangedFile&) { return true; });
  changes.left_out = shared.changed_files.left_out.load();
  return changes;
}

FileChanges copy_used_changes(const Shared& shared) {
  const std::uint64_t user = shared.run.number + 1;
  return copy_if(shared.changed_files,
                 [=](const ChangedFile& file) { return file.used_by == user; });
}

}  // namespace snag::session
