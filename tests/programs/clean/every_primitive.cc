// Expect: clean
// Flags: -mcx16 -latomic
// Every synchronisation primitive once, few operations each, in one process: the interposers side
// by side.
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <stop_token>
#include <thread>

using namespace std::chrono_literals;

namespace {

// Runs the bodies in one thread each and joins them all.
template <class... Body>
void Together(Body... body) {
  std::jthread threads[] = {std::jthread(body)...};
}

timespec After(clockid_t clock, long milliseconds) {
  timespec t;
  clock_gettime(clock, &t);
  t.tv_nsec += milliseconds * 1'000'000;
  t.tv_sec += t.tv_nsec / 1'000'000'000;
  t.tv_nsec %= 1'000'000'000;
  return t;
}

// ---- C++ locks

void StdMutexes() {
  std::mutex plain;
  std::recursive_mutex recursive;
  std::timed_mutex timed;
  std::recursive_timed_mutex recursive_timed;
  int count = 0, skipped = 0;
  auto body = [&] {
    {
      std::scoped_lock both(plain, recursive);
      std::scoped_lock again(recursive);
      ++count;
    }
    if (timed.try_lock_for(1ms)) timed.unlock();
    if (recursive_timed.try_lock_until(std::chrono::steady_clock::now() + 1ms)) {
      assert(recursive_timed.try_lock());
      recursive_timed.unlock();
      recursive_timed.unlock();
    }
    std::unique_lock maybe(plain, std::try_to_lock);
    if (!maybe) maybe.lock();
    ++skipped;
  };
  Together(body, body);
  assert(count == 2 && skipped == 2);
}

void SharedMutexes() {
  std::shared_mutex plain;
  std::shared_timed_mutex timed;
  int value = 0;
  auto writer = [&] {
    {
      std::unique_lock lock(plain);
      ++value;
    }
    if (timed.try_lock_for(1ms)) timed.unlock();
  };
  auto reader = [&] {
    {
      std::shared_lock lock(plain);
      int before = value;
      assert(before == value);
    }
    if (timed.try_lock_shared_until(std::chrono::system_clock::now() + 1ms)) timed.unlock_shared();
  };
  Together(writer, reader, reader);
  assert(value == 1);
}

// ---- pthread locks

void PthreadMutexes() {
  for (int type : {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK,
                   PTHREAD_MUTEX_ADAPTIVE_NP}) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, type);
    pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, &attr);
    pthread_mutexattr_destroy(&attr);
    int count = 0;
    auto body = [&] {
      timespec deadline = After(CLOCK_MONOTONIC, 1);
      int error = pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &deadline);
      assert(error == 0 || error == ETIMEDOUT);
      if (error) assert(pthread_mutex_lock(&mutex) == 0);
      ++count;
      if (type == PTHREAD_MUTEX_RECURSIVE) {
        assert(pthread_mutex_trylock(&mutex) == 0);
        assert(pthread_mutex_unlock(&mutex) == 0);
      }
      if (type == PTHREAD_MUTEX_ERRORCHECK) assert(pthread_mutex_lock(&mutex) == EDEADLK);
      assert(pthread_mutex_unlock(&mutex) == 0);
    };
    Together(body, body);
    assert(count == 2);
    assert(pthread_mutex_destroy(&mutex) == 0);
  }
}

void RobustMutex() {
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, &attr);
  pthread_mutexattr_destroy(&attr);
  std::thread([&] { pthread_mutex_lock(&mutex); }).join();
  assert(pthread_mutex_lock(&mutex) == EOWNERDEAD);
  assert(pthread_mutex_consistent(&mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_mutex_destroy(&mutex) == 0);
}

void RwlockAndSpin() {
  pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
  pthread_spinlock_t spin;
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  int value = 0, spun = 0;
  auto writer = [&] {
    timespec deadline = After(CLOCK_REALTIME, 1);
    if (pthread_rwlock_timedwrlock(&rwlock, &deadline) != 0)
      assert(pthread_rwlock_wrlock(&rwlock) == 0);
    ++value;
    assert(pthread_rwlock_unlock(&rwlock) == 0);
    pthread_spin_lock(&spin);
    ++spun;
    pthread_spin_unlock(&spin);
  };
  auto reader = [&] {
    if (pthread_rwlock_tryrdlock(&rwlock) != 0) assert(pthread_rwlock_rdlock(&rwlock) == 0);
    assert(value >= 0 && value <= 2);
    assert(pthread_rwlock_unlock(&rwlock) == 0);
    if (pthread_spin_trylock(&spin) == 0) pthread_spin_unlock(&spin);
  };
  Together(writer, reader, writer);
  assert(value == 2 && spun == 2);
  pthread_spin_destroy(&spin);
  pthread_rwlock_destroy(&rwlock);
}

