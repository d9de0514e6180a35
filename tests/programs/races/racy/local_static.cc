// Expect: race
// The initialisation of a function-local static is safe, what is done with it afterwards is not.
#include <thread>

struct Statistics {
  int calls = 0;
};

Statistics& statistics() {
  static Statistics* instance = new Statistics;
  return *instance;
}

int main() {
  auto body = [] { ++statistics().calls; };  // race
  std::thread first(body), second(body);
  first.join();
  second.join();
  delete &statistics();
}
