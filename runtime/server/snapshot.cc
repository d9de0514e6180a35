#include "runtime/server/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "arch/arch.h"
#include "runtime/record/changed_files.h"
#include "runtime/server/folder_copy.h"

namespace snag::rt {
namespace {

constexpr std::size_t kMostPath = 4096;

constexpr const char* kTooBig =
    "--cwd-snapshot: no overlay is possible over the working folder, and to copy it for each run "
    "it "
    "is too big (more than 10,000 files or 256 MiB): start Snag in a smaller folder";
constexpr const char* kCannotCopy =
    "--cwd-snapshot: no overlay is possible over the working folder, and it cannot be copied into "
    "the folder for temporary files: name another one with space in TMPDIR";
constexpr const char* kNoFolder = "--cwd-snapshot: the working folder is gone or its name too long";
constexpr const char* kNotAgain =
    "--cwd-snapshot: the system refuses to put the files of the working folder back";

constinit CwdSnapshot mode = CwdSnapshot::kOff;
constinit char working_folder[kMostPath]{};

long open_at(long folder, const char* name, int flags) {
  return raw_syscall(SYS_openat, folder, as_arg(name), flags | O_CLOEXEC, 0);
}

// The program finds it as if nothing had been done.
struct KeptErrno {
  const int value = errno;
  ~KeptErrno() { errno = value; }
};

const char* change_folder(const char* path) {
  return raw_syscall(SYS_chdir, as_arg(path)) == 0 ? nullptr : kNotAgain;
}

bool is_below(const char* path, const char* folder) {
  const std::size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && path[length] == '/';
}

// ---- Overlays. ----

struct Layer {
  char folder[kMostPath];
  long upper;  // the folder that gets what is written
};
constinit Layer layers[2]{};
constinit int layer_count = 0;
constinit bool in_user_namespace = false;
constinit bool leaves_temporary_files = false;

char* append(char* end, const char* text) {
  const std::size_t length = strlen(text);
  memcpy(end, text, length + 1);
  return end + length;
}
char* append(char* end, unsigned long number) {
  char digits[20];
  int count = 0;
  do {
    digits[count++] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  while (count > 0) *end++ = digits[--count];
  *end = 0;
  return end;
}

bool write_file(const char* path, const char* text) {
  const long file = open_at(AT_FDCWD, path, O_WRONLY);
  if (file < 0) return false;
  const auto length = static_cast<long>(strlen(text));
  const bool written = raw_syscall(SYS_write, file, as_arg(text), length) == length;
  raw_syscall(SYS_close, file);
  return written;
}

bool map_id(const char* path, unsigned long id) {
  char line[64];
  append(append(append(append(line, id), " "), id), " 1");
  return write_file(path, line);
}

bool enter_namespaces() {
  const auto user = static_cast<unsigned>(raw_syscall(SYS_geteuid));
  const auto group = static_cast<unsigned>(raw_syscall(SYS_getegid));
  if (raw_syscall(SYS_unshare, CLONE_NEWNS) != 0) {
    // In a user namespace there is only this user: an overlay cannot give a changed file back to
    // another one, and refuses to change it.
    if (!is_owned_by(working_folder, user, group)) return false;
    if (raw_syscall(SYS_unshare, CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    in_user_namespace = true;
    write_file("/proc/self/setgroups", "deny");
    if (!map_id("/proc/self/uid_map", user) || !map_id("/proc/self/gid_map", group)) return false;
  }
  return mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

// Another file system below the folder would vanish under the overlay.
bool has_mounts_below(const char* folder) {
  const long file = open_at(AT_FDCWD, "/proc/self/mountinfo", O_RDONLY);
  if (file < 0) return true;
  // The fifth word of each line.
  char buffer[1024], path[kMostPath];
  std::size_t length = 0;
  int word = 0;
  bool found = false;
  long size;
  while ((size = raw_syscall(SYS_read, file, as_arg(buffer), sizeof buffer)) > 0) {
    for (long i = 0; i < size; ++i) {
      const char c = buffer[i];
      if (c == ' ' || c == '\n') {
        path[length] = 0;
        found |= word == 4 && is_below(path, folder);
        word = c == '\n' ? 0 : word + 1;
        length = 0;
      } else if (word == 4 && length + 1 < sizeof path) {
        path[length++] = c;
      }
    }
  }
  raw_syscall(SYS_close, file);
  return found;
}

// Two mounts, one upon the other: a file system in memory for what is written, and the overlay.
// Nobody sees the lower one.
bool cover(Layer& layer) {
  const long lower = open_at(AT_FDCWD, layer.folder, O_PATH | O_DIRECTORY);
  if (lower < 0) return false;
  struct stat info;
  bool good = raw_syscall(SYS_newfstatat, lower, as_arg(""), as_arg(&info), AT_EMPTY_PATH) == 0 &&
              mount("snag", layer.folder, "tmpfs", 0, nullptr) == 0;
  if (!good) {
    raw_syscall(SYS_close, lower);
    return false;
  }
  const long top = open_at(AT_FDCWD, layer.folder, O_PATH | O_DIRECTORY);
  good = top >= 0 && raw_syscall(SYS_mkdirat, top, as_arg("upper"), 0700) == 0 &&
         raw_syscall(SYS_mkdirat, top, as_arg("work"), 0700) == 0;
  layer.upper = good ? open_at(top, "upper", O_RDONLY | O_DIRECTORY) : -1;
  if (layer.upper >= 0) {
    // The overlay's own folder is that one.
    raw_syscall(SYS_fchown, layer.upper, info.st_uid, info.st_gid);
    raw_syscall(SYS_fchmod, layer.upper, info.st_mode & 07777);
    char options[256];
    char* end =
        append(append(options, "lowerdir=/proc/self/fd/"), static_cast<unsigned long>(lower));
    end = append(append(end, ",upperdir=/proc/self/fd/"), static_cast<unsigned long>(top));
    end = append(append(end, "/upper,workdir=/proc/self/fd/"), static_cast<unsigned long>(top));
    end = append(end, "/work");
    // Without redirections, the folder's own folders cannot be renamed (EXDEV). In a user namespace
    // the kernel allows none.
    append(end, in_user_namespace ? ",userxattr" : ",redirect_dir=on");
    good = mount("overlay", layer.folder, "overlay", 0, options) == 0;
    if (!good && !in_user_namespace) {
      *end = 0;
      good = mount("overlay", layer.folder, "overlay", 0, options) == 0;
    }
  }
  raw_syscall(SYS_close, lower);
  if (top >= 0) raw_syscall(SYS_close, top);
  if (good && layer.upper >= 0) return true;
  if (layer.upper >= 0) raw_syscall(SYS_close, layer.upper);
  umount2(layer.folder, MNT_DETACH);
  return false;
}

void uncover(Layer& layer) {
  raw_syscall(SYS_close, layer.upper);
  umount2(layer.folder, MNT_DETACH);
  umount2(layer.folder, MNT_DETACH);
}

// Whether a run has written something.
bool is_used(const Layer& layer) {
  char buffer[512];
  raw_syscall(SYS_lseek, layer.upper, 0, SEEK_SET);
  const long size = raw_syscall(SYS_getdents64, layer.upper, as_arg(buffer), sizeof buffer);
  // "." and ".." take 24 bytes each.
  return size != 48;
}

void add_layer(const char* folder) { strcpy(layers[layer_count++].folder, folder); }

// The folder for temporary files, if an overlay can lie over it; null: none can.
const char* temporary_folder() {
  static char resolved[kMostPath];
  const char* named = getenv("TMPDIR");
  if (named == nullptr || *named != '/') named = "/tmp";
  if (realpath(named, resolved) == nullptr || strcmp(resolved, "/") == 0) return nullptr;
  return has_mounts_below(resolved) ? nullptr : resolved;
}

bool begin_overlays() {
  if (strcmp(working_folder, "/") == 0 || has_mounts_below(working_folder)) return false;
  if (!enter_namespaces()) return false;
  const char* temporary = temporary_folder();
  const bool is_within = temporary != nullptr && is_below(working_folder, temporary);
  // (Between the two may be folders of others.)
  const bool can_be_one = is_within && !in_user_namespace;
  if (can_be_one || (temporary != nullptr && !is_within && strcmp(temporary, working_folder) != 0 &&
                     !is_below(temporary, working_folder)))
    add_layer(temporary);
  if (!can_be_one) add_layer(working_folder);
  const bool is_covered = temporary != nullptr && (can_be_one || layer_count > 1 ||
                                                   strcmp(temporary, working_folder) == 0 ||
                                                   is_below(temporary, working_folder));
  for (int i = 0; i < layer_count; ++i) {
    if (cover(layers[i])) continue;
    while (i-- > 0) uncover(layers[i]);
    return false;
  }
  leaves_temporary_files = !is_covered;
  ignore_changed_files(layers[0].folder, layer_count > 1 ? layers[1].folder : nullptr);
  return change_folder(working_folder) == nullptr;
}

const char* restore_overlays() {
  bool changed = false;
  for (int i = 0; i < layer_count; ++i) {
    if (!is_used(layers[i])) continue;
    changed = true;
    uncover(layers[i]);
    if (!cover(layers[i])) return kNotAgain;
  }
  return changed ? change_folder(working_folder) : nullptr;
}

// ---- Copies. ----

constinit char copied_folder[kMostPath]{};
constinit const char* scratch_folder = nullptr;
constinit std::uint64_t copied_state = 0;

const char* begin_copies(const char* scratch) {
  if (*scratch == 0) return kCannotCopy;
  scratch_folder = scratch;
  append(append(copied_folder, scratch), "/folder");
  static char resolved[kMostPath];  // TMPDIR may lead through a symbolic link
  if (realpath(scratch, resolved) != nullptr && strlen(resolved) + sizeof "/folder" <= kMostPath) {
    strcat(resolved, "/folder");
    ignore_changed_files(resolved, nullptr);
  }
  return nullptr;
}

const char* restore_copy() {
  if (copied_state != 0 && state_of_folder(copied_folder) == copied_state) return nullptr;
  if (const char* why = change_folder(working_folder)) return why;
  remove_folder(copied_folder);
  if (raw_syscall(SYS_mkdirat, AT_FDCWD, as_arg(copied_folder), 0700) != 0) return kCannotCopy;
  switch (copy_folder(working_folder, copied_folder, scratch_folder)) {
    case CopyEnd::kDone:
      break;
    case CopyEnd::kTooBig:
      return kTooBig;
    case CopyEnd::kFailed:
      return kCannotCopy;
  }
  copied_state = state_of_folder(copied_folder);
  return change_folder(copied_folder);
}

}  // namespace

const char* begin_snapshot(Shared* shared) {
  const KeptErrno kept;
  mode = shared->config.settings.cwd_snapshot;
  if (mode == CwdSnapshot::kOff) return nullptr;
  const long length = raw_syscall(SYS_getcwd, as_arg(working_folder), sizeof working_folder);
  if (length <= 0 || working_folder[0] != '/') return kNoFolder;
  // In a debugger there is one run only, and nobody who would remove a copy.
  const bool may_copy = shared->config.in_place == 0;
  if (mode == CwdSnapshot::kOn || !may_copy) {
    mode = begin_overlays() ? CwdSnapshot::kOn : CwdSnapshot::kCopy;
    if (mode == CwdSnapshot::kCopy && !may_copy) return kCannotCopy;
  }
  shared->live.snapshot = mode;
  shared->live.leaves_temporary_files = mode == CwdSnapshot::kOn && leaves_temporary_files;
  return mode == CwdSnapshot::kCopy ? begin_copies(shared->config.scratch) : nullptr;
}

const char* restore_snapshot() {
  if (mode == CwdSnapshot::kOff) return nullptr;
  const KeptErrno kept;
  return mode == CwdSnapshot::kOn ? restore_overlays() : restore_copy();
}

void enter_snapshot() {
  if (mode != CwdSnapshot::kOn) return;
  for (int i = 0; i < layer_count; ++i) raw_syscall(SYS_close, layers[i].upper);
  // The rights that the server needs for its mounts are not the program's.
  if (in_user_namespace && raw_syscall(SYS_geteuid) != 0) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3]{};
    raw_syscall(SYS_capset, as_arg(&header), as_arg(none));
  }
}

}  // namespace snag::rt
