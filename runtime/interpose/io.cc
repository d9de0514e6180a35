// Implements calls that may wait for something outside: pipes, sockets, child processes, file
// locks.
//
// All threads share one kernel thread, which must not block. So each call first checks whether it
// would block: if not, it is made; if so, the thread waits in the scheduler and checks again when a
// thread of the program has done some I/O, or when no other thread can run. Between threads of the
// program (pipes, socket pairs, event descriptors) this is deterministic; real time passes only
// when all threads wait for something from outside, and that is counted.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "runtime/detect/races/races.h"
#include "runtime/interpose/interpose.h"
#include "runtime/interpose/own_descriptors.h"
#include "runtime/interpose/signals.h"
#include "runtime/sched/failure.h"

using namespace snag;
using namespace snag::rt;

namespace snag::rt {
namespace {

struct DescriptorWait {
  int descriptor;
  short events;
};

bool would_not_block(int descriptor, short events) {
  pollfd entry{descriptor, events, 0};
  return real.poll(&entry, 1, 0) != 0;  // errors are for the call itself to report
}

bool descriptor_ready(Thread* t) {
  const auto* wait = static_cast<const DescriptorWait*>(t->ready_argument);
  return would_not_block(wait->descriptor, wait->events);
}

bool never(Thread*) { return false; }

int interrupted() {
  errno = EINTR;
  return -1;
}

bool is_nonblocking(int descriptor) {
  const int flags = real.fcntl(descriptor, F_GETFL);
  return flags < 0 || (flags & O_NONBLOCK) != 0;
}

// A step, then waiting as a cancellation point. False: interrupted by a signal, errno says so.
bool wait_outside(bool (*ready)(Thread*), void* argument, bool ready_now, std::int64_t deadline,
                  Wake* wake, std::uint64_t pc) {
  *wake = Wake::kGranted;
  if (!ready_now) {
    sched.current->cancel_point = true;
    *wake = wait_external(ready, argument, pc, deadline);
    sched.current->cancel_point = false;
  }
  if (ready_now) return true;
  if (*wake == Wake::kCancelled) test_cancel();
  if (*wake != Wake::kInterrupted) return true;
  errno = EINTR;
  return false;
}

// SO_RCVTIMEO and SO_SNDTIMEO.
std::int64_t socket_deadline(int descriptor, short events) {
  timeval time{};
  socklen_t size = sizeof time;
  const int option = events == POLLIN ? SO_RCVTIMEO : SO_SNDTIMEO;
  if (getsockopt(descriptor, SOL_SOCKET, option, &time, &size) != 0) return kNever;
  if (time.tv_sec == 0 && time.tv_usec == 0) return kNever;
  const timespec converted{time.tv_sec, time.tv_usec * 1000};
  return deadline_after(&converted);
}

bool until_ready(int descriptor, short events, std::uint64_t pc) {
  test_cancel();
  const int saved = errno;
  step(OpKind::kExternal, outside(), pc);
  if (events & POLLOUT) {
    race_release_more(outside());
    note_written(descriptor, pc);
  }
  DescriptorWait wait{descriptor, events};
  Wake wake;
  const bool ready = would_not_block(descriptor, events) || is_nonblocking(descriptor);
  const std::int64_t deadline = ready ? kNever : socket_deadline(descriptor, events);
  const bool go_on = wait_outside(descriptor_ready, &wait, ready, deadline, &wake, pc);
  // Any of the threads may have written the data to read.
  if (events & POLLIN) race_acquire(outside());
  if (wake == Wake::kTimeout) {
    errno = EAGAIN;
    return false;
  }
  if (go_on) errno = saved;
  return go_on;
}

// Others may now be able to go on.
template <class T>
T done(T result) {
  const int saved = errno;
  note_write();
  recheck_externals();
  errno = saved;
  return result;
}

// A pipe or socket that accepts some bytes now may not accept all: a blocking call would wait in
// the kernel until it can write the rest, and all threads with it. So write piece by piece what it
// accepts.
constexpr std::size_t kAlwaysFits = 4096;  // PIPE_BUF: after POLLOUT this much is taken at once

bool takes_pieces(int descriptor, std::size_t size) {
  struct stat info;
  return size > kAlwaysFits && fstat(descriptor, &info) == 0 &&
         (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode)) && !is_nonblocking(descriptor);
}

template <class Attempt>
ssize_t write_in_pieces(int descriptor, const void* data, std::size_t size, Attempt attempt,
                        std::uint64_t pc) {
  std::size_t done_so_far = 0;
  while (done_so_far < size) {
    if (!until_ready(descriptor, POLLOUT, pc)) break;
    const int flags = real.fcntl(descriptor, F_GETFL);
    real.fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
    const ssize_t written =
        attempt(static_cast<const char*>(data) + done_so_far, size - done_so_far);
    const int error = errno;
    real.fcntl(descriptor, F_SETFL, flags);
    errno = error;
    if (written < 0 && error != EAGAIN) break;
    if (written > 0) done_so_far += done(static_cast<std::size_t>(written));
  }
  return done_so_far > 0 ? static_cast<ssize_t>(done_so_far) : -1;
}

struct PollWait {
  pollfd* entries;
  nfds_t count;
};
bool poll_ready(Thread* t) {
  const auto* wait = static_cast<const PollWait*>(t->ready_argument);
  return real.poll(wait->entries, wait->count, 0) != 0;
}

int poll_until(pollfd* entries, nfds_t count, std::int64_t deadline, bool no_wait,
               std::uint64_t pc) {
  test_cancel();
  step(OpKind::kExternal, outside(), pc);
  PollWait wait{entries, count};
  Wake wake;
  const bool ready = no_wait || real.poll(entries, count, 0) != 0;
  if (!wait_outside(poll_ready, &wait, ready, deadline, &wake, pc)) return -1;
  race_acquire(outside());
  const int result = real.poll(entries, count, 0);
  if (result == 0) note_read(pc, 8);
  return result;
}

struct SelectWait {
  int count;
  fd_set *read, *write, *error;
  fd_set saved[3];

