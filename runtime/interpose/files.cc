// Implements calls that name files. Each is a schedule point, so that what lies between a look at a
// file and what follows from it can be interrupted; and those that may change a file are noted, for
// the next run finds it changed.
//
// Reading and writing through descriptors is in io.cc. Streams reach the kernel from inside of
// libc, which is no schedule point.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/detect/races/races.h"
#include "runtime/interpose/interpose.h"
#include "runtime/record/changed_files.h"
#include "runtime/sched/failure.h"
#include "runtime/sched/scheduler_state.h"

using namespace snag;
using namespace snag::rt;

namespace {

bool begins_with(const char* text, const char* start) {
  return strncmp(text, start, strlen(start)) == 0;
}

// Whether threads can notice by this file what others have done.
bool is_shared(const char* path) {
  return path != nullptr && !begins_with(path, "/dev/") && !begins_with(path, "/proc/") &&
         !begins_with(path, "/sys/");
}

enum class Use : std::uint8_t {
  kLooks,     // at the file, or reads it
  kChanges,   // it, or may do so
  kReplaces,  // what it holds, whatever that is
  kOrders,    // changes it in a way by which programs order their threads: a file appears or goes
};

// Before the call.
void enter(Use use, int folder, const char* path, std::uint64_t pc) {
  if (!is_shared(path)) return;
  const int saved = errno;
  step(OpKind::kExternal, outside(), pc);
  if (use == Use::kOrders) race_release_more(outside());
  race_acquire(outside());
  if (use != Use::kReplaces) note_file_use(folder, path);
  if (use != Use::kLooks) note_file_change(folder, path, use != Use::kOrders);
  errno = saved;
}

// After it. A thread that looks again and again for a file waits for another thread.
template <class T>
T leave(Use use, const char* path, std::uint64_t pc, T result, bool failed) {
  if (!is_shared(path)) return result;
  const int saved = errno;
  if (!failed && use != Use::kLooks) {
    note_write();
  } else if (failed) {
    note_read(pc, reinterpret_cast<std::uint64_t>(outside()));
    // Without the snapshot, both names may well be in one file system.
    if (saved == EXDEV && sched.shared->live.snapshot != CwdSnapshot::kOff)
      sched.shared->live.refused_rename.store(1, std::memory_order_relaxed);
  }
  errno = saved;
  return result;
}
int leave(Use use, const char* path, std::uint64_t pc, int result) {
  return leave(use, path, pc, result, result < 0);
}

Use use_of(int flags) {
  if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL)) return Use::kOrders;
  if ((flags & O_TRUNC) != 0) return Use::kReplaces;
  return (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT) != 0 ? Use::kChanges : Use::kLooks;
}
Use use_of(const char* mode) {
  if (mode == nullptr) return Use::kLooks;
  if (strchr(mode, 'x') != nullptr) return Use::kOrders;
  if (mode[0] == 'w') return Use::kReplaces;
  return mode[0] != 'r' || strchr(mode, '+') != nullptr ? Use::kChanges : Use::kLooks;
}

// Random numbers that are read from a file come from the system, which is counted for the summary.
void note_random(const char* path) {
  if (path != nullptr && (strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0)) {
    count_uncontrolled(Uncontrolled::kRandom);
  }
}

}  // namespace

