// kind: assertion
// The second program of the paper: a map that others change between put and get.
#include <cassert>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "../work.h"

namespace {
class SharedMap {
 public:
  void put(const std::string& key, const std::string& value) {
    std::lock_guard guard(lock_);
    map_[key] = value;
  }
  std::string get(const std::string& key) {
    std::lock_guard guard(lock_);
    return map_[key];
  }

 private:
  std::mutex lock_;
  std::map<std::string, std::string> map_;
};
SharedMap shared_map;
}  // namespace

int main() {
  std::thread first([] {
    shared_map.put("Key", "Value");
    assert(shared_map.get("Key") == "Value");
  });
  std::thread second([] {
    Work(20);
    shared_map.put(kCorrect ? "Other" : "Key", "OtherValue");
  });
  first.join();
  second.join();
}