  int attempt() {
    if (read) *read = saved[0];
    if (write) *write = saved[1];
    if (error) *error = saved[2];
    timeval zero{0, 0};
    return real.select(count, read, write, error, &zero);
  }
};
bool select_ready(Thread* t) { return static_cast<SelectWait*>(t->ready_argument)->attempt() != 0; }

int select_until(int count, fd_set* read, fd_set* write, fd_set* error, std::int64_t deadline,
                 bool no_wait, std::uint64_t pc) {
  test_cancel();
  step(OpKind::kExternal, outside(), pc);
  SelectWait wait{count, read, write, error, {}};
  if (read) wait.saved[0] = *read;
  if (write) wait.saved[1] = *write;
  if (error) wait.saved[2] = *error;
  Wake wake;
  const bool ready = no_wait || wait.attempt() != 0;
  if (!wait_outside(select_ready, &wait, ready, deadline, &wake, pc)) return -1;
  race_acquire(outside());
  const int result = wait.attempt();
  if (result == 0) note_read(pc, 8);
  return result;
}

int epoll_until(int descriptor, epoll_event* events, int count, int timeout, std::uint64_t pc) {
  test_cancel();
  step(OpKind::kExternal, outside(), pc);
  DescriptorWait wait{descriptor, POLLIN};
  const timespec time{timeout / 1000, timeout % 1000 * 1000000l};
  Wake wake;
  const bool ready = timeout == 0 || would_not_block(descriptor, POLLIN);
  if (!wait_outside(descriptor_ready, &wait, ready, timeout < 0 ? kNever : deadline_after(&time),
                    &wake, pc))
    return -1;
  race_acquire(outside());
  const int result = real.epoll_wait(descriptor, events, count, 0);
  if (result == 0) note_read(pc, 8);
  return result;
}

struct ChildWait {
  idtype_t type;
  id_t id;
  int options;
};
bool child_ready(const ChildWait& wait) {
  siginfo_t info{};
  const int result = real.waitid(wait.type, wait.id, &info, wait.options | WNOHANG | WNOWAIT);
  return result != 0 || info.si_pid != 0;
}
bool child_changed(Thread* t) {
  return child_ready(*static_cast<const ChildWait*>(t->ready_argument));
}

bool until_child(idtype_t type, id_t id, int options, std::uint64_t pc) {
  test_cancel();
  step(OpKind::kExternal, outside(), pc);
  ChildWait wait{type, id, (options & (WSTOPPED | WCONTINUED)) | WEXITED};
  Wake wake;
  return wait_outside(child_changed, &wait, (options & WNOHANG) || child_ready(wait), kNever, &wake,
                      pc);
}

struct RecordLockWait {
  int descriptor, command;
  void* lock;
  int result, error;

