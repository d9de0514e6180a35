// Expect: race
// Two holders of a shared_future both change what it points to.
#include <future>
#include <thread>

int main() {
  int data = 0;
  std::promise<int*> promise;
  std::shared_future<int*> future = promise.get_future().share();
  auto body = [future] { ++*future.get(); };  // race
  std::thread first(body), second(body);
  promise.set_value(&data);
  first.join();
  second.join();
}
