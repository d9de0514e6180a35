#include "tool/session/scratch_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace snag::session {
namespace {

constexpr const char* kPrefix = "snag-";
constexpr std::size_t kNameLength = 11;  // snag-XXXXXX
// Tells such a folder from others of that name.
constexpr const char* kMark = ".snag-scratch";

int open_folder(const std::string& path) {
  return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

bool is_abandoned(const std::string& path, int folder) {
  struct stat info;
  return fstat(folder, &info) == 0 && info.st_uid == geteuid() &&
         faccessat(folder, kMark, F_OK, AT_SYMLINK_NOFOLLOW) == 0 &&
         flock(folder, LOCK_EX | LOCK_NB) == 0 && std::filesystem::exists(path);
}

void remove_abandoned(const std::string& place) {
  std::error_code ignored;
  std::vector<std::string> candidates;
  for (std::filesystem::directory_iterator entry(place, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (name.size() == kNameLength && name.starts_with(kPrefix))
      candidates.push_back(entry->path().string());
  }
  for (const std::string& path : candidates) {
    const int folder = open_folder(path);
    if (folder < 0) continue;
    std::error_code failed;
    if (is_abandoned(path, folder)) std::filesystem::remove_all(path, failed);
    close(folder);
  }
}

}  // namespace

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::exchange(other.lock_, -1)) {}

ScratchFolder& ScratchFolder::operator=(ScratchFolder&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(lock_, other.lock_);
  return *this;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  if (lock_ >= 0) close(lock_);
}

Expected<ScratchFolder> ScratchFolder::make(const std::string& place) {
  remove_abandoned(place);
  ScratchFolder result;
  std::string name = place + "/" + kPrefix + "XXXXXX";
  if (mkdtemp(name.data()) == nullptr) {
    return nothing_ran(fmt::format(
        "--cwd-snapshot: cannot make a folder like '{}' ({}): name another place in TMPDIR", name,
        std::strerror(errno)));
  }
  result.path_ = name;
  result.lock_ = open_folder(name);
  // Without the mark, which is made under the lock, nobody else removes it. A file system without
  // locks keeps what is left.
  if (result.lock_ >= 0 && flock(result.lock_, LOCK_EX | LOCK_NB) == 0)
    close(openat(result.lock_, kMark, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  return result;
}

}  // namespace snag::session