  bool attempt() {
    result = real.fcntl(descriptor, command, lock);
    error = errno;
    return result == 0 || (error != EAGAIN && error != EACCES);
  }
};
bool record_lock_ready(Thread* t) {
  return static_cast<RecordLockWait*>(t->ready_argument)->attempt();
}

int wait_for_record_lock(int descriptor, int command, void* lock, std::uint64_t pc) {
  test_cancel();
  step(OpKind::kExternal, outside(), pc);
  RecordLockWait wait{descriptor, command == F_SETLKW ? F_SETLK : F_OFD_SETLK, lock, 0, 0};
  Wake wake;
  if (!wait_outside(record_lock_ready, &wait, wait.attempt(), kNever, &wake, pc)) return -1;
  race_acquire(outside());
  errno = wait.error;
  return wait.result;
}

struct LockWait {
  int descriptor, operation;
  int result, error;
};
bool lock_ready(Thread* t) {
  auto* wait = static_cast<LockWait*>(t->ready_argument);
  wait->result = real.flock(wait->descriptor, wait->operation | LOCK_NB);
  wait->error = errno;
  return wait->result == 0 || wait->error != EWOULDBLOCK;
}

// Reading from a stream waits inside libc if nothing is buffered and nothing has come. (A line that
// comes in pieces may still do so.)
void until_readable(FILE* file, std::uint64_t pc) {
  if (!file || file->_IO_read_ptr < file->_IO_read_end) return;
  const int descriptor = fileno(file);
  if (descriptor >= 0) until_ready(descriptor, POLLIN, pc);
}

// Calls `visit` with each descriptor that the thread waits for, and with what for, until it returns
// false. False then, and if the thread waits for something else.
template <class Visit>
bool visit_descriptors(const Thread* t, Visit visit) {
  if (t->ready == descriptor_ready) {
    const auto* wait = static_cast<const DescriptorWait*>(t->ready_argument);
    return visit(wait->descriptor, wait->events);
  }
  if (t->ready == poll_ready) {
    const auto* wait = static_cast<const PollWait*>(t->ready_argument);
    for (nfds_t i = 0; i < wait->count; ++i) {
      const pollfd& entry = wait->entries[i];
      if (entry.fd >= 0 && !visit(entry.fd, entry.events)) return false;
    }
    return true;
  }
  if (t->ready != select_ready) return false;
  const auto* wait = static_cast<const SelectWait*>(t->ready_argument);
  const fd_set* const given[] = {wait->read, wait->write, wait->error};
  constexpr short kEvents[] = {POLLIN, POLLOUT, POLLPRI};
  for (int descriptor = 0; descriptor < wait->count; ++descriptor) {
    for (int i = 0; i < 3; ++i) {
      if (given[i] && FD_ISSET(descriptor, &wait->saved[i]) && !visit(descriptor, kEvents[i]))
        return false;
    }
  }
  return true;
}

bool waits_for_write_to(const Thread* t, int written) {
  bool found = false;
  visit_descriptors(t, [&](int descriptor, short events) {
    found = (events & POLLIN) && may_feed(written, descriptor);
    return !found;
  });
  return found;
}

// Threads that the runtime does not know, such as those by which libc notifies of timers, may
// write as well.
bool runs_alone() {
  struct stat info;
  if (!switches_stacks) return true;  // each thread has its own kernel thread
  return raw_syscall(SYS_newfstatat, AT_FDCWD, as_arg("/proc/self/task"), as_arg(&info), 0) == 0 &&
         info.st_nlink == 3;
}

std::int64_t deadline_in(const timespec* time) { return time ? deadline_after(time) : kNever; }

}  // namespace

bool may_come_from_outside() {
  if (has_signal_handler() || !runs_alone()) return true;
  const int saved = errno;
  bool may = false;
  for (const Thread* t = sched.externals; t && !may; t = t->next_external)
    may =
        !visit_descriptors(t, [](int descriptor, short) { return only_we_make_ready(descriptor); });
  errno = saved;
  return may;
}

LastWrite last_write_for(const Thread* t) { return find_last_write(t, waits_for_write_to); }
}  // namespace snag::rt

// A call that reads or writes data once the descriptor is ready.
#define SNAG_IO_CALL(result, name, parameters, arguments, descriptor, events, wait) \
  SNAG_INTERPOSE result name parameters {                                           \
    if (runs_freely()) return real.name arguments;                                  \
    if ((wait) && !until_ready(descriptor, events, SNAG_CALLER)) return -1;         \
    return done(real.name arguments);                                               \
  }
