// Expect: clean
// Two holders of a shared_future, with a copy each, read what it points to.
#include <cassert>
#include <future>
#include <thread>

int main() {
  int data = 0;
  std::promise<int*> promise;
  std::shared_future<int*> future = promise.get_future().share();
  auto body = [future] { assert(*future.get() == 42); };
  std::thread first(body), second(body);
  data = 42;
  promise.set_value(&data);
  first.join();
  second.join();
}
