// Expect: clean
// A configuration that is read through std::atomic<std::shared_ptr> and replaced as a whole:
// readers keep the version that they have begun with.
#include <atomic>
#include <cassert>
#include <map>
#include <memory>
#include <string>
#include <thread>

using Config = std::map<std::string, int>;

int main() {
  std::atomic<std::shared_ptr<const Config>> config =
      std::make_shared<const Config>(Config{{"low", 1}, {"high", 2}});
  auto read = [&] {
    std::shared_ptr<const Config> now = config.load();
    assert(now->at("high") == now->at("low") + 1);
  };
  auto reload = [&] {
    std::shared_ptr<const Config> old = config.load();
    for (;;) {
      auto next = std::make_shared<Config>(*old);
      for (auto& [name, value] : *next) value += 10;
      if (config.compare_exchange_weak(old, next)) return;
    }
  };
  std::thread a(read), b(read), c(reload), d(reload);
  a.join();
  b.join();
  c.join();
  d.join();
  assert(config.load()->at("low") == 21);
}
