// Implements next.h: for programs that are linked with -static, where nothing can be looked up:
// libc's functions behind the interposed ones, by the names that libc uses itself. A separate
// member of the archive, which only -u snag_schedule_static links: a shared libc does not export
// these names.
#include <errno.h>
#include <stdarg.h>

#include <type_traits>

#include "schedule/enforce/raw.h"
#include "schedule/interpose/next.h"

using namespace snag::schedule;

// name, the name inside libc
#define SNAG_INTERNAL_NAMES(X)                                 \
  X(pthread_create, __pthread_create)                          \
  X(pthread_join, ___pthread_join)                             \
  X(pthread_tryjoin_np, __pthread_tryjoin_np)                  \
  X(pthread_timedjoin_np, ___pthread_timedjoin_np)             \
  X(pthread_clockjoin_np, ___pthread_clockjoin_np)             \
  X(pthread_detach, ___pthread_detach)                         \
  X(pthread_setname_np, __pthread_setname_np)                  \
  X(pthread_mutex_lock, ___pthread_mutex_lock)                 \
  X(pthread_mutex_trylock, ___pthread_mutex_trylock)           \
  X(pthread_mutex_timedlock, ___pthread_mutex_timedlock)       \
  X(pthread_mutex_clocklock, ___pthread_mutex_clocklock)       \
  X(pthread_mutex_unlock, ___pthread_mutex_unlock)             \
  X(pthread_rwlock_rdlock, ___pthread_rwlock_rdlock)           \
  X(pthread_rwlock_tryrdlock, ___pthread_rwlock_tryrdlock)     \
  X(pthread_rwlock_timedrdlock, ___pthread_rwlock_timedrdlock) \
  X(pthread_rwlock_clockrdlock, ___pthread_rwlock_clockrdlock) \
  X(pthread_rwlock_wrlock, ___pthread_rwlock_wrlock)           \
  X(pthread_rwlock_trywrlock, ___pthread_rwlock_trywrlock)     \
  X(pthread_rwlock_timedwrlock, ___pthread_rwlock_timedwrlock) \
  X(pthread_rwlock_clockwrlock, ___pthread_rwlock_clockwrlock) \
  X(pthread_rwlock_unlock, ___pthread_rwlock_unlock)           \
  X(pthread_cond_wait, ___pthread_cond_wait)                   \
  X(pthread_cond_timedwait, ___pthread_cond_timedwait)         \
  X(pthread_cond_clockwait, ___pthread_cond_clockwait)         \
  X(pthread_cond_signal, ___pthread_cond_signal)               \
  X(pthread_cond_broadcast, ___pthread_cond_broadcast)         \
  X(pthread_barrier_wait, ___pthread_barrier_wait)             \
  X(pthread_once, ___pthread_once)                             \
  X(sem_wait, __new_sem_wait)                                  \
  X(sem_trywait, __new_sem_trywait)                            \
  X(sem_timedwait, ___sem_timedwait)                           \
  X(sem_clockwait, ___sem_clockwait)                           \
  X(sem_post, __new_sem_post)                                  \
  X(nanosleep, __nanosleep)                                    \
  X(clock_nanosleep, __clock_nanosleep)                        \
  X(sleep, __sleep)                                            \
  X(read, __read)                                              \
  X(readv, __readv)                                            \
  X(write, __write)                                            \
  X(writev, __writev)                                          \
  X(recv, __recv)                                              \
  X(recvfrom, __recvfrom)                                      \
  X(recvmsg, __recvmsg)                                        \
  X(send, __send)                                              \
  X(sendto, __sendto)                                          \
  X(sendmsg, __sendmsg)                                        \
  X(connect, __connect)                                        \
  X(poll, __poll)                                              \
  X(select, __select)                                          \
  X(pselect, __pselect)                                        \
  X(wait, __wait)                                              \
  X(waitpid, __waitpid)                                        \
  X(waitid, __waitid)                                          \
  X(sigwait, __sigwait)                                        \
  X(sigwaitinfo, __sigwaitinfo)                                \
  X(sigtimedwait, __sigtimedwait)

