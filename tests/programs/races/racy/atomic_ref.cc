// Expect: race
// One thread counts through an atomic_ref, the other one uses the variable itself.
#include <atomic>
#include <thread>

int counter;

int main() {
  std::thread careful([] { std::atomic_ref(counter).fetch_add(1); });  // race
  std::thread careless([] { ++counter; });                             // race
  careful.join();
  careless.join();
}
