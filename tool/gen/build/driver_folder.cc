#include "tool/gen/build/driver_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

namespace snag::gen {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStem = "driver-";
// A file in a temporary folder. The session holds a lock on it, which ends with the session,
// however that ends.
constexpr const char* kLockName = "unfinished";

// -1: another session has it, or there is none.
int lock_file(const std::string& path, int flags) {
  const int descriptor = open(path.c_str(), flags | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor < 0) return -1;
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  close(descriptor);
  return -1;
}

// Removes the folders of sessions that were killed.
void remove_left_folders(const std::string& out) {
  std::error_code failed;
  for (fs::directory_iterator entry(out, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    if (!entry->path().filename().string().starts_with(kStem)) continue;
    const int lock = lock_file((entry->path() / kLockName).string(), 0);
    if (lock < 0) continue;
    std::error_code ignored;
    fs::remove_all(entry->path(), ignored);
    close(lock);
  }
}

}  // namespace

Expected<DriverFolder> DriverFolder::make(const std::string& out) {
  remove_left_folders(out);
  std::string path = fmt::format("{}/{}XXXXXX", out, kStem);
  if (mkdtemp(path.data()) == nullptr)
    return usage_error(fmt::format(
        "cannot make a folder like '{}': choose one with --out that can be written to", path));
  // Under another name until it is locked, or another session would conclude that this one has
  // ended.
  const std::string name = path + "/" + kLockName;
  const std::string early = name + ".new";
  const int lock = lock_file(early, O_CREAT | O_EXCL);
  if (lock < 0 || rename(early.c_str(), name.c_str()) != 0) {
    if (lock >= 0) close(lock);
    std::error_code ignored;
    fs::remove_all(path, ignored);
    return usage_error(fmt::format("cannot write to the folder '{}': choose another --out", out));
  }
  return DriverFolder(path, lock);
}

DriverFolder::DriverFolder(DriverFolder&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

DriverFolder::~DriverFolder() {
  if (lock_ < 0) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  close(lock_);
}

void DriverFolder::keep() {
  if (lock_ < 0) return;
  unlink((path_ + "/" + kLockName).c_str());
  close(std::exchange(lock_, -1));
}

}  // namespace snag::gen
