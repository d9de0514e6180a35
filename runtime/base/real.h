// The functions behind the ones that the runtime puts in their place.
//
// All are looked up once, before any constructor of the program or its libraries runs, so that an
// interposed function never has to ask whether they are there yet. Functions that a program may
// lack (C programs have no C++ runtime) are null.
#pragma once

#include <dlfcn.h>
#include <threads.h>

#include <cstdint>

#include "protocol/replaced_functions.h"

namespace snag::rt {

// Declared in C headers, or here where those declare them only under some feature macro.
#define SNAG_REAL_FUNCTIONS(X)                                                               \
  SNAG_REPLACED_FUNCTIONS(X)                                                                 \
  X(pthread_exit, void, (void*))                                                             \
  X(pthread_cancel, int, (pthread_t))                                                        \
  X(pthread_setcancelstate, int, (int, int*))                                                \
  X(pthread_setcanceltype, int, (int, int*))                                                 \
  X(pthread_testcancel, void, ())                                                            \
  X(pthread_kill, int, (pthread_t, int))                                                     \
  X(pthread_sigmask, int, (int, const sigset_t*, sigset_t*))                                 \
  X(sigprocmask, int, (int, const sigset_t*, sigset_t*))                                     \
  X(pthread_getname_np, int, (pthread_t, char*, size_t))                                     \
  X(pthread_getcpuclockid, int, (pthread_t, clockid_t*))                                     \
  X(pthread_key_create, int, (pthread_key_t*, void (*)(void*)))                              \
  X(pthread_key_delete, int, (pthread_key_t))                                                \
  X(pthread_getspecific, void*, (pthread_key_t))                                             \
  X(pthread_setspecific, int, (pthread_key_t, const void*))                                  \
  X(tss_create, int, (tss_t*, tss_dtor_t))                                                   \
  X(tss_delete, void, (tss_t))                                                               \
  X(pthread_mutex_init, int, (pthread_mutex_t*, const pthread_mutexattr_t*))                 \
  X(pthread_mutex_destroy, int, (pthread_mutex_t*))                                          \
  X(pthread_mutex_consistent, int, (pthread_mutex_t*))                                       \
  X(pthread_rwlock_init, int, (pthread_rwlock_t*, const pthread_rwlockattr_t*))              \
  X(pthread_rwlock_destroy, int, (pthread_rwlock_t*))                                        \
  X(pthread_cond_init, int, (pthread_cond_t*, const pthread_condattr_t*))                    \
  X(pthread_cond_destroy, int, (pthread_cond_t*))                                            \
  X(pthread_spin_init, int, (pthread_spinlock_t*, int))                                      \
  X(pthread_spin_destroy, int, (pthread_spinlock_t*))                                        \
  X(pthread_spin_lock, int, (pthread_spinlock_t*))                                           \
  X(pthread_spin_trylock, int, (pthread_spinlock_t*))                                        \
  X(pthread_spin_unlock, int, (pthread_spinlock_t*))                                         \
  X(pthread_barrier_init, int, (pthread_barrier_t*, const pthread_barrierattr_t*, unsigned)) \
  X(pthread_barrier_destroy, int, (pthread_barrier_t*))                                      \
  X(sem_getvalue, int, (sem_t*, int*))                                                       \
  X(sem_destroy, int, (sem_t*))                                                              \
  X(__cxa_guard_acquire, int, (unsigned long*))                                              \
  X(__cxa_guard_release, void, (unsigned long*))                                             \
  X(__cxa_guard_abort, void, (unsigned long*))                                               \
  X(__cxa_end_catch, void, ())                                                               \
  X(_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv, void, (void**))                     \
  X(__cxa_thread_atexit_impl, int, (void (*)(void*), void*, void*))                          \
  X(__pthread_register_cancel, void, (void*))                                                \
  X(__pthread_unregister_cancel, void, (void*))                                              \
  X(__pthread_unwind_next, void, (void*))                                                    \
  X(sched_yield, int, ())                                                                    \
  X(thrd_yield, void, ())                                                                    \
  X(thrd_sleep, int, (const timespec*, timespec*))                                           \
  X(clock_gettime, int, (clockid_t, timespec*))                                              \
  X(gettimeofday, int, (timeval*, void*))                                                    \
  X(time, time_t, (time_t*))                                                                 \
  X(timespec_get, int, (timespec*, int))                                                     \
  X(eventfd_read, int, (int, std::uint64_t*))                                                \
  X(eventfd_write, int, (int, std::uint64_t))                                                \
  X(close, int, (int))                                                                       \
  X(shutdown, int, (int, int))                                                               \
  X(fcntl, int, (int, int, ...))                                                             \
  X(flock, int, (int, int))                                                                  \
  X(gettid, pid_t, ())                                                                       \
  X(malloc_usable_size, size_t, (void*))                                                     \
  X(getrandom, ssize_t, (void*, size_t, unsigned))                                           \
  X(fork, pid_t, ())                                                                         \
  X(exit, void, (int))                                                                       \
  X(abort, void, ())                                                                         \
  X(__assert_fail, void, (const char*, const char*, unsigned, const char*))                  \
  X(__assert_perror_fail, void, (int, const char*, unsigned, const char*))

struct RealFunctions {
#define SNAG_DECLARE(name, result, parameters) result(*name) parameters;
  SNAG_REAL_FUNCTIONS(SNAG_DECLARE)
#undef SNAG_DECLARE
};
extern RealFunctions real;
// For the runtime's own contexts: those are not threads of the program.
extern decltype(RealFunctions::pthread_create) libc_pthread_create;

void resolve_real_functions();

}  // namespace snag::rt