// ---- waiting for conditions

void ConditionVariables() {
  std::mutex mutex;
  std::condition_variable cv;
  std::condition_variable_any any;
  bool first = false, second = false;
  Together(
      [&] {
        std::unique_lock lock(mutex);
        cv.wait(lock, [&] { return first; });
        second = true;
        lock.unlock();
        any.notify_all();
      },
      [&] {
        std::unique_lock lock(mutex);
        any.wait(lock, [&] { return second; });
      },
      [&] {
        std::unique_lock lock(mutex);
        cv.wait_for(lock, 1ms, [&] { return second; });
        first = true;
        cv.notify_all();
        cv.wait_until(lock, std::chrono::system_clock::now() + 1ms);
      });
  assert(first && second);

  std::jthread stoppable([&](std::stop_token token) {
    std::unique_lock lock(mutex);
    assert(!any.wait(lock, token, [] { return false; }));
  });
  stoppable.request_stop();
}

void PthreadCond() {
  pthread_condattr_t attr;
  pthread_condattr_init(&attr);
  pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
  pthread_cond_t cond;
  pthread_cond_init(&cond, &attr);
  pthread_condattr_destroy(&attr);
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  int stage = 0;
  Together(
      [&] {
        pthread_mutex_lock(&mutex);
        while (stage == 0) {
          timespec deadline = After(CLOCK_MONOTONIC, 1);
          int error = pthread_cond_timedwait(&cond, &mutex, &deadline);
          assert(error == 0 || error == ETIMEDOUT);
        }
        stage = 2;
        pthread_cond_signal(&cond);
        pthread_mutex_unlock(&mutex);
      },
      [&] {
        pthread_mutex_lock(&mutex);
        stage = 1;
        pthread_cond_broadcast(&cond);
        while (stage != 2) pthread_cond_wait(&cond, &mutex);
        timespec deadline = After(CLOCK_REALTIME, 1);
        int error = pthread_cond_clockwait(&cond, &mutex, CLOCK_REALTIME, &deadline);
        assert(error == 0 || error == ETIMEDOUT);
        pthread_mutex_unlock(&mutex);
      });
  assert(stage == 2);
  pthread_cond_destroy(&cond);
}

void Semaphores() {
  sem_t sem;
  sem_init(&sem, 0, 0);
  std::counting_semaphore<8> counting(0);
  std::binary_semaphore binary(0);
  Together(
      [&] {
        assert(sem_post(&sem) == 0);
        assert(sem_post(&sem) == 0);
        counting.release(2);
        binary.acquire();
      },
      [&] {
        assert(sem_wait(&sem) == 0);
        timespec deadline = After(CLOCK_REALTIME, 1);
        if (sem_timedwait(&sem, &deadline) != 0) {
          assert(errno == ETIMEDOUT);
          while (sem_trywait(&sem) != 0) sched_yield();
        }
        counting.acquire();
        if (!counting.try_acquire_for(1ms)) counting.acquire();
        binary.release();
      });
  int left = -1;
  sem_getvalue(&sem, &left);
  assert(left == 0);
  sem_destroy(&sem);
}

void LatchAndBarriers() {
  std::latch latch(2);
  std::atomic<int> completions = 0, serial = 0;
  std::barrier barrier(2, [&]() noexcept { ++completions; });
  pthread_barrier_t pthread_barrier;
  pthread_barrier_init(&pthread_barrier, nullptr, 2);
  auto body = [&] {
    latch.arrive_and_wait();
    assert(latch.try_wait());
    barrier.arrive_and_wait();
    assert(completions >= 1);
    (void)barrier.arrive();
    int result = pthread_barrier_wait(&pthread_barrier);
    if (result == PTHREAD_BARRIER_SERIAL_THREAD) ++serial;
  };
  Together(body, body);
  assert(completions == 2 && serial == 1);
  pthread_barrier_destroy(&pthread_barrier);
}

// ---- atomics

struct Pair {
  std::uint64_t low, high;
};

