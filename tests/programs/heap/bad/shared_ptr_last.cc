// Expect: heap
// The raw pointer of a shared_ptr, used while the other thread may let go of the last reference.
#include <memory>
#include <thread>

int main() {
  auto first = std::make_shared<int>(1);
  volatile int* raw = first.get();
  std::thread owner([mine = std::move(first)]() mutable { mine.reset(); });
  volatile int seen = *raw;  // heap
  (void)seen;
  owner.join();
  volatile int later = *raw;  // heap
  (void)later;
}
