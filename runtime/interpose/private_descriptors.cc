#include "runtime/interpose/private_descriptors.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/arch.h"
#include "runtime/base/real.h"

namespace snag::rt {
namespace {

constexpr int kMaxInherited = 64;
constexpr int kScanned = 1024;  // the usual limit of a process
constexpr int kMaxNesting = 4;  // of epoll descriptors in one another

struct Identity {
  dev_t device;
  ino_t inode;
};
constinit Identity inherited[kMaxInherited] = {};
constinit int inherited_count = 0;
constinit bool any_may_be_shared = false;

// (All event descriptors have the same identity: one that was inherited makes all of them shared.)
bool is_inherited(const struct stat& info) {
  for (int i = 0; i < inherited_count; ++i) {
    if (inherited[i].device == info.st_dev && inherited[i].inode == info.st_ino) return true;
  }
  return false;
}

// Not by stdio or malloc, which belong to the program.
bool read_text(const char* path, char* text, std::size_t size) {
  const long file = raw_syscall(SYS_openat, AT_FDCWD, as_arg(path), O_RDONLY | O_CLOEXEC, 0);
  if (file < 0) return false;
  std::size_t length = 0;
  long got;
  while (length < size - 1 && (got = raw_syscall(SYS_read, file, as_arg(text + length),
                                                 static_cast<long>(size - 1 - length))) > 0)
    length += static_cast<std::size_t>(got);
  raw_syscall(SYS_close, file);
  text[length] = 0;
  return length < size - 1;
}

// The other end of a socket pair, or of a connection to an own listener.
bool is_connected_to_itself(int descriptor) {
  int domain = 0, listens = 0;
  socklen_t size = sizeof domain;
  if (getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0 || domain != AF_UNIX)
    return false;
  size = sizeof listens;
  if (getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || listens)
    return false;
  struct Credentials {
    pid_t process;
    uid_t user;
    gid_t group;
  } peer{};
  size = sizeof peer;
  return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         peer.process == getpid();
}

bool is_private(int descriptor, int nesting);

// All that the epoll descriptor waits for.
bool waits_for_private_ones(int descriptor, int nesting) {
  char path[64], text[4096];
  snprintf(path, sizeof path, "/proc/self/fdinfo/%d", descriptor);
  if (nesting >= kMaxNesting || !read_text(path, text, sizeof text)) return false;
  for (const char* at = text; (at = strstr(at, "tfd:")) != nullptr;) {
    at += 4;
    if (!is_private(static_cast<int>(strtol(at, nullptr, 10)), nesting + 1)) return false;
  }
  return true;
}

bool is_private(int descriptor, int nesting) {
  struct stat info;
  if (fstat(descriptor, &info) != 0 || is_inherited(info)) return false;
  char path[64], target[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(path, target, sizeof target - 1);
  if (length <= 0) return false;
  target[length] = 0;
  if (strcmp(target, "anon_inode:[eventfd]") == 0) return true;
  if (strcmp(target, "anon_inode:[eventpoll]") == 0)
    return waits_for_private_ones(descriptor, nesting);
  if (strncmp(target, "pipe:", 5) == 0) return true;  // those with names are other paths
  return S_ISSOCK(info.st_mode) && is_connected_to_itself(descriptor);
}

}  // namespace

void remember_inherited_descriptors() {
  inherited_count = 0;
  for (int descriptor = 0; descriptor < kScanned; ++descriptor) {
    struct stat info;
    if (fstat(descriptor, &info) != 0) continue;
    if (inherited_count == kMaxInherited) {
      any_may_be_shared = true;
      return;
    }
    inherited[inherited_count++] = {info.st_dev, info.st_ino};
  }
}

void note_shared_descriptors() { any_may_be_shared = true; }

void note_sent_descriptors(const msghdr* message) {
  if (message->msg_controllen != 0) any_may_be_shared = true;
}

bool is_private_descriptor(int descriptor) {
  if (any_may_be_shared) return false;
  const int saved = errno;
  const bool result = is_private(descriptor, 0);
  errno = saved;
  return result;
}

}  // namespace snag::rt
