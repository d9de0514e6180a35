// Expect: clean
// std::atomic<std::shared_ptr> and weak_ptr: no object is lost or freed twice.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

std::atomic<int> alive;
struct Node {
  int value;
  explicit Node(int value) : value(value) { ++alive; }
  ~Node() { --alive; }
};

int main() {
  {
    std::atomic<std::shared_ptr<Node>> current = std::make_shared<Node>(0);
    std::atomic<std::weak_ptr<Node>> watched = std::weak_ptr<Node>(current.load());
    auto bump = [&] {
      for (int i = 0; i < 2; ++i) {
        auto old = current.load();
        while (!current.compare_exchange_weak(old, std::make_shared<Node>(old->value + 1))) {
        }
      }
    };
    std::thread a(bump), b(bump);
    std::thread watcher([&] {
      if (auto node = watched.load().lock()) assert(node->value == 0);
      auto now = current.load();
      assert(now->value >= 0 && now->value <= 4);
    });
    a.join();
    b.join();
    watcher.join();
    assert(current.load()->value == 4 && alive == 1 && watched.load().expired());
    assert(current.exchange(nullptr)->value == 4);
  }
  assert(alive == 0);
}
