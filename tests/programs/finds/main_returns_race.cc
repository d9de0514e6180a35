// Expect: race
// main returns without joining two threads that count in a plain variable.
#include <thread>

int x;

int main() {
  for (int i = 0; i < 2; ++i)
    std::thread([] {
      for (int round = 0; round < 12; ++round) x++;
    }).detach();
}
