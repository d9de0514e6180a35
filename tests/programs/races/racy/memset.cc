// Expect: race
// memset clears what another thread reads.
#include <cstring>
#include <thread>

char buffer[1000];

int main(int argc, char**) {
  std::thread cleaner([=] { std::memset(buffer, argc, 1000u * argc); });  // race
  volatile char seen = buffer[777];                                       // race
  (void)seen;
  cleaner.join();
}
