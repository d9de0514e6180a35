// Expect: clean
// What was written before a thread was made, and what it wrote before it was joined; by a chain of
// threads, too.
#include <cassert>
#include <thread>

int data;

int main() {
  data = 1;
  std::thread outer([] {
    ++data;
    std::thread inner([] { ++data; });
    inner.join();
    ++data;
  });
  outer.join();
  assert(data == 4);
}