void Atomics() {
  std::atomic<std::uint8_t> one = 0;
  std::atomic<std::uint16_t> two = 0;
  std::atomic<std::uint32_t> four = 0;
  std::atomic<std::uint64_t> eight = 0;
  std::atomic<Pair> sixteen = Pair{0, 0};
  std::atomic_flag flag;
  std::atomic<std::shared_ptr<int>> shared = std::make_shared<int>(0);
  alignas(8) long plain = 0;
  auto body = [&] {
    one.fetch_add(1, std::memory_order_relaxed);
    two.fetch_or(2);
    four.fetch_sub(1);
    for (auto old = eight.load(); !eight.compare_exchange_weak(old, old + 1);) {
    }
    for (Pair old = sixteen.load();
         !sixteen.compare_exchange_strong(old, {old.low + 1, old.high + 2});) {
    }
    std::atomic_ref(plain).fetch_add(1);
    auto old = shared.load();
    while (!shared.compare_exchange_strong(old, std::make_shared<int>(*old + 1))) {
    }
    while (flag.test_and_set(std::memory_order_acquire)) {
    }
    flag.clear(std::memory_order_release);
  };
  Together(body, body);
  Pair pair = sixteen.load();
  assert(one == 2 && two == 2 && four == 0xfffffffe && eight == 2 && plain == 2);
  assert(pair.low == 2 && pair.high == 4 && *shared.load() == 2);

  std::atomic<int> state = 0;
  std::atomic<long> wide = 0;
  std::atomic_flag ready;
  Together(
      [&] {
        state.wait(0);
        wide = 1;
        wide.notify_one();
        ready.wait(false);
      },
      [&] {
        state = 1;
        state.notify_all();
        wide.wait(0);
        ready.test_and_set();
        ready.notify_all();
      });
}

// ---- once, futures, threads

void Once() {
  static pthread_once_t pthread_flag = PTHREAD_ONCE_INIT;
  static std::atomic<int> pthread_calls = 0;
  std::once_flag flag;
  std::atomic<int> calls = 0;
  auto body = [&] {
    std::call_once(flag, [&] { ++calls; });
    pthread_once(&pthread_flag, [] { ++pthread_calls; });
    static int guarded = [] {
      std::this_thread::yield();
      return 7;
    }();
    assert(calls == 1 && pthread_calls == 1 && guarded == 7);
  };
  Together(body, body);
}

void Futures() {
  std::promise<int> promise;
  std::shared_future<int> shared = promise.get_future().share();
  std::packaged_task<int(int)> task(
      [](int x) -> int { throw std::runtime_error(x ? "x" : "zero"); });
  std::future<int> failed = task.get_future();
  std::thread setter([&] {
    promise.set_value(1);
    task(1);
  });
  std::future<int> async = std::async(std::launch::async, [shared] { return shared.get() + 1; });
  std::future<int> deferred = std::async(std::launch::deferred, [] { return 3; });
  (void)async.wait_for(1ms);
  assert(deferred.wait_for(0ms) == std::future_status::deferred);
  assert(async.get() == 2 && deferred.get() == 3 && shared.get() == 1);
  try {
    failed.get();
    assert(false);
  } catch (const std::runtime_error&) {
  }
  setter.join();
}

struct Marker {
  std::atomic<int>* destroyed = nullptr;
  ~Marker() {
    if (destroyed) ++*destroyed;
  }
};
thread_local Marker marker;

void* ExitsNested(void* argument) {
  Marker on_stack{static_cast<std::atomic<int>*>(argument)};
  marker.destroyed = on_stack.destroyed;
  pthread_exit(argument);
}

void* WaitsForCancel(void* argument) {
  Marker on_stack{static_cast<std::atomic<int>*>(argument)};
  for (;;) pause();
}

void Threads() {
  std::atomic<int> destroyed = 0;
  pthread_key_t key;
  pthread_key_create(&key, [](void* value) { ++*static_cast<std::atomic<int>*>(value); });
  pthread_t exits, cancelled;
  void* result;
  pthread_create(&exits, nullptr, ExitsNested, &destroyed);
  pthread_create(&cancelled, nullptr, WaitsForCancel, &destroyed);
  std::thread([&] { pthread_setspecific(key, &destroyed); }).join();
  assert(pthread_join(exits, &result) == 0 && result == &destroyed);
  assert(pthread_cancel(cancelled) == 0);
  assert(pthread_join(cancelled, &result) == 0 && result == PTHREAD_CANCELED);
  // The exiting thread's stack and thread_local, the key, the cancelled thread's stack.
  assert(destroyed == 4);
  pthread_key_delete(key);

  auto gone = std::make_shared<std::promise<void>>();
  std::thread([gone] { gone->set_value_at_thread_exit(); }).detach();
  gone->get_future().wait();

  std::stop_source source;
  std::atomic<int> stops = 0;
  std::stop_callback callback(source.get_token(), [&] { ++stops; });
  Together([&] { source.request_stop(); }, [&] { source.request_stop(); });
  assert(stops == 1);
}