SNAG_IO_CALL(ssize_t, read, (int fd, void* b, size_t n), (fd, b, n), fd, POLLIN, true)
SNAG_IO_CALL(int, eventfd_read, (int fd, std::uint64_t* v), (fd, v), fd, POLLIN, true)
SNAG_IO_CALL(int, eventfd_write, (int fd, std::uint64_t v), (fd, v), fd, POLLOUT, true)
SNAG_IO_CALL(ssize_t, readv, (int fd, const iovec* v, int n), (fd, v, n), fd, POLLIN, true)
SNAG_IO_CALL(ssize_t, writev, (int fd, const iovec* v, int n), (fd, v, n), fd, POLLOUT, true)
SNAG_IO_CALL(ssize_t, recv, (int fd, void* b, size_t n, int f), (fd, b, n, f), fd, POLLIN,
             !(f & MSG_DONTWAIT))
SNAG_IO_CALL(ssize_t, recvfrom, (int fd, void* b, size_t n, int f, sockaddr* a, socklen_t* l),
             (fd, b, n, f, a, l), fd, POLLIN, !(f & MSG_DONTWAIT))
SNAG_IO_CALL(ssize_t, recvmsg, (int fd, msghdr* m, int f), (fd, m, f), fd, POLLIN,
             !(f & MSG_DONTWAIT))
SNAG_IO_CALL(ssize_t, sendto,
             (int fd, const void* b, size_t n, int f, const sockaddr* a, socklen_t l),
             (fd, b, n, f, a, l), fd, POLLOUT, !(f & MSG_DONTWAIT))
SNAG_IO_CALL(int, accept, (int fd, sockaddr* a, socklen_t* l), (fd, a, l), fd, POLLIN, true)
SNAG_IO_CALL(int, accept4, (int fd, sockaddr* a, socklen_t* l, int f), (fd, a, l, f), fd, POLLIN,
             true)
SNAG_IO_CALL(int, connect, (int fd, const sockaddr* a, socklen_t l), (fd, a, l), fd, 0, false)
SNAG_IO_CALL(int, shutdown, (int fd, int how), (fd, how), fd, 0, false)

SNAG_INTERPOSE int close(int fd) {
  if (runs_freely()) return real.close(fd);
  forget_writes_to(fd);
  return done(real.close(fd));
}
// Messages may carry descriptors to another process.
SNAG_INTERPOSE int sendmmsg(int fd, mmsghdr* messages, unsigned count, int flags) {
  static auto* const native =
      reinterpret_cast<int (*)(int, mmsghdr*, unsigned, int)>(dlsym(RTLD_NEXT, "sendmmsg"));
  for (unsigned i = 0; controlled && i < count; ++i) {
    if (messages[i].msg_hdr.msg_controllen != 0) note_shared_descriptors();
  }
  return native(fd, messages, count, flags);
}
SNAG_INTERPOSE ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  if (runs_freely()) return real.sendmsg(fd, message, flags);
  if (message->msg_controllen != 0) note_shared_descriptors();
  if (!(flags & MSG_DONTWAIT) && !until_ready(fd, POLLOUT, SNAG_CALLER)) return -1;
  return done(real.sendmsg(fd, message, flags));
}
SNAG_INTERPOSE ssize_t write(int fd, const void* data, size_t size) {
  if (runs_freely()) return real.write(fd, data, size);
  const std::uint64_t pc = SNAG_CALLER;
  if (takes_pieces(fd, size)) {
    const auto attempt = [fd](const void* d, std::size_t n) { return real.write(fd, d, n); };
    return write_in_pieces(fd, data, size, attempt, pc);
  }
  return until_ready(fd, POLLOUT, pc) ? done(real.write(fd, data, size)) : -1;
}
SNAG_INTERPOSE ssize_t send(int fd, const void* data, size_t size, int flags) {
  if (runs_freely()) return real.send(fd, data, size, flags);
  const std::uint64_t pc = SNAG_CALLER;
  if (flags & MSG_DONTWAIT) return done(real.send(fd, data, size, flags));
  if (takes_pieces(fd, size)) {
    const auto attempt = [fd, flags](const void* d, std::size_t n) {
      return real.send(fd, d, n, flags);
    };
    return write_in_pieces(fd, data, size, attempt, pc);
  }
  return until_ready(fd, POLLOUT, pc) ? done(real.send(fd, data, size, flags)) : -1;
}

