// Expect: clean
// shared_ptr, weak_ptr and std::string copies shared by threads: the last owner frees, exactly
// once.
#include <atomic>
#include <cassert>
#include <memory>
#include <string>
#include <thread>

std::atomic<int> destroyed;
struct Owned {
  std::string text = "a text that is too long for the small buffer of a string";
  ~Owned() { ++destroyed; }
};

int main() {
  auto owner = std::make_shared<Owned>();
  std::weak_ptr<Owned> weak = owner;
  auto user = [](std::shared_ptr<Owned> mine) {
    for (int i = 0; i < 2; ++i) {
      std::string copy = mine->text;
      copy += "!";
      auto again = mine;
      assert(copy.size() == again->text.size() + 1);
    }
  };
  auto watcher = [weak] {
    if (auto locked = weak.lock()) {
      assert(!locked->text.empty());
    } else {
      assert(destroyed <= 1);  // the last owner may still be in the destructor
    }
  };
  std::thread a(user, owner), b(user, owner), c(watcher);
  owner.reset();
  a.join();
  b.join();
  c.join();
  assert(destroyed == 1 && weak.expired());
}
