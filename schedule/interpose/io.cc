// Implements libc: system calls that may wait for the outside world. When it matters, the kernel is
// asked whether they do.
#include "schedule/enforce/deadlines.h"
#include "schedule/enforce/enforcer.h"
#include "schedule/enforce/wait_scopes.h"
#include "schedule/interpose/next.h"

using namespace snag::schedule;

namespace {

Wait outside(const char* call, std::int64_t deadline = kNever) {
  return {WaitKind::kOutside, nullptr, nullptr, deadline, false, call};
}

std::int64_t deadline_in(int milliseconds) {
  return milliseconds < 0 ? kNever : deadline_after(std::int64_t{milliseconds} * 1'000'000);
}

}  // namespace

// An interposed function that only reports that its caller may wait.
#define SNAG_OUTSIDE(result, name, parameters, arguments) \
  SNAG_INTERPOSE result name parameters {                 \
    WaitScope scope(outside(#name));                      \
    return next().name arguments;                         \
  }

SNAG_OUTSIDE(ssize_t, read, (int fd, void* to, size_t size), (fd, to, size))
SNAG_OUTSIDE(ssize_t, readv, (int fd, const iovec* to, int count), (fd, to, count))
SNAG_OUTSIDE(ssize_t, write, (int fd, const void* from, size_t size), (fd, from, size))
SNAG_OUTSIDE(ssize_t, writev, (int fd, const iovec* from, int count), (fd, from, count))
SNAG_OUTSIDE(ssize_t, recv, (int fd, void* to, size_t size, int flags), (fd, to, size, flags))
SNAG_OUTSIDE(ssize_t, recvfrom,
             (int fd, void* to, size_t size, int flags, sockaddr* from, socklen_t* length),
             (fd, to, size, flags, from, length))
SNAG_OUTSIDE(ssize_t, recvmsg, (int fd, msghdr* message, int flags), (fd, message, flags))
SNAG_OUTSIDE(ssize_t, send, (int fd, const void* from, size_t size, int flags),
             (fd, from, size, flags))
SNAG_OUTSIDE(ssize_t, sendto,
             (int fd, const void* from, size_t size, int flags, const sockaddr* to,
              socklen_t length),
             (fd, from, size, flags, to, length))
SNAG_OUTSIDE(ssize_t, sendmsg, (int fd, const msghdr* message, int flags), (fd, message, flags))
SNAG_OUTSIDE(int, accept, (int fd, sockaddr* from, socklen_t* length), (fd, from, length))
SNAG_OUTSIDE(int, accept4, (int fd, sockaddr* from, socklen_t* length, int flags),
             (fd, from, length, flags))
SNAG_OUTSIDE(int, connect, (int fd, const sockaddr* to, socklen_t length), (fd, to, length))
SNAG_OUTSIDE(pid_t, wait, (int* status), (status))
SNAG_OUTSIDE(pid_t, waitpid, (pid_t pid, int* status, int options), (pid, status, options))
SNAG_OUTSIDE(int, waitid, (idtype_t type, id_t id, siginfo_t* info, int options),
             (type, id, info, options))
SNAG_OUTSIDE(int, sigwait, (const sigset_t* set, int* signal), (set, signal))
SNAG_OUTSIDE(int, sigwaitinfo, (const sigset_t* set, siginfo_t* info), (set, info))
SNAG_OUTSIDE(int, pause, (), ())

SNAG_INTERPOSE int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* time) {
  WaitScope scope(outside("sigtimedwait", deadline_after(time)));
  return next().sigtimedwait(set, info, time);
}
SNAG_INTERPOSE int poll(pollfd* files, nfds_t count, int milliseconds) {
  if (milliseconds == 0) return next().poll(files, count, milliseconds);
  WaitScope scope(outside("poll", deadline_in(milliseconds)));
  return next().poll(files, count, milliseconds);
}
SNAG_INTERPOSE int ppoll(pollfd* files, nfds_t count, const timespec* time, const sigset_t* mask) {
  WaitScope scope(outside("ppoll", deadline_after(time)));
  return next().ppoll(files, count, time, mask);
}
SNAG_INTERPOSE int select(int count, fd_set* read, fd_set* write, fd_set* except, timeval* time) {
  std::int64_t deadline = kNever;
  if (time) {
    const timespec limit{time->tv_sec, time->tv_usec * 1000};
    deadline = deadline_after(&limit);
  }
  WaitScope scope(outside("select", deadline));
  return next().select(count, read, write, except, time);
}
SNAG_INTERPOSE int pselect(int count, fd_set* read, fd_set* write, fd_set* except,
                           const timespec* time, const sigset_t* mask) {
  WaitScope scope(outside("pselect", deadline_after(time)));
  return next().pselect(count, read, write, except, time, mask);
}
SNAG_INTERPOSE int epoll_wait(int fd, epoll_event* events, int count, int milliseconds) {
  if (milliseconds == 0) return next().epoll_wait(fd, events, count, milliseconds);
  WaitScope scope(outside("epoll_wait", deadline_in(milliseconds)));
  return next().epoll_wait(fd, events, count, milliseconds);
}
SNAG_INTERPOSE int epoll_pwait(int fd, epoll_event* events, int count, int milliseconds,
                               const sigset_t* mask) {
  WaitScope scope(outside("epoll_pwait", deadline_in(milliseconds)));
  return next().epoll_pwait(fd, events, count, milliseconds, mask);
}
