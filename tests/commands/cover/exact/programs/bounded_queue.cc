// A bounded queue with two condition variables; items on the heap are freed by the other side.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

struct Item {
  int number;
  char tag;
};

class Queue {
 public:
  void put(Item* item) {
    std::unique_lock<std::mutex> lock(mutex_);
    not_full_.wait(lock, [&] { return items_.size() < 2; });
    items_.push_back(item);
    not_empty_.notify_one();
  }
  Item* take() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (items_.empty()) not_empty_.wait(lock);
    Item* item = items_.front();
    items_.pop_front();
    not_full_.notify_one();
    return item;
  }

 private:
  std::mutex mutex_;
  std::condition_variable not_full_, not_empty_;
  std::deque<Item*> items_;
};

int main() {
  Queue queue;
  int sums[2] = {};
  const auto produce = [&](int base) {
    for (int i = 0; i < 3; ++i) queue.put(new Item{base + i, static_cast<char>('a' + i)});
  };
  const auto consume = [&](int index) {
    for (int i = 0; i < 3; ++i) {
      Item* item = queue.take();
      sums[index] += item->number + (item->tag == 'b');
      delete item;
    }
  };
  std::thread a(produce, 10), b(consume, 0), c(produce, 20), d(consume, 1);
  a.join();
  b.join();
  c.join();
  d.join();
  return sums[0] + sums[1] == 98 ? 0 : 1;
}