void C11Threads() {
  static mtx_t mutex;
  static cnd_t condition;
  static int turn;
  mtx_init(&mutex, mtx_timed);
  cnd_init(&condition);
  thrd_t thread;
  assert(thrd_create(
             &thread,
             [](void*) {
               mtx_lock(&mutex);
               while (turn == 0) cnd_wait(&condition, &mutex);
               mtx_unlock(&mutex);
               return 5;
             },
             nullptr) == thrd_success);
  timespec deadline = After(CLOCK_REALTIME, 1);
  if (mtx_timedlock(&mutex, &deadline) != thrd_success) mtx_lock(&mutex);
  turn = 1;
  cnd_signal(&condition);
  mtx_unlock(&mutex);
  int result = 0;
  assert(thrd_join(thread, &result) == thrd_success && result == 5);
  cnd_destroy(&condition);
  mtx_destroy(&mutex);
}

// ---- time, descriptors, processes, signals

void Time() {
  auto start = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(2ms);
  usleep(1000);
  timespec deadline = After(CLOCK_MONOTONIC, 1);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, nullptr) != 0) {
  }
  assert(std::chrono::steady_clock::now() - start >= 4ms);
}

void Descriptors() {
  int ends[2], sockets[2];
  assert(pipe(ends) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
  int event = eventfd(0, 0), epoll = epoll_create1(0);
  epoll_event interest{EPOLLIN, {.fd = event}};
  assert(event >= 0 && epoll >= 0 && epoll_ctl(epoll, EPOLL_CTL_ADD, event, &interest) == 0);
  Together(
      [&] {
        char byte = 0;
        assert(read(ends[0], &byte, 1) == 1 && byte == 'p');
        epoll_event happened;
        assert(epoll_wait(epoll, &happened, 1, -1) == 1 && happened.data.fd == event);
        eventfd_t count = 0;
        assert(eventfd_read(event, &count) == 0 && count == 3);
        assert(send(sockets[0], "s", 1, 0) == 1);
        assert(write(ends[1], "q", 1) == 1);
      },
      [&] {
        assert(write(ends[1], "p", 1) == 1);
        assert(eventfd_write(event, 3) == 0);
        pollfd polled{sockets[1], POLLIN, 0};
        assert(poll(&polled, 1, -1) == 1);
        char byte = 0;
        assert(recv(sockets[1], &byte, 1, 0) == 1 && byte == 's');
        fd_set readable;
        FD_ZERO(&readable);
        FD_SET(ends[0], &readable);
        assert(select(ends[0] + 1, &readable, nullptr, nullptr, nullptr) == 1);
        assert(read(ends[0], &byte, 1) == 1 && byte == 'q');
      });
  for (int fd : {ends[0], ends[1], sockets[0], sockets[1], event, epoll}) close(fd);
}

void Processes() {
  std::jthread([] {
    pid_t child = fork();
    if (child == 0) _exit(9);
    int status = 0;
    assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 9);
  });
}

std::atomic<int> handled;

void Signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::thread waiter([&] {
    int number = 0;
    assert(sigwait(&set, &number) == 0 && number == SIGUSR1);
  });
  pthread_kill(waiter.native_handle(), SIGUSR1);
  waiter.join();
  signal(SIGUSR2, [](int) { ++handled; });
  assert(raise(SIGUSR2) == 0 && handled == 1);
}

}  // namespace

int main() {
  StdMutexes();
  SharedMutexes();
  PthreadMutexes();
  RobustMutex();
  RwlockAndSpin();
  ConditionVariables();
  PthreadCond();
  Semaphores();
  LatchAndBarriers();
  Atomics();
  Once();
  Futures();
  Threads();
  C11Threads();
  Time();
  Descriptors();
  Processes();
  Signals();
}