// The function behind ours.
#define SNAG_NATIVE(result, name, parameters) \
  static auto* const native = reinterpret_cast<result(*) parameters>(dlsym(RTLD_NEXT, #name));

// ---- Opening. ----

#define SNAG_OPEN(name, parameters, arguments, folder)                             \
  SNAG_INTERPOSE int name parameters {                                             \
    using Native = int (*)(SNAG_OPEN_TYPES_##name);                                \
    static auto* const native = reinterpret_cast<Native>(dlsym(RTLD_NEXT, #name)); \
    va_list list;                                                                  \
    va_start(list, flags);                                                         \
    const mode_t mode = va_arg(list, mode_t);                                      \
    va_end(list);                                                                  \
    if (runs_freely()) return native arguments;                                    \
    const std::uint64_t pc = SNAG_CALLER;                                          \
    note_random(path);                                                             \
    enter(use_of(flags), folder, path, pc);                                        \
    return leave(use_of(flags), path, pc, native arguments);                       \
  }
#define SNAG_OPEN_TYPES_open const char*, int, ...
#define SNAG_OPEN_TYPES_open64 const char*, int, ...
#define SNAG_OPEN_TYPES_openat int, const char*, int, ...
#define SNAG_OPEN_TYPES_openat64 int, const char*, int, ...
SNAG_OPEN(open, (const char* path, int flags, ...), (path, flags, mode), AT_FDCWD)
SNAG_OPEN(open64, (const char* path, int flags, ...), (path, flags, mode), AT_FDCWD)
SNAG_OPEN(openat, (int at, const char* path, int flags, ...), (at, path, flags, mode), at)
SNAG_OPEN(openat64, (int at, const char* path, int flags, ...), (at, path, flags, mode), at)

// A call that names one file. `failed` is an expression in `result`.
#define SNAG_FILE_CALL(type, name, parameters, arguments, use, folder, path, failed) \
  SNAG_INTERPOSE type name parameters {                                              \
    SNAG_NATIVE(type, name, parameters)                                              \
    if (runs_freely()) return native arguments;                                      \
    const std::uint64_t pc = SNAG_CALLER;                                            \
    enter(use, folder, path, pc);                                                    \
    type const result = native arguments;                                            \
    return leave(use, path, pc, result, failed);                                     \
  }
#define SNAG_INT_CALL(name, parameters, arguments, use, folder, path) \
  SNAG_FILE_CALL(int, name, parameters, arguments, use, folder, path, result < 0)

// What the headers of a C library that checks arguments make of open.
SNAG_INT_CALL(__open_2, (const char* p, int f), (p, f), use_of(f), AT_FDCWD, p)
SNAG_INT_CALL(__open64_2, (const char* p, int f), (p, f), use_of(f), AT_FDCWD, p)
SNAG_INT_CALL(creat, (const char* p, mode_t m), (p, m), Use::kReplaces, AT_FDCWD, p)
SNAG_INT_CALL(creat64, (const char* p, mode_t m), (p, m), Use::kReplaces, AT_FDCWD, p)

#define SNAG_FOPEN(name)                                             \
  SNAG_INTERPOSE FILE* name(const char* path, const char* mode) {    \
    SNAG_NATIVE(FILE*, name, (const char*, const char*))             \
    if (runs_freely()) return native(path, mode);                    \
    const std::uint64_t pc = SNAG_CALLER;                            \
    note_random(path);                                               \
    enter(use_of(mode), AT_FDCWD, path, pc);                         \
    FILE* const result = native(path, mode);                         \
    return leave(use_of(mode), path, pc, result, result == nullptr); \
  }
SNAG_FOPEN(fopen)
SNAG_FOPEN(fopen64)
SNAG_FILE_CALL(FILE*, freopen, (const char* p, const char* m, FILE* f), (p, m, f), use_of(m),
               AT_FDCWD, p, result == nullptr)
SNAG_FILE_CALL(FILE*, freopen64, (const char* p, const char* m, FILE* f), (p, m, f), use_of(m),
               AT_FDCWD, p, result == nullptr)
SNAG_FILE_CALL(DIR*, opendir, (const char* p), (p), Use::kLooks, AT_FDCWD, p, result == nullptr)

// ---- Temporary files: the name is known only afterwards, and the file is always new. ----

#define SNAG_TEMPORARY(type, name, parameters, arguments, failed) \
  SNAG_INTERPOSE type name parameters {                           \
    SNAG_NATIVE(type, name, parameters)                           \
    if (runs_freely()) return native arguments;                   \
    const std::uint64_t pc = SNAG_CALLER;                         \
    const int saved = errno;                                      \
    step(OpKind::kExternal, outside(), pc);                       \
    errno = saved;                                                \
    type const result = native arguments;                         \
    if (!(failed)) note_new_file(path);                           \
    return leave(Use::kChanges, path, pc, result, failed);        \
  }
SNAG_TEMPORARY(int, mkstemp, (char* path), (path), result < 0)
SNAG_TEMPORARY(int, mkstemp64, (char* path), (path), result < 0)
SNAG_TEMPORARY(int, mkostemp, (char* path, int f), (path, f), result < 0)
SNAG_TEMPORARY(int, mkostemp64, (char* path, int f), (path, f), result < 0)
SNAG_TEMPORARY(int, mkstemps, (char* path, int n), (path, n), result < 0)
SNAG_TEMPORARY(int, mkstemps64, (char* path, int n), (path, n), result < 0)
SNAG_TEMPORARY(char*, mkdtemp, (char* path), (path), result == nullptr)

// ---- Changing folders. ----

SNAG_INT_CALL(unlink, (const char* p), (p), Use::kOrders, AT_FDCWD, p)
SNAG_INT_CALL(unlinkat, (int at, const char* p, int f), (at, p, f), Use::kOrders, at, p)
SNAG_INT_CALL(remove, (const char* p), (p), Use::kOrders, AT_FDCWD, p)
SNAG_INT_CALL(rmdir, (const char* p), (p), Use::kOrders, AT_FDCWD, p)
SNAG_INT_CALL(mkdir, (const char* p, mode_t m), (p, m), Use::kOrders, AT_FDCWD, p)
SNAG_INT_CALL(mkdirat, (int at, const char* p, mode_t m), (at, p, m), Use::kOrders, at, p)
SNAG_INT_CALL(mkfifo, (const char* p, mode_t m), (p, m), Use::kOrders, AT_FDCWD, p)
SNAG_INT_CALL(symlink, (const char* to, const char* p), (to, p), Use::kOrders, AT_FDCWD, p)
SNAG_INT_CALL(symlinkat, (const char* to, int at, const char* p), (to, at, p), Use::kOrders, at, p)
SNAG_INT_CALL(link, (const char* from, const char* p), (from, p), Use::kOrders, AT_FDCWD, p)
SNAG_INT_CALL(linkat, (int from_at, const char* from, int at, const char* p, int f),
              (from_at, from, at, p, f), Use::kOrders, at, p)
SNAG_INT_CALL(truncate, (const char* p, off_t n), (p, n), Use::kChanges, AT_FDCWD, p)
SNAG_INT_CALL(truncate64, (const char* p, off64_t n), (p, n), Use::kChanges, AT_FDCWD, p)

// These change two.
#define SNAG_RENAME(name, parameters, arguments, from_at, from, at, path) \
  SNAG_INTERPOSE int name parameters {                                    \
    SNAG_NATIVE(int, name, parameters)                                    \
    if (runs_freely()) return native arguments;                           \
    const std::uint64_t pc = SNAG_CALLER;                                 \
    enter(Use::kOrders, at, path, pc);                                    \
    note_file_use(from_at, from);                                         \
    note_file_change(from_at, from, false);                               \
    return leave(Use::kOrders, path, pc, native arguments);               \
  }
SNAG_RENAME(rename, (const char* from, const char* to), (from, to), AT_FDCWD, from, AT_FDCWD, to)
SNAG_RENAME(renameat, (int from_at, const char* from, int at, const char* to),
            (from_at, from, at, to), from_at, from, at, to)
SNAG_RENAME(renameat2, (int from_at, const char* from, int at, const char* to, unsigned f),
            (from_at, from, at, to, f), from_at, from, at, to)

// ---- Looking. ----

using Stat = struct stat;
using Stat64 = struct stat64;
using Statx = struct statx;
SNAG_INT_CALL(access, (const char* p, int m), (p, m), Use::kLooks, AT_FDCWD, p)
SNAG_INT_CALL(faccessat, (int at, const char* p, int m, int f), (at, p, m, f), Use::kLooks, at, p)
SNAG_INT_CALL(stat, (const char* p, Stat* s), (p, s), Use::kLooks, AT_FDCWD, p)
SNAG_INT_CALL(stat64, (const char* p, Stat64* s), (p, s), Use::kLooks, AT_FDCWD, p)
SNAG_INT_CALL(lstat, (const char* p, Stat* s), (p, s), Use::kLooks, AT_FDCWD, p)
SNAG_INT_CALL(lstat64, (const char* p, Stat64* s), (p, s), Use::kLooks, AT_FDCWD, p)
SNAG_INT_CALL(fstatat, (int at, const char* p, Stat* s, int f), (at, p, s, f), Use::kLooks, at, p)
SNAG_INT_CALL(fstatat64, (int at, const char* p, Stat64* s, int f), (at, p, s, f), Use::kLooks, at,
              p)
SNAG_INT_CALL(statx, (int at, const char* p, int f, unsigned m, Statx* s), (at, p, f, m, s),
              Use::kLooks, at, p)
