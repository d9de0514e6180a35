// The libc functions that both the runtime and the library of event schedules replace: those that
// make threads, wait, or wake other threads.
#pragma once

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SNAG_REPLACED_FUNCTIONS(X)                                                                \
  X(pthread_create, int, (pthread_t*, const pthread_attr_t*, void* (*)(void*), void*))            \
  X(pthread_join, int, (pthread_t, void**))                                                       \
  X(pthread_tryjoin_np, int, (pthread_t, void**))                                                 \
  X(pthread_timedjoin_np, int, (pthread_t, void**, const timespec*))                              \
  X(pthread_clockjoin_np, int, (pthread_t, void**, clockid_t, const timespec*))                   \
  X(pthread_detach, int, (pthread_t))                                                             \
  X(pthread_setname_np, int, (pthread_t, const char*))                                            \
  X(pthread_mutex_lock, int, (pthread_mutex_t*))                                                  \
  X(pthread_mutex_trylock, int, (pthread_mutex_t*))                                               \
  X(pthread_mutex_timedlock, int, (pthread_mutex_t*, const timespec*))                            \
  X(pthread_mutex_clocklock, int, (pthread_mutex_t*, clockid_t, const timespec*))                 \
  X(pthread_mutex_unlock, int, (pthread_mutex_t*))                                                \
  X(pthread_rwlock_rdlock, int, (pthread_rwlock_t*))                                              \
  X(pthread_rwlock_tryrdlock, int, (pthread_rwlock_t*))                                           \
  X(pthread_rwlock_timedrdlock, int, (pthread_rwlock_t*, const timespec*))                        \
  X(pthread_rwlock_clockrdlock, int, (pthread_rwlock_t*, clockid_t, const timespec*))             \
  X(pthread_rwlock_wrlock, int, (pthread_rwlock_t*))                                              \
  X(pthread_rwlock_trywrlock, int, (pthread_rwlock_t*))                                           \
  X(pthread_rwlock_timedwrlock, int, (pthread_rwlock_t*, const timespec*))                        \
  X(pthread_rwlock_clockwrlock, int, (pthread_rwlock_t*, clockid_t, const timespec*))             \
  X(pthread_rwlock_unlock, int, (pthread_rwlock_t*))                                              \
  X(pthread_cond_wait, int, (pthread_cond_t*, pthread_mutex_t*))                                  \
  X(pthread_cond_timedwait, int, (pthread_cond_t*, pthread_mutex_t*, const timespec*))            \
  X(pthread_cond_clockwait, int, (pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)) \
  X(pthread_cond_signal, int, (pthread_cond_t*))                                                  \
  X(pthread_cond_broadcast, int, (pthread_cond_t*))                                               \
  X(pthread_barrier_wait, int, (pthread_barrier_t*))                                              \
  X(pthread_once, int, (pthread_once_t*, void (*)()))                                             \
  X(sem_wait, int, (sem_t*))                                                                      \
  X(sem_trywait, int, (sem_t*))                                                                   \
  X(sem_timedwait, int, (sem_t*, const timespec*))                                                \
  X(sem_clockwait, int, (sem_t*, clockid_t, const timespec*))                                     \
  X(sem_post, int, (sem_t*))                                                                      \
  X(nanosleep, int, (const timespec*, timespec*))                                                 \
  X(clock_nanosleep, int, (clockid_t, int, const timespec*, timespec*))                           \
  X(usleep, int, (unsigned))                                                                      \
  X(sleep, unsigned, (unsigned))                                                                  \
  X(read, ssize_t, (int, void*, size_t))                                                          \
  X(readv, ssize_t, (int, const iovec*, int))                                                     \
  X(write, ssize_t, (int, const void*, size_t))                                                   \
  X(writev, ssize_t, (int, const iovec*, int))                                                    \
  X(recv, ssize_t, (int, void*, size_t, int))                                                     \
  X(recvfrom, ssize_t, (int, void*, size_t, int, sockaddr*, socklen_t*))                          \
  X(recvmsg, ssize_t, (int, msghdr*, int))                                                        \
  X(send, ssize_t, (int, const void*, size_t, int))                                               \
  X(sendto, ssize_t, (int, const void*, size_t, int, const sockaddr*, socklen_t))                 \
  X(sendmsg, ssize_t, (int, const msghdr*, int))                                                  \
  X(accept, int, (int, sockaddr*, socklen_t*))                                                    \
  X(accept4, int, (int, sockaddr*, socklen_t*, int))                                              \
  X(connect, int, (int, const sockaddr*, socklen_t))                                              \
  X(poll, int, (pollfd*, nfds_t, int))                                                            \
  X(ppoll, int, (pollfd*, nfds_t, const timespec*, const sigset_t*))                              \
  X(select, int, (int, fd_set*, fd_set*, fd_set*, timeval*))                                      \
  X(pselect, int, (int, fd_set*, fd_set*, fd_set*, const timespec*, const sigset_t*))             \
  X(epoll_wait, int, (int, epoll_event*, int, int))                                               \
  X(epoll_pwait, int, (int, epoll_event*, int, int, const sigset_t*))                             \
  X(wait, pid_t, (int*))                                                                          \
  X(waitpid, pid_t, (pid_t, int*, int))                                                           \
  X(waitid, int, (idtype_t, id_t, siginfo_t*, int))                                               \
  X(sigwait, int, (const sigset_t*, int*))                                                        \
  X(sigwaitinfo, int, (const sigset_t*, siginfo_t*))                                              \
  X(sigtimedwait, int, (const sigset_t*, siginfo_t*, const timespec*))                            \
  X(pause, int, ())                                                                               \
  X(syscall, long, (long, ...))
