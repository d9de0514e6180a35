// Expect: clean
// main returns while a detached thread still counts: what that thread uses is never destroyed.
#include <atomic>
#include <thread>

std::atomic<int> count;

int main() {
  for (int i = 0; i < 2; ++i)
    std::thread([] {
      for (int round = 0; round < 12; ++round) ++count;
    }).detach();
}