SNAG_INTERPOSE int poll(pollfd* entries, nfds_t count, int timeout) {
  if (runs_freely()) return real.poll(entries, count, timeout);
  const timespec time{timeout / 1000, timeout % 1000 * 1000000l};
  return poll_until(entries, count, timeout < 0 ? kNever : deadline_after(&time), timeout == 0,
                    SNAG_CALLER);
}
SNAG_INTERPOSE int ppoll(pollfd* entries, nfds_t count, const timespec* time,
                         const sigset_t* mask) {
  if (runs_freely()) return real.ppoll(entries, count, time, mask);
  std::uint64_t before;
  if (!enter_signal_mask(mask, &before)) return interrupted();
  const int result = poll_until(entries, count, deadline_in(time), false, SNAG_CALLER);
  leave_signal_mask(before);
  return result;
}
SNAG_INTERPOSE int select(int count, fd_set* read, fd_set* write, fd_set* error, timeval* time) {
  if (runs_freely()) return real.select(count, read, write, error, time);
  const timespec converted = time ? timespec{time->tv_sec, time->tv_usec * 1000} : timespec{};
  return select_until(count, read, write, error, deadline_in(time ? &converted : nullptr),
                      time && time->tv_sec == 0 && time->tv_usec == 0, SNAG_CALLER);
}
SNAG_INTERPOSE int pselect(int count, fd_set* read, fd_set* write, fd_set* error,
                           const timespec* time, const sigset_t* mask) {
  if (runs_freely()) return real.pselect(count, read, write, error, time, mask);
  std::uint64_t before;
  if (!enter_signal_mask(mask, &before)) return interrupted();
  const int result = select_until(count, read, write, error, deadline_in(time), false, SNAG_CALLER);
  leave_signal_mask(before);
  return result;
}
SNAG_INTERPOSE int epoll_wait(int descriptor, epoll_event* events, int count, int timeout) {
  if (runs_freely()) return real.epoll_wait(descriptor, events, count, timeout);
  return epoll_until(descriptor, events, count, timeout, SNAG_CALLER);
}
SNAG_INTERPOSE int epoll_pwait(int descriptor, epoll_event* events, int count, int timeout,
                               const sigset_t* mask) {
  if (runs_freely()) return real.epoll_pwait(descriptor, events, count, timeout, mask);
  std::uint64_t before;
  if (!enter_signal_mask(mask, &before)) return interrupted();
  const int result = epoll_until(descriptor, events, count, timeout, SNAG_CALLER);
  leave_signal_mask(before);
  return result;
}

SNAG_INTERPOSE pid_t waitpid(pid_t child, int* status, int options) {
  if (runs_freely()) return real.waitpid(child, status, options);
  const idtype_t type = child == -1 ? P_ALL : child > 0 ? P_PID : P_PGID;
  const id_t id = child < -1 ? -child : child > 0 ? child : child == 0 ? getpgrp() : 0;
  if (!until_child(type, id, options, SNAG_CALLER)) return -1;
  return real.waitpid(child, status, options);
}
SNAG_INTERPOSE pid_t wait(int* status) {
  if (runs_freely()) return real.wait(status);
  if (!until_child(P_ALL, 0, 0, SNAG_CALLER)) return -1;
  return real.wait(status);
}
SNAG_INTERPOSE int waitid(idtype_t type, id_t id, siginfo_t* info, int options) {
  if (runs_freely()) return real.waitid(type, id, info, options);
  if (!until_child(type, id, options, SNAG_CALLER)) return -1;
  return real.waitid(type, id, info, options);
}

SNAG_INTERPOSE int flock(int descriptor, int operation) {
  if (runs_freely()) return real.flock(descriptor, operation);
  if (operation & (LOCK_NB | LOCK_UN)) {
    race_release_more(outside());
    const int result = done(real.flock(descriptor, operation));
    race_acquire(outside());
    return result;
  }
  const std::uint64_t pc = SNAG_CALLER;
  step(OpKind::kExternal, outside(), pc);
  LockWait wait{descriptor, operation, 0, 0};
  wait.result = real.flock(descriptor, operation | LOCK_NB);
  wait.error = errno;
  Wake wake;
  const bool ready = wait.result == 0 || wait.error != EWOULDBLOCK;
  if (!wait_outside(lock_ready, &wait, ready, kNever, &wake, pc)) return -1;
  race_acquire(outside());
  errno = wait.error;
  return wait.result;
}

