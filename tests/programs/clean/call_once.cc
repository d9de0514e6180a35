// Expect: clean
// std::call_once: an initialiser that throws is tried again; everyone sees the completed one;
// pthread_once.
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

std::once_flag flag;
pthread_once_t pthread_flag = PTHREAD_ONCE_INIT;
std::atomic<int> attempts, caught;
int completed, pthread_completed;

int main() {
  auto body = [] {
    for (;;) try {
        std::call_once(flag, [] {
          if (attempts++ < 2) throw std::runtime_error("not yet");
          std::this_thread::yield();
          ++completed;
        });
        break;
      } catch (const std::runtime_error&) {
        ++caught;
      }
    assert(completed == 1);
    pthread_once(&pthread_flag, [] { ++pthread_completed; });
    assert(pthread_completed == 1);
  };
  std::thread a(body), b(body), c(body);
  a.join();
  b.join();
  c.join();
  assert(attempts == 3 && caught == 2);
}
