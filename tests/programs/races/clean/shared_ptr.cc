// Expect: clean
// Every thread has its own shared_ptr; the last one to let go destroys what the others have read.
#include <cassert>
#include <memory>
#include <thread>

struct Value {
  int number = 42;
  ~Value() { number = 0; }
};

int main() {
  auto value = std::make_shared<Value>();
  auto body = [](std::shared_ptr<Value> mine) {
    std::shared_ptr<Value> copy = mine;
    mine.reset();
    assert(copy->number == 42);
  };
  std::thread first(body, value), second(body, value);
  std::weak_ptr<Value> weak = value;
  value.reset();
  if (auto locked = weak.lock()) assert(locked->number == 42);
  first.join();
  second.join();
}
