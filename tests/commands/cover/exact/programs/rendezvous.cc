// Barriers, one-time initialisation, local statics, futures, and a flag that is waited for in a
// loop.
#include <pthread.h>

#include <atomic>
#include <future>
#include <mutex>
#include <thread>

pthread_barrier_t barrier;
pthread_once_t once = PTHREAD_ONCE_INIT;
int made = 0;
int phase[3];
std::atomic<bool> go{false};
std::atomic<int> arrived{0};

struct Table {
  Table() : value(7) {}
  int value;
};
Table& table() {
  static Table instance;
  return instance;
}

void make() { made = 1; }

void work(int who) {
  while (!go.load(std::memory_order_acquire)) std::this_thread::yield();
  pthread_once(&once, make);
  phase[who] = made + table().value;
  pthread_barrier_wait(&barrier);
  phase[who] += phase[(who + 1) % 3];
  arrived.fetch_add(1);
  arrived.notify_all();
}

int main() {
  pthread_barrier_init(&barrier, nullptr, 3);
  std::thread a(work, 0), b(work, 1), c(work, 2);
  std::future<int> later = std::async(std::launch::async, [] { return table().value; });
  go.store(true, std::memory_order_release);
  for (int seen = arrived.load(); seen < 3; seen = arrived.load()) arrived.wait(seen);
  a.join();
  b.join();
  c.join();
  pthread_barrier_destroy(&barrier);
  return later.get() == 7 ? 0 : 1;
}
