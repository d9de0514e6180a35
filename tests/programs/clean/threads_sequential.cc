// Expect: clean
// Run: --runs 20
// 2000 threads one after another: each finds its thread_local data as new, however contexts are
// reused.
#include <atomic>
#include <cassert>
#include <cerrno>
#include <string>
#include <thread>

thread_local int zero, seven = 7;
thread_local std::string text = "new";
thread_local char big[4096];
std::atomic<int> destroyed;
struct Counts {
  int uses = 0;
  ~Counts() { ++destroyed; }
};
thread_local Counts counts;

int main() {
  for (int i = 0; i < 2000; ++i) {
    std::thread([] {
      assert(zero == 0 && seven == 7 && text == "new" && big[0] == 0 && big[4095] == 0 &&
             counts.uses == 0);
      assert(errno == 0);
      zero = seven = errno = ++counts.uses;
      text += " text that is too long to be stored inside the string object itself";
      big[0] = big[4095] = 1;
    }).join();
  }
  assert(destroyed == 2000);
}
