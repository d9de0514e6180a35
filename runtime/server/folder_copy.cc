#include "runtime/server/folder_copy.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/stat.h>

#include "arch/arch.h"
#include "protocol/random.h"

namespace snag::rt {
namespace {

constexpr int kDeepest = 64;  // folders in each other

struct Entry {
  std::uint64_t inode;
  std::int64_t next;
  std::uint16_t size;
  std::uint8_t type;
  char name[];
};

long open_at(long folder, const char* name, int flags, mode_t mode = 0) {
  return raw_syscall(SYS_openat, folder, as_arg(name), flags | O_CLOEXEC, mode);
}
long open_folder(long folder, const char* name) {
  return open_at(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}
void close_file(long file) {
  if (file >= 0) raw_syscall(SYS_close, file);
}
long stat_at(long folder, const char* name, struct stat* info) {
  return raw_syscall(SYS_newfstatat, folder, as_arg(name), as_arg(info), AT_SYMLINK_NOFOLLOW);
}

// Calls `visit(name)` for each entry of an open folder until one says false; closes it. False: one
// did.
template <class Visit>
bool for_each_entry(long folder, Visit visit) {
  alignas(Entry) char buffer[4096];
  bool goes_on = true;
  long size;
  while (goes_on &&
         (size = raw_syscall(SYS_getdents64, folder, as_arg(buffer), sizeof buffer)) > 0) {
    for (long at = 0; goes_on && at < size;) {
      auto* entry = reinterpret_cast<Entry*>(buffer + at);
      at += entry->size;
      if (strcmp(entry->name, ".") != 0 && strcmp(entry->name, "..") != 0)
        goes_on = visit(entry->name);
    }
  }
  close_file(folder);
  return goes_on;
}

void keep_times(long folder, const char* name, const struct stat& info) {
  const timespec times[2] = {info.st_atim, info.st_mtim};
  raw_syscall(SYS_utimensat, folder, as_arg(name), as_arg(times), AT_SYMLINK_NOFOLLOW);
}

class Copy {
 public:
  explicit Copy(const struct stat* except) : except_(except) {}
  CopyEnd end = CopyEnd::kDone;

  bool folder(long from, long to, int depth) {
    if (from < 0 || to < 0 || depth == kDeepest) {
      close_file(from);
      close_file(to);
      return fails();
    }
    const bool goes_on =
        for_each_entry(from, [&](const char* name) { return entry(from, to, name, depth); });
    close_file(to);
    return goes_on;
  }

 private:
  bool fails() {
    end = CopyEnd::kFailed;
    return false;
  }

  bool entry(long from, long to, const char* name, int depth) {
    struct stat info;
    if (stat_at(from, name, &info) != 0) return true;  // it has just gone
    if (except_ != nullptr && info.st_ino == except_->st_ino && info.st_dev == except_->st_dev)
      return true;
    if (++files_ > kMostCopiedFiles) {
      end = CopyEnd::kTooBig;
      return false;
    }
    if (S_ISREG(info.st_mode)) return file(from, to, name, info);
    if (S_ISLNK(info.st_mode)) return symbolic_link(from, to, name);
    if (S_ISFIFO(info.st_mode))
      return raw_syscall(SYS_mknodat, to, as_arg(name), info.st_mode, 0) == 0 || fails();
    if (!S_ISDIR(info.st_mode)) return true;
    if (raw_syscall(SYS_mkdirat, to, as_arg(name), 0700) != 0) return fails();
    // (If it cannot be opened, the program may not see what is in it, either.)
    const long inner = open_folder(from, name);
    if (inner >= 0 && !folder(inner, open_folder(to, name), depth + 1)) return false;
    raw_syscall(SYS_fchmodat, to, as_arg(name), info.st_mode & 07777);
    keep_times(to, name, info);
    return true;
  }

  bool symbolic_link(long from, long to, const char* name) {
    char target[4096];
    const long length =
        raw_syscall(SYS_readlinkat, from, as_arg(name), as_arg(target), sizeof target);
    if (length < 0 || length == static_cast<long>(sizeof target)) return fails();
    target[length] = 0;
    return raw_syscall(SYS_symlinkat, as_arg(target), to, as_arg(name)) == 0 || fails();
  }

  // The old time of change stays: whatever a run writes gets another one.
  bool file(long from, long to, const char* name, const struct stat& info) {
    const long input = open_at(from, name, O_RDONLY | O_NOFOLLOW);
    if (input < 0) return true;  // the program may not read it, either
    const long output = open_at(to, name, O_WRONLY | O_CREAT | O_EXCL, 0600);
    bool good = output >= 0;
    if (good && raw_syscall(SYS_ioctl, output, FICLONE, input) != 0) good = data(input, output);
    if (good) {
      raw_syscall(SYS_fchmod, output, info.st_mode & 07777);
      keep_times(to, name, info);
    }
    close_file(input);
    close_file(output);
    return good || end == CopyEnd::kTooBig ? good : fails();
  }

  bool data(long input, long output) {
    char buffer[16'384];
    long size;
    while ((size = raw_syscall(SYS_read, input, as_arg(buffer), sizeof buffer)) > 0) {
      bytes_ += static_cast<std::uint64_t>(size);
      if (bytes_ > kMostCopiedBytes) {
        end = CopyEnd::kTooBig;
        return false;
      }
      for (long done = 0; done < size;) {
        const long written = raw_syscall(SYS_write, output, as_arg(buffer + done), size - done);
        if (written <= 0) return false;
        done += written;
      }
    }
    return size == 0;
  }

  const struct stat* except_;
  std::uint64_t files_ = 0, bytes_ = 0;
};

// A sum, because the order of the entries means nothing.
std::uint64_t state_of_entries(long folder, std::uint64_t seed, int depth) {
  std::uint64_t sum = 0;
  if (folder < 0 || depth > kDeepest) return seed;
  for_each_entry(folder, [&](const char* name) {
    struct stat info;
    if (stat_at(folder, name, &info) != 0) return true;
    std::uint64_t hash = seed;
    for (const char* c = name; *c != 0; ++c) hash = mix64(hash ^ static_cast<unsigned char>(*c));
    const auto add = [&hash](auto part) { hash = mix64(hash ^ static_cast<std::uint64_t>(part)); };
    add(info.st_mode);
    add(info.st_ino);
    add(info.st_size);
    add(info.st_mtim.tv_sec);
    add(info.st_mtim.tv_nsec);
    add(info.st_ctim.tv_sec);
    add(info.st_ctim.tv_nsec);
    sum += hash;
    if (S_ISDIR(info.st_mode)) sum += state_of_entries(open_folder(folder, name), hash, depth + 1);
    return true;
  });
  return sum;
}

bool all_owned_by(long folder, unsigned user, unsigned group, int depth) {
  if (folder < 0 || depth > kDeepest) return false;
  return for_each_entry(folder, [&](const char* name) {
    struct stat info;
    if (stat_at(folder, name, &info) != 0) return true;
    if (info.st_uid != user || info.st_gid != group) return false;
    return !S_ISDIR(info.st_mode) ||
           all_owned_by(open_folder(folder, name), user, group, depth + 1);
  });
}

void remove_entries(long folder, int depth) {
  if (folder < 0 || depth > 2 * kDeepest) return;
  for_each_entry(folder, [&](const char* name) {
    if (raw_syscall(SYS_unlinkat, folder, as_arg(name), 0) == 0) return true;
    raw_syscall(SYS_fchmodat, folder, as_arg(name), 0700);
    remove_entries(open_folder(folder, name), depth + 1);
    raw_syscall(SYS_unlinkat, folder, as_arg(name), AT_REMOVEDIR);
    return true;
  });
}

}  // namespace

CopyEnd copy_folder(const char* from, const char* to, const char* except) {
  struct stat left_out;
  const bool has_exception = except != nullptr && stat_at(AT_FDCWD, except, &left_out) == 0;
  Copy copy(has_exception ? &left_out : nullptr);
  copy.folder(open_folder(AT_FDCWD, from), open_folder(AT_FDCWD, to), 0);
  return copy.end;
}

std::uint64_t state_of_folder(const char* path) {
  return state_of_entries(open_folder(AT_FDCWD, path), 1, 0);
}

bool is_owned_by(const char* path, unsigned user, unsigned group) {
  struct stat info;
  return stat_at(AT_FDCWD, path, &info) == 0 && info.st_uid == user && info.st_gid == group &&
         all_owned_by(open_folder(AT_FDCWD, path), user, group, 0);
}

void remove_folder(const char* path) {
  remove_entries(open_folder(AT_FDCWD, path), 0);
  raw_syscall(SYS_unlinkat, AT_FDCWD, as_arg(path), AT_REMOVEDIR);
}

}  // namespace snag::rt
