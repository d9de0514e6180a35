// Expect: race
// Flags: -std=c++20 -ltbb
// Two readers of a lock of oneTBB write.
#include <oneapi/tbb/queuing_rw_mutex.h>

#include <thread>

oneapi::tbb::queuing_rw_mutex mutex;
int count;

void Count() {
  oneapi::tbb::queuing_rw_mutex::scoped_lock lock(mutex, /*write=*/false);
  ++count;  // race
}

int main() {
  std::thread other(Count);
  Count();
  other.join();
}
