// Expect: clean
// The last of several owners destroys the object, whichever that is.
#include <memory>
#include <thread>

int main() {
  auto number = std::make_shared<int>(42);
  auto body = [](std::shared_ptr<int> mine) {
    volatile int seen = *mine;
    (void)seen;
  };
  std::thread first(body, number), second(body, number);
  number.reset();
  first.join();
  second.join();
}
