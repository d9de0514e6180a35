// A hash map with chains, under one lock: threads look up, count and erase words.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 2;

class Map {
 public:
  explicit Map(std::size_t buckets) : buckets_(buckets) {}

  long add(unsigned long key, long amount) {
    std::lock_guard<std::mutex> guard(mutex_);
    for (Node* node = bucket(key).get(); node; node = node->next.get()) {
      if (node->key == key) return node->value += amount;
    }
    std::unique_ptr<Node>& first = bucket(key);
    first = std::make_unique<Node>(Node{key, amount, std::move(first)});
    ++size_;
    return amount;
  }

  bool find(unsigned long key, long* value) {
    std::lock_guard<std::mutex> guard(mutex_);
    for (const Node* node = bucket(key).get(); node; node = node->next.get()) {
      if (node->key != key) continue;
      *value = node->value;
      return true;
    }
    return false;
  }

  bool erase(unsigned long key) {
    std::lock_guard<std::mutex> guard(mutex_);
    for (std::unique_ptr<Node>* link = &bucket(key); *link; link = &(*link)->next) {
      if ((*link)->key != key) continue;
      *link = std::move((*link)->next);
      --size_;
      return true;
    }
    return false;
  }

  std::size_t size() {
    std::lock_guard<std::mutex> guard(mutex_);
    return size_;
  }

 private:
  struct Node {
    unsigned long key;
    long value;
    std::unique_ptr<Node> next;
  };
  std::unique_ptr<Node>& bucket(unsigned long key) {
    return buckets_[key * 0x9e3779b97f4a7c15 % buckets_.size()];
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Node>> buckets_;
  std::size_t size_ = 0;
};

void work(Map& map, int self, int rounds) {
  unsigned long random = 12345 + self;
  long value = 0, sum = 0;
  for (int i = 0; i < rounds; ++i) {
    random = random * 6364136223846793005 + 1442695040888963407;
    const unsigned long key = random >> 33 & 0x3fff;
    switch (random >> 60) {
      case 0:
      case 1:
        map.erase(key);
        break;
      case 2:
      case 3:
      case 4:
      case 5:
        map.add(key, 1);
        break;
      default:
        if (map.find(key, &value)) sum += value;
    }
  }
  map.add(1ul << 40, sum);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 1'500'000;
  Map map(4093);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, std::ref(map), i, rounds);
  for (std::thread& thread : threads) thread.join();
  std::printf("%s\n", map.size() > 1 ? "ok" : "empty");
}
