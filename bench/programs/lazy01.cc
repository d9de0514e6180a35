// lazy01: three threads share an object that the first to need it creates.
// Fails: two threads find the object missing before either has created it: it is created twice.
// Correct: std::call_once.
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "check.h"

namespace {

std::once_flag once;
volatile int created = 0;  // has the object been created?
std::atomic<int> creations = 0;

void Create() {
  CHECK(creations.fetch_add(1) == 0);
  created = 1;
}

void Use() {
  if (kCorrect) {
    std::call_once(once, Create);
  } else if (!created) {
    Create();
  }
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(Use);
  for (std::thread& thread : threads) thread.join();
  CHECK(created == 1);
}
