#include "runtime/interpose/own_descriptors.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "runtime/base/real.h"

namespace snag::rt {
namespace {

// A program that has inherited more is not judged.
constexpr int kMostInherited = 64;
constexpr int kHighest = 1024;

struct Inherited {
  dev_t device;
  ino_t inode;
  int descriptor;
};
constinit Inherited inherited[kMostInherited]{};
constinit int inherited_count = 0;
constinit bool inherited_too_many = true;  // until it is known what was inherited
constinit bool inherited_anonymous = false;

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

bool is_inherited(int descriptor, const struct stat& info) {
  for (int i = 0; i < inherited_count; ++i) {
    const Inherited& known = inherited[i];
    if (known.descriptor == descriptor ||
        (known.device == info.st_dev && known.inode == info.st_ino))
      return true;
  }
  return inherited_too_many;
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

// A socket whose other end another process has could carry our descriptors to it.
bool has_foreign_socket() {
  for (int descriptor = 0; descriptor < kHighest; ++descriptor) {
    struct stat info;
    if (fstat(descriptor, &info) != 0 || !S_ISSOCK(info.st_mode)) continue;
    int domain = 0;
    socklen_t size = sizeof domain;
    if (getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_UNIX &&
        !is_own_socket(descriptor))
      return true;
  }
  return false;
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
    at += 4;
    if (!visit(atoi(at))) return false;
  }
  return true;
}

bool is_epoll(int descriptor) {
  return begins_with(target_of(descriptor), "anon_inode:[eventpoll]");
}

}  // namespace

void note_inherited_descriptors() {
  inherited_count = 0;
  inherited_too_many = inherited_anonymous = false;
  for (int descriptor = 0; descriptor < kHighest; ++descriptor) {
    struct stat info;
    if (fstat(descriptor, &info) != 0) continue;
    if (inherited_count == kMostInherited) {
      inherited_too_many = true;
      return;
    }
    inherited[inherited_count++] = {info.st_dev, info.st_ino, descriptor};
    inherited_anonymous |= begins_with(target_of(descriptor), "anon_inode:[eventfd]");
  }
}

bool only_we_make_ready(int descriptor) {
  struct stat info;
  if (fstat(descriptor, &info) != 0) return false;
  const Target target = target_of(descriptor);
  // All of these have the same inode.
  if (begins_with(target, "anon_inode:")) {
    if (inherited_too_many) return false;
    for (int i = 0; i < inherited_count; ++i) {
      if (inherited[i].descriptor == descriptor) return false;
    }
    if (is_epoll(descriptor)) {
      return visit_watched(descriptor, [](int watched) {
        return !is_epoll(watched) && only_we_make_ready(watched);  // none inside another
      });
    }
    return begins_with(target, "anon_inode:[eventfd]") && !inherited_anonymous &&
           !has_foreign_socket();
  }
  if (is_inherited(descriptor, info)) return false;
  if (S_ISFIFO(info.st_mode)) return begins_with(target, "pipe:") && !has_foreign_socket();
  return S_ISSOCK(info.st_mode) && is_own_socket(descriptor) && !has_foreign_socket();
}

bool is_fed_by(int waited, int written) {
  if (waited == written) return true;
  if (is_epoll(waited))
    return !visit_watched(waited, [written](int watched) {
      return is_epoll(watched) || !is_fed_by(watched, written);
    });
  struct stat a, b;
  return fstat(waited, &a) == 0 && fstat(written, &b) == 0 && S_ISFIFO(a.st_mode) &&
         S_ISFIFO(b.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

}  // namespace snag::rt
