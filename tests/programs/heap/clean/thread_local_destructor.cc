// Expect: clean
// The destructor of a thread_local object frees its block.
#include <thread>

struct Owner {
  int* block = nullptr;
  ~Owner() { delete block; }
};
thread_local Owner owner;

int main() {
  auto body = [] {
    owner.block = new int(1);
    *static_cast<volatile int*>(owner.block) = 2;
  };
  std::thread first(body), second(body);
  first.join();
  second.join();
  body();
}
