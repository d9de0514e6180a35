// Read-write locks, spin locks, try locks, timed locks, recursive mutexes.
#include <pthread.h>

#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex config_lock;
int config[4];
pthread_rwlock_t table_lock = PTHREAD_RWLOCK_INITIALIZER;
long table[3];
pthread_spinlock_t spin;
int spun = 0;
std::recursive_mutex nested;
int depth = 0;
std::timed_mutex timed;
int in_time = 0;

int read_config(int index) {
  std::shared_lock<std::shared_mutex> lock(config_lock);
  return config[index] + config[0];
}
void write_config(int index, int value) {
  std::unique_lock<std::shared_mutex> lock(config_lock);
  config[index] = value;
}
void use_table(int who) {
  if (who % 2 == 0) {
    pthread_rwlock_rdlock(&table_lock);
    table[1] += table[0] == 0;  // a write under a lock for readers
  } else {
    pthread_rwlock_wrlock(&table_lock);
    table[0] = table[1] + who;
  }
  pthread_rwlock_unlock(&table_lock);
}
void use_spin() {
  if (pthread_spin_trylock(&spin) != 0) pthread_spin_lock(&spin);
  ++spun;
  pthread_spin_unlock(&spin);
}
void nest(int levels) {
  std::lock_guard<std::recursive_mutex> guard(nested);
  ++depth;
  if (levels > 0) nest(levels - 1);
}
void in_a_while() {
  if (timed.try_lock_for(std::chrono::milliseconds(5))) {
    ++in_time;
    timed.unlock();
  }
}

void work(int who) {
  read_config(who);
  write_config(who, who);
  use_table(who);
  use_spin();
  nest(2);
  in_a_while();
  read_config(1);
}

int main() {
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  std::thread a(work, 1), b(work, 2), c(work, 3);
  a.join();
  b.join();
  c.join();
  pthread_spin_destroy(&spin);
  return spun == 3 ? 0 : 1;
}
