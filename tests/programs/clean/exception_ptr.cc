// Expect: clean
// An exception_ptr handed from thread to thread: rethrown by several, freed once.
#include <atomic>
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

std::atomic<int> alive;

struct Tracked : std::runtime_error {
  explicit Tracked(const std::string& text) : std::runtime_error(text) { ++alive; }
  Tracked(const Tracked& other) : std::runtime_error(other) { ++alive; }
  ~Tracked() override { --alive; }
};

int main() {
  std::exception_ptr pointer;
  std::thread([&] {
    try {
      throw Tracked("a message that is long enough to live on the heap");
    } catch (...) {
      pointer = std::current_exception();
    }
  }).join();
  assert(alive == 1);
  std::atomic<int> caught = 0;
  auto rethrows = [&, pointer] {
    try {
      std::rethrow_exception(pointer);
    } catch (const Tracked& error) {
      std::this_thread::yield();
      assert(std::string(error.what()).ends_with("heap"));
      ++caught;
    }
  };
  {
    std::jthread a(rethrows), b(rethrows);
    rethrows();
  }
  assert(caught == 3);
  pointer = nullptr;
  assert(alive == 1);  // the lambda still has its copy
}
