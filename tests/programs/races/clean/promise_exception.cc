// Expect: clean
// A promise is broken with an exception, which the other side catches and reads.
#include <cassert>
#include <future>
#include <thread>

struct Problem {
  int code;
};

int main() {
  std::promise<int> value;
  std::future<int> future = value.get_future();
  std::thread producer([&] { value.set_exception(std::make_exception_ptr(Problem{42})); });
  try {
    future.get();
    assert(false);
  } catch (const Problem& problem) {
    assert(problem.code == 42);
  }
  producer.join();
}
