// Expect: clean
// A monitor with a recursive mutex whose methods call each other, and a visitor that calls back
// into it while it is locked.
#include <cassert>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

class Registry {
 public:
  void Add(int value) {
    std::lock_guard lock(mutex_);
    values_.push_back(value);
  }
  void AddTwice(int value) {
    std::lock_guard lock(mutex_);
    Add(value);
    Add(value);
  }
  void ForEach(const std::function<void(int)>& visit) {
    std::lock_guard lock(mutex_);
    for (std::size_t i = 0, count = values_.size(); i < count; ++i) visit(values_[i]);
  }

 private:
  std::recursive_mutex mutex_;
  std::vector<int> values_;
};

int main() {
  Registry registry;
  auto body = [&] {
    registry.AddTwice(1);
    registry.ForEach([&](int value) {
      if (value == 1) registry.Add(0);
    });
  };
  std::thread a(body), b(body);
  a.join();
  b.join();
  int ones = 0, zeros = 0;
  registry.ForEach([&](int value) { ++(value == 1 ? ones : zeros); });
  assert(ones == 4 && (zeros == 6 || zeros == 8));
}
