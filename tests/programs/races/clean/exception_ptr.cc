// Expect: clean
// An exception that two threads share is destroyed by whoever lets go of it last: the C++ library's
// count of its owners orders that after what the other has read.
#include <cassert>
#include <exception>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

struct Problem {
  std::string text;
};

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread producer([promise = std::move(promise)]() mutable {
    promise.set_exception(std::make_exception_ptr(Problem{"a text that is not short"}));
  });
  try {
    future.get();
    assert(false);
  } catch (const Problem& problem) {
    assert(problem.text.size() == 24);
  }
  producer.join();

  std::exception_ptr broken = std::make_exception_ptr(std::runtime_error("broken"));
  const auto look = [](std::exception_ptr one) {
    try {
      std::rethrow_exception(std::move(one));
    } catch (const std::runtime_error& error) {
      assert(error.what()[0] == 'b');
    }
  };
  std::thread first(look, broken), second(look, broken);
  broken = nullptr;
  first.join();
  second.join();
}
