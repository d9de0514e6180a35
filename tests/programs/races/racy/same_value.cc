// Expect: race
// A "benign" race: both threads compute the same value and store it.
#include <thread>

int cached_hash;

int main() {
  auto hash = [] {
    if (cached_hash == 0) cached_hash = 42;  // race
  };
  std::thread first(hash), second(hash);
  first.join();
  second.join();
}
