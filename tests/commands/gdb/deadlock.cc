// Each of two threads holds one lock and waits for the other's.
#include <pthread.h>

#include <mutex>
#include <thread>

std::mutex first_lock, second_lock;

[[gnu::noinline]] void Transfer(std::mutex& from, std::mutex& to, int amount) {
  volatile int moved = amount;
  std::lock_guard lock_from(from);
  std::lock_guard lock_to(to);
  moved = moved + 1;
}

int main() {
  std::thread there([] {
    pthread_setname_np(pthread_self(), "there");
    Transfer(first_lock, second_lock, 10);
  });
  std::thread back([] { Transfer(second_lock, first_lock, 20); });
  there.join();
  back.join();
}
