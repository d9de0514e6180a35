// Expect: exit
// Fails for some random numbers: they come from the run's seed, so a replay sees the same ones.
#include <random>
#include <thread>

int main() {
  unsigned drawn = 0;
  std::thread thread([&] { drawn = std::random_device()() % 8; });
  thread.join();
  return drawn == 3 ? 3 : 0;
}
