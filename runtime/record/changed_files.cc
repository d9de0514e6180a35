#include "runtime/record/changed_files.h"

#include <fcntl.h>
#include <string.h>

#include "arch/arch.h"
#include "runtime/sched/scheduler_state.h"

namespace snag::rt {
namespace {

// With a slash at the end; empty: there is none.
constinit char ignored[2][kChangedPath]{};

FileState state_at(const char* path) {
  struct stat info;
  // A link that leads nowhere is a file, too.
  constexpr int kFlags[] = {0, AT_SYMLINK_NOFOLLOW};
  for (const int flags : kFlags) {
    if (raw_syscall(SYS_newfstatat, AT_FDCWD, as_arg(path), as_arg(&info), flags) == 0)
      return state_of(info);
  }
  return {};
}

bool begins_with(const char* text, const char* start) {
  return strncmp(text, start, strlen(start)) == 0;
}

// Files that are none, or that others use as well.
bool is_special(const char* path) {
  constexpr const char* kFolders[] = {"/dev/", "/proc/", "/sys/"};
  for (const char* folder : kFolders) {
    if (begins_with(path, folder)) return true;
  }
  return false;
}

bool is_put_back(const char* path) {
  for (const char(&folder)[kChangedPath] : ignored) {
    if (folder[0] != 0 && begins_with(path, folder)) return true;
  }
  return false;
}

// Where a descriptor leads; the length, 0 if it is not known or too long.
std::size_t path_of(long descriptor, char (&text)[kChangedPath]) {
  char link[32] = "/proc/self/fd/";
  char digits[12];
  int count = 0;
  for (unsigned rest = static_cast<unsigned>(descriptor); count == 0 || rest != 0; rest /= 10)
    digits[count++] = static_cast<char>('0' + rest % 10);
  char* end = link + strlen(link);
  while (count > 0) *end++ = digits[--count];
  const long length =
      raw_syscall(SYS_readlinkat, AT_FDCWD, as_arg(link), as_arg(text), sizeof text);
  return length > 0 && length < static_cast<long>(sizeof text) && text[0] == '/'
             ? static_cast<std::size_t>(length)
             : 0;
}

// The folder that a relative path begins at; its length, 0 if it is not known or too long.
std::size_t begin_of(int folder, char (&text)[kChangedPath]) {
  if (folder != AT_FDCWD) return path_of(folder, text);
  const long length = raw_syscall(SYS_getcwd, as_arg(text), sizeof text);  // with the zero
  return length > 1 && text[0] == '/' ? static_cast<std::size_t>(length) - 1 : 0;
}

// Without "." and empty parts, so that one file has one name in most programs. False if it does not
// fit.
bool make_absolute(int folder, const char* path, char (&result)[kChangedPath]) {
  std::size_t length = 0;
  if (path[0] != '/') {
    length = begin_of(folder, result);
    if (length == 0) return false;
    if (length == 1) length = 0;  // "/"
  }
  while (*path != 0) {
    while (*path == '/') ++path;
    const char* end = path;
    while (*end != 0 && *end != '/') ++end;
    const auto size = static_cast<std::size_t>(end - path);
    if (size != 0 && !(size == 1 && *path == '.')) {
      if (length + 1 + size >= sizeof result) return false;
      result[length++] = '/';
      memcpy(result + length, path, size);
      length += size;
    }
    path = end;
  }
  result[length] = 0;
  return length != 0;
}

// Where an absolute path leads: without symbolic links and "..". Its last part is looked up in its
// folder, as the file may not exist. False if a folder on the way does not exist, or the result
// does not fit.
bool resolve_folder(char (&path)[kChangedPath]) {
  char* const slash = strrchr(path, '/');
  if (slash == nullptr) return false;
  char name[kChangedPath];
  strcpy(name, slash + 1);
  if (strcmp(name, "..") == 0) return true;  // no file
  slash[slash == path ? 1 : 0] = 0;
  const long folder =
      raw_syscall(SYS_openat, AT_FDCWD, as_arg(path), O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
  slash[0] = '/';
  strcpy(slash + 1, name);
  if (folder < 0) return false;
  char result[kChangedPath];
  std::size_t length = path_of(folder, result);
  raw_syscall(SYS_close, folder);
  if (length == 1)
    length = 0;  // "/"
  else if (length == 0)
    return false;
  const std::size_t size = strlen(name);
  if (length + 1 + size >= sizeof result) return false;
  result[length] = '/';
  memcpy(result + length + 1, name, size + 1);
  memcpy(path, result, length + size + 2);
  return true;
}

// The file that a call changes by this path. `follows`: if the path is a symbolic link, what that
// names. A path that cannot be resolved stays as it is: the call fails as well.
void resolve(char (&path)[kChangedPath], bool follows) {
  constexpr int kMostLinks = 40;  // as in the kernel
  for (int i = 0; i < kMostLinks; ++i) {
    if (!resolve_folder(path) || !follows) return;
    char target[kChangedPath];
    const long length =
        raw_syscall(SYS_readlinkat, AT_FDCWD, as_arg(path), as_arg(target), sizeof target);
    if (length <= 0 || length >= static_cast<long>(sizeof target)) return;
    target[length] = 0;
    char next[kChangedPath];
    if (target[0] != '/') {
      const std::size_t folder = static_cast<std::size_t>(strrchr(path, '/') + 1 - path);
      if (folder + static_cast<std::size_t>(length) >= sizeof next) return;
      memcpy(next, path, folder);
      memcpy(next + folder, target, static_cast<std::size_t>(length) + 1);
    } else {
      strcpy(next, target);
    }
    if (!make_absolute(AT_FDCWD, next, path)) return;
  }
}

ChangedFile* find(ChangedFiles& files, const char* path) {
  const std::uint32_t count = files.count;
  for (std::uint32_t i = 0; i < count && i < kMaxChangedFiles; ++i) {
    if (strcmp(files.files[i].path, path) == 0) return &files.files[i];
  }
  return nullptr;
}

// A new entry. If all are in use: that of a file that came and went; null if there is none.
ChangedFile* add(ChangedFiles& files, bool may_replace) {
  const std::uint32_t count = files.count;
  if (count < kMaxChangedFiles) {
    files.count = count + 1;
    return &files.files[count];
  }
  for (ChangedFile& file : files.files) {
    if (may_replace && file.before == FileState{} && state_at(file.path) == FileState{})
      return &file;
  }
  files.left_out.fetch_add(1, std::memory_order_relaxed);
  return nullptr;
}

}  // namespace

void ignore_changed_files(const char* first, const char* second) {
  const char* folders[] = {first, second};
  for (int i = 0; i < 2; ++i) {
    ignored[i][0] = 0;
    const std::size_t length = folders[i] != nullptr ? strlen(folders[i]) : 0;
    if (length == 0 || length + 1 >= kChangedPath) continue;
    memcpy(ignored[i], folders[i], length);
    ignored[i][length] = '/';
    ignored[i][length + 1] = 0;
  }
}

namespace {

// `is_new`: it is there already, and was not before.
void note(int folder, const char* path, bool is_new, bool follows) {
  if (path == nullptr || *path == 0) return;
  char absolute[kChangedPath];
  ChangedFiles& files = sched.shared->run.changed_files;
  if (!make_absolute(folder, path, absolute)) {
    files.left_out.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (is_special(absolute)) return;
  resolve(absolute, follows);
  if (is_special(absolute) || is_put_back(absolute) || find(files, absolute) != nullptr) return;
  const FileState before = is_new ? FileState{} : state_at(absolute);
  ChangedFile* file = add(files, true);
  if (file == nullptr) return;
  memcpy(file->path, absolute, sizeof absolute);
  file->before = before;
  file->used_by = 0;
}

}  // namespace

void note_file_change(int folder, const char* path, bool follows) {
  note(folder, path, false, follows);
}
void note_file_use(int folder, const char* path) {
  ChangedFiles& files = sched.shared->changed_files;
  if (files.count.load(std::memory_order_relaxed) == 0) return;
  char absolute[kChangedPath];
  if (path == nullptr || *path == 0 || !make_absolute(folder, path, absolute)) return;
  ChangedFile* file = find(files, absolute);
  // What this run has made itself is none of the others' business.
  if (file != nullptr && find(sched.shared->run.changed_files, absolute) == nullptr)
    file->used_by = sched.shared->run.number + 1;
}
void note_new_file(const char* path) { note(AT_FDCWD, path, true, false); }

void find_changed_files(Shared* shared) {
  ChangedFiles& files = shared->run.changed_files;
  std::uint32_t left = 0;
  for (std::uint32_t i = 0; i < files.count && i < kMaxChangedFiles; ++i) {
    ChangedFile& file = files.files[i];
    file.path[kChangedPath - 1] = 0;
    const FileState now = state_at(file.path);
    if (now == file.before) continue;
    file.change = now.inode == 0           ? FileChange::kDeleted
                  : file.before.inode == 0 ? FileChange::kCreated
                                           : FileChange::kModified;
    if (find(shared->changed_files, file.path) == nullptr) {
      if (ChangedFile* entry = add(shared->changed_files, false)) *entry = file;
    }
    files.files[left++] = file;
  }
  files.count = left;
  const std::uint32_t left_out = files.left_out;
  if (left == 0 && left_out == 0) return;
  shared->changed_files.left_out.fetch_add(left_out, std::memory_order_relaxed);
  shared->live.uncontrolled[static_cast<int>(Uncontrolled::kChangedFiles)].fetch_add(
      1, std::memory_order_relaxed);
}

}  // namespace snag::rt
