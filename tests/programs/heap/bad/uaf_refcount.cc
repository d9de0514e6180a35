// Expect: heap
// A reference count in two steps: decrement, then look. Both threads may see zero, and one may look
// into what the other has deleted.
#include <atomic>
#include <thread>

struct Counted {
  std::atomic<int> owners{2};
};

int main() {
  Counted* counted = new Counted;
  auto release = [=] {
    counted->owners.fetch_sub(1);
    if (counted->owners.load() == 0) delete counted;  // heap
  };
  std::thread first(release), second(release);
  first.join();
  second.join();
}
