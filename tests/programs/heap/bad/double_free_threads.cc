// Expect: heap
// Two threads clean up; both find the pointer set.
#include <thread>

int* volatile shared;

int main() {
  shared = new int(1);
  auto clean_up = [] {
    if (shared != nullptr) {
      delete shared;  // heap
      shared = nullptr;
    }
  };
  std::thread first(clean_up), second(clean_up);
  first.join();
  second.join();
}
