// Expect: livelock
// Two philosophers share a spoon, and each hands it to the other one who is hungry: nobody ever
// eats.
#include <atomic>
#include <thread>

std::atomic<int> owner{0};
std::atomic<bool> hungry[2] = {true, true};

void Eat(int me) {
  const int other = 1 - me;
  while (hungry[me]) {
    if (owner != me) {
      std::this_thread::yield();
      continue;
    }
    if (hungry[other]) {
      owner = other;  // after you
      continue;
    }
    hungry[me] = false;
    owner = other;
  }
}

int main() {
  std::thread a(Eat, 0), b(Eat, 1);
  a.join();
  b.join();
}
