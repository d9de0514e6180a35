#include "runtime/interpose/own_descriptors.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "runtime/base/real.h"
#include "runtime/sched/call_stack.h"
#include "runtime/sched/scheduler_state.h"

namespace snag::rt {
namespace {

// A program that has inherited more is not judged.
constexpr int kMostInherited = 64;
constexpr int kHighest = 1024;
constexpr int kMostNested = 4;  // epoll descriptors in one another

struct Inherited {
  dev_t device;
  ino_t inode;
};
constinit Inherited inherited[kMostInherited]{};
constinit int inherited_count = 0;
// All event descriptors have the same inode, and so have all epoll descriptors.
constinit bool inherited_anonymous = false;
constinit bool any_may_be_shared = true;  // until it is known what was inherited

struct NotedWrite {
  std::uint64_t run;
  int descriptor;
  LastWrite write;
};
constexpr std::uint32_t kLastWrites = 16;
constinit NotedWrite last_writes[kLastWrites]{};  // the n-th is at n % kLastWrites
constinit std::uint32_t writes = 0;

// Not by libc's fstat, which programs replace.
bool examine(int descriptor, struct stat* info) {
  return raw_syscall(SYS_fstat, descriptor, as_arg(info)) == 0;
}

// What /proc says the descriptor is: "pipe:[123]", "anon_inode:[eventfd]".
struct Target {
  char text[64];
};
Target target_of(int descriptor) {
  char path[48];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  Target target{};
  const long size = raw_syscall(SYS_readlinkat, AT_FDCWD, as_arg(path), as_arg(target.text),
                                sizeof target.text - 1);
  if (size < 0) target.text[0] = 0;
  return target;
}
bool begins_with(const Target& target, const char* text) {
  return strncmp(target.text, text, strlen(text)) == 0;
}

bool is_inherited(const struct stat& info) {
  for (int i = 0; i < inherited_count; ++i) {
    if (inherited[i].device == info.st_dev && inherited[i].inode == info.st_ino) return true;
  }
  return false;
}

// Both ends are ours: this process made the pair, or connected to itself.
bool is_own_socket(int descriptor) {
  int domain = 0, accepts = 0;
  socklen_t size = sizeof domain;
  if (getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0 || domain != AF_UNIX)
    return false;
  size = sizeof accepts;
  if (getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &accepts, &size) != 0 || accepts != 0)
    return false;
  struct {
    pid_t pid;
    uid_t uid;
    gid_t gid;
  } peer{};  // struct ucred
  size = sizeof peer;
  return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         peer.pid == static_cast<pid_t>(raw_syscall(SYS_getpid));
}

// Calls `visit` with each descriptor that the epoll descriptor watches, until it returns false.
// False then, or if not all were seen.
template <class Visit>
bool visit_watched(int descriptor, Visit visit) {
  char path[48];
  snprintf(path, sizeof path, "/proc/self/fdinfo/%d", descriptor);
  const long file = raw_syscall(SYS_openat, AT_FDCWD, as_arg(path), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char text[8192];
  std::size_t size = 0;
  long got = 0;
  while (size < sizeof text - 1 &&
         (got = raw_syscall(SYS_read, file, as_arg(text + size),
                            static_cast<long>(sizeof text - 1 - size))) > 0)
    size += static_cast<std::size_t>(got);
  raw_syscall(SYS_close, file);
  text[size] = 0;
  if (size == sizeof text - 1) return false;
  for (const char* at = text; (at = strstr(at, "tfd:")) != nullptr;) {
    const int watched = atoi(at += 4);
    // It is watched until all descriptors of the file are closed; the number may be another's now.
    const char* inode = strstr(at, "ino:");
    struct stat info;
    if (!inode || !examine(watched, &info) || info.st_ino != strtoul(inode + 4, nullptr, 16))
      return false;
    if (!visit(watched)) return false;
  }
  return true;
}

bool is_epoll(const Target& target) { return begins_with(target, "anon_inode:[eventpoll]"); }

bool only_we_make_ready(int descriptor, int nesting) {
  struct stat info;
  if (!examine(descriptor, &info)) return false;
  const Target target = target_of(descriptor);
  if (begins_with(target, "anon_inode:[eventfd]")) return !inherited_anonymous;
  if (is_epoll(target)) {
    return !inherited_anonymous && nesting < kMostNested &&
           visit_watched(descriptor, [nesting](int watched) {
             return only_we_make_ready(watched, nesting + 1);
           });
  }
  if (is_inherited(info)) return false;
  // (Pipes with names have other paths.)
  if (S_ISFIFO(info.st_mode)) return begins_with(target, "pipe:");
  return S_ISSOCK(info.st_mode) && is_own_socket(descriptor);
}

bool may_feed(int written, int waited, int nesting) {
  if (is_epoll(target_of(waited))) {
    return nesting < kMostNested && !visit_watched(waited, [written, nesting](int watched) {
             return !may_feed(written, watched, nesting + 1);
           });
  }
  struct stat from, to;
  if (!examine(written, &from) || !examine(waited, &to)) return false;
  if (S_ISFIFO(from.st_mode))
    return S_ISFIFO(to.st_mode) && from.st_dev == to.st_dev && from.st_ino == to.st_ino;
  return written == waited && !S_ISSOCK(to.st_mode);
}

}  // namespace

void note_inherited_descriptors() {
  inherited_count = 0;
  inherited_anonymous = any_may_be_shared = false;
  for (int descriptor = 0; descriptor < kHighest; ++descriptor) {
    struct stat info;
    if (!examine(descriptor, &info)) continue;
    if (inherited_count == kMostInherited) {
      any_may_be_shared = true;
      return;
    }
    inherited[inherited_count++] = {info.st_dev, info.st_ino};
    const Target target = target_of(descriptor);
    inherited_anonymous |= begins_with(target, "anon_inode:[eventfd]") || is_epoll(target);
  }
}

void note_shared_descriptors() { any_may_be_shared = true; }

bool only_we_make_ready(int descriptor) {
  return !any_may_be_shared && only_we_make_ready(descriptor, 0);
}

void note_written(int descriptor, std::uint64_t pc) {
  const Thread* t = sched.current;
  last_writes[++writes % kLastWrites] = {sched.run, descriptor, {display_pc(t, pc), t->tid}};
}

void forget_writes_to(int descriptor) {
  for (NotedWrite& write : last_writes) {
    if (write.descriptor == descriptor) write.write.pc = 0;
  }
}

bool may_feed(int written, int waited) { return may_feed(written, waited, 0); }

LastWrite find_last_write(const Thread* t, bool (*waits_for)(const Thread*, int written)) {
  for (std::uint32_t i = 0; i < kLastWrites; ++i) {
    const NotedWrite& noted = last_writes[(writes - i) % kLastWrites];
    if (noted.run == sched.run && noted.write.pc != 0 && waits_for(t, noted.descriptor))
      return noted.write;
  }
  return {0, kNoTid};
}

}  // namespace snag::rt
