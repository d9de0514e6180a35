// Files that runs left changed, copied out of the shared memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "protocol/shared_memory.h"

namespace snag::session {

struct FileChangeEntry {
  std::string path;  // relative to the working folder, if it is there
  FileChange change = FileChange::kCreated;

  friend bool operator==(const FileChangeEntry&, const FileChangeEntry&) = default;
};

struct FileChanges {
  std::vector<FileChangeEntry> files;
  std::uint64_t left_out = 0;  // that did not fit

  bool any() const { return !files.empty() || left_out != 0; }
  // Those of another server, or of another search.
  void add(const FileChanges& more);
  // "out.txt (created), log (modified) and 3 more"
  std::string text() const;
};

// Of all runs so far.
FileChanges copy_file_changes(const Shared& shared);

// Those that the current run used after earlier runs had changed them.
FileChanges copy_used_changes(const Shared& shared);

// What makes the runs independent of the files.
inline constexpr const char* kPutsFilesBack = "snag run --cwd-snapshot on";

}  // namespace snag::session