// Those that have no second name: functions below take their place.
#define SNAG_WITHOUT_INTERNAL_NAME(X) \
  X(usleep)                           \
  X(accept)                           \
  X(accept4)                          \
  X(ppoll)                            \
  X(epoll_wait)                       \
  X(epoll_pwait)                      \
  X(pause)                            \
  X(syscall)

extern "C" {
#define SNAG_DECLARE_INTERNAL(name, internal) \
  extern std::remove_pointer_t<decltype(NextFunctions::name)> internal;
SNAG_INTERNAL_NAMES(SNAG_DECLARE_INTERNAL)
#undef SNAG_DECLARE_INTERNAL
}

namespace {

template <class... Arguments>
long system_call(long number, Arguments... arguments) {
  const long result = snag::raw_syscall(number, (long)arguments...);
  if (result >= 0 || result < -4095) return result;
  errno = static_cast<int>(-result);
  return -1;
}

long any_call(long number, ...) {
  va_list list;
  va_start(list, number);
  long a[6];
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  return system_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

constexpr long kMaskSize = 8;  // of the kernel's signal sets

// A function that is in neither table would be null here, and only in programs that are linked with
// -static.
struct InTables {
#define SNAG_FIELD(name, ...) bool name = false;
  SNAG_REPLACED_FUNCTIONS(SNAG_FIELD)
#undef SNAG_FIELD
};
constexpr bool has_all_functions() {
  InTables in;
#define SNAG_MARK(name, ...) in.name = true;
  SNAG_INTERNAL_NAMES(SNAG_MARK)
  SNAG_WITHOUT_INTERNAL_NAME(SNAG_MARK)
#undef SNAG_MARK
#define SNAG_AND(name, ...) &&in.name
  return true SNAG_REPLACED_FUNCTIONS(SNAG_AND);
#undef SNAG_AND
}
static_assert(has_all_functions(), "a function of SNAG_REPLACED_FUNCTIONS is in neither table");

}  // namespace

extern "C" void snag_schedule_static(NextFunctions& next) {
#define SNAG_SET(name, internal) next.name = &internal;
  SNAG_INTERNAL_NAMES(SNAG_SET)
#undef SNAG_SET
  // SNAG_WITHOUT_INTERNAL_NAME.
  next.usleep = [](unsigned microseconds) {
    const timespec time{microseconds / 1'000'000, microseconds % 1'000'000 * 1000};
    return __nanosleep(&time, nullptr);
  };
  next.accept = [](int fd, sockaddr* address, socklen_t* length) {
    return static_cast<int>(system_call(SYS_accept, fd, address, length));
  };
  next.accept4 = [](int fd, sockaddr* address, socklen_t* length, int flags) {
    return static_cast<int>(system_call(SYS_accept4, fd, address, length, flags));
  };
  next.ppoll = [](pollfd* files, nfds_t count, const timespec* time, const sigset_t* mask) {
    timespec rest = time ? *time : timespec{};
    return static_cast<int>(
        system_call(SYS_ppoll, files, count, time ? &rest : nullptr, mask, kMaskSize));
  };
  next.epoll_wait = [](int fd, epoll_event* events, int count, int time) {
    return static_cast<int>(
        system_call(SYS_epoll_pwait, fd, events, count, time, nullptr, kMaskSize));
  };
  next.epoll_pwait = [](int fd, epoll_event* events, int count, int time, const sigset_t* mask) {
    return static_cast<int>(system_call(SYS_epoll_pwait, fd, events, count, time, mask, kMaskSize));
  };
  next.pause = [] {
    return static_cast<int>(system_call(SYS_ppoll, nullptr, 0, nullptr, nullptr, 0));
  };
  next.syscall = any_call;
}
