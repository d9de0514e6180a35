// Expect: clean
// thread_local objects: constructed on first use in each thread, destroyed in reverse order, in
// main as well.
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <string>
#include <thread>

std::atomic<int> alive, mismatches;

struct Tracked {
  explicit Tracked(std::string name) : name(std::move(name)) { ++alive; }
  ~Tracked();
  std::string name;
};
thread_local std::string order;
thread_local Tracked first("first"), second("second");

Tracked::~Tracked() {
  --alive;
  order += name[0];
  if (name == "first" && order != "sf") ++mismatches;
}

// Runs after main's thread_local objects are gone.
struct Last {
  ~Last() {
    if (alive != 0 || mismatches != 0) _exit(1);
  }
} last;

int main() {
  auto body = [] {
    assert(order.empty());
    assert(first.name == "first" && second.name == "second");
    first.name += "";
  };
  std::thread a(body), b(body);
  a.join();
  b.join();
  assert(mismatches == 0 && alive == 0);
  body();
  assert(alive == 2);
}
