// Files that a run left changed: the next run, or a replay, finds them as the last one left them.
#pragma once

#include <sys/stat.h>

#include <atomic>
#include <cstdint>

namespace snag {

inline constexpr std::uint32_t kMaxChangedFiles = 48;
inline constexpr std::uint32_t kChangedPath = 232;

// What tells two states of a file apart.
struct FileState {
  std::uint64_t inode;  // 0: there is no such file
  std::int64_t size;
  std::int64_t changed_ns;  // the time of the last change of its contents

  friend bool operator==(const FileState&, const FileState&) = default;
};

inline FileState state_of(const struct stat& info) {
  return {static_cast<std::uint64_t>(info.st_ino), info.st_size,
          info.st_mtim.tv_sec * std::int64_t{1'000'000'000} + info.st_mtim.tv_nsec};
}

enum class FileChange : std::uint32_t { kCreated, kModified, kDeleted };
inline constexpr const char* kFileChangeNames[] = {"created", "modified", "deleted"};

struct ChangedFile {
  char path[kChangedPath];  // absolute
  FileState before;         // before the run first did something that may change it
  FileChange change;        // only of those that are left changed
  // In Shared::changed_files: one more than the number of the last run that named it after an
  // earlier run had changed it; 0: none did.
  std::uint64_t used_by;
};

struct ChangedFiles {
  std::atomic<std::uint32_t> count;     // of `files`
  std::atomic<std::uint32_t> left_out;  // that did not fit
  ChangedFile files[kMaxChangedFiles];
};

}  // namespace snag