SNAG_INTERPOSE int sigsuspend(const sigset_t* mask) {
  static auto* const native =
      reinterpret_cast<int (*)(const sigset_t*)>(dlsym(RTLD_NEXT, "sigsuspend"));
  if (runs_freely()) return native(mask);
  const std::uint64_t pc = SNAG_CALLER;
  test_cancel();
  step(OpKind::kExternal, outside(), pc);
  std::uint64_t before;
  if (!enter_signal_mask(mask, &before)) return interrupted();
  Wake wake;
  wait_outside(never, nullptr, false, kNever, &wake, pc);
  leave_signal_mask(before);
  return interrupted();
}

SNAG_INTERPOSE int pause() {
  if (runs_freely()) return real.pause();
  const std::uint64_t pc = SNAG_CALLER;
  test_cancel();
  step(OpKind::kExternal, outside(), pc);
  Wake wake;
  wait_outside(never, nullptr, false, kNever, &wake, pc);
  errno = EINTR;
  return -1;
}

SNAG_INTERPOSE int fcntl(int descriptor, int command, ...) {
  va_list list;
  va_start(list, command);
  void* argument = va_arg(list, void*);
  va_end(list);
  if (runs_freely()) return real.fcntl(descriptor, command, argument);
  if (command == F_SETLKW || command == F_OFD_SETLKW) {
    return wait_for_record_lock(descriptor, command, argument, SNAG_CALLER);
  }
  const bool unlocks = command == F_SETLK || command == F_OFD_SETLK;
  if (unlocks) race_release_more(outside());
  return unlocks ? done(real.fcntl(descriptor, command, argument))
                 : real.fcntl(descriptor, command, argument);
}
extern "C" __attribute__((visibility("default"), alias("fcntl"))) int fcntl64(int, int, ...);

// ---- Streams. ----

#define SNAG_STREAM_CALL(result, name, parameters, arguments, file)                              \
  SNAG_INTERPOSE result name parameters {                                                        \
    static auto* const native = reinterpret_cast<result(*) parameters>(dlsym(RTLD_NEXT, #name)); \
    if (controlled) until_readable(file, SNAG_CALLER);                                           \
    return native arguments;                                                                     \
  }
SNAG_STREAM_CALL(char*, fgets, (char* b, int n, FILE* f), (b, n, f), f)
SNAG_STREAM_CALL(int, fgetc, (FILE * f), (f), f)
SNAG_STREAM_CALL(int, getc, (FILE * f), (f), f)
SNAG_STREAM_CALL(int, getchar, (), (), stdin)
SNAG_STREAM_CALL(size_t, fread, (void* b, size_t s, size_t n, FILE* f), (b, s, n, f), f)
SNAG_STREAM_CALL(ssize_t, getline, (char** l, size_t* n, FILE* f), (l, n, f), f)
SNAG_STREAM_CALL(ssize_t, getdelim, (char** l, size_t* n, int d, FILE* f), (l, n, d, f), f)

// While a thread holds the lock of a stream, any printf of another thread would wait inside libc,
// where the scheduler cannot follow: no other thread runs until the lock is released.
SNAG_INTERPOSE void flockfile(FILE* file) {
  static auto* const native = reinterpret_cast<void (*)(FILE*)>(dlsym(RTLD_NEXT, "flockfile"));
  if (controlled) {
    if (sched.current->pinned == 0) step(OpKind::kExternal, outside(), SNAG_CALLER);
    ++sched.current->pinned;
    end_quick_steps();
  }
  native(file);
  if (controlled) race_acquire(file);
}
SNAG_INTERPOSE int ftrylockfile(FILE* file) {
  static auto* const native = reinterpret_cast<int (*)(FILE*)>(dlsym(RTLD_NEXT, "ftrylockfile"));
  const int result = native(file);
  if (controlled && result == 0) {
    ++sched.current->pinned;
    end_quick_steps();
    race_acquire(file);
  }
  return result;
}
SNAG_INTERPOSE void funlockfile(FILE* file) {
  static auto* const native = reinterpret_cast<void (*)(FILE*)>(dlsym(RTLD_NEXT, "funlockfile"));
  if (controlled) race_release(file);
  native(file);
  if (controlled && sched.current->pinned > 0) --sched.current->pinned;
}

extern "C" {
__attribute__((alias("read"), visibility("hidden"))) ssize_t interposed_read(int, void*, size_t);
__attribute__((alias("write"), visibility("hidden"))) ssize_t interposed_write(int, const void*,
                                                                               size_t);
}
