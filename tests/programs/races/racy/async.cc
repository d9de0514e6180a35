// Expect: race
// The main thread goes on working on what std::async was given, before the get.
#include <future>

int data;

int main() {
  std::future<void> task = std::async(std::launch::async, [] { ++data; });  // race
  ++data;                                                                   // race
  task.get();
}
