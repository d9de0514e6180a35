// Expect: clean
// A class with operator new and delete of its own: messages from a locked free list, made by one
// thread and deleted by another one.
#include <cassert>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <new>
#include <thread>

class Message {
 public:
  explicit Message(int number) : number_(number) {}
  int Number() const { return number_; }
  static void* operator new(std::size_t size) {
    std::lock_guard lock(mutex);
    if (free == nullptr) return ::operator new(size < sizeof(Free) ? sizeof(Free) : size);
    Free* block = free;
    free = block->next;
    return block;
  }
  static void operator delete(void* memory) {
    std::lock_guard lock(mutex);
    free = ::new (memory) Free{free};
  }
  static void Trim() {
    std::lock_guard lock(mutex);
    while (free != nullptr) {
      Free* block = free;
      free = block->next;
      ::operator delete(block);
    }
  }

 private:
  struct Free {
    Free* next;
  };
  static inline std::mutex mutex;
  static inline Free* free;
  int number_;
};

int main() {
  std::mutex mutex;
  std::condition_variable cv;
  std::deque<Message*> queue;
  std::thread sender([&] {
    for (int i = 1; i <= 5; ++i) {
      auto* message = new Message(i);
      std::lock_guard lock(mutex);
      queue.push_back(message);
      cv.notify_one();
    }
  });
  for (int i = 1; i <= 5; ++i) {
    std::unique_lock lock(mutex);
    cv.wait(lock, [&] { return !queue.empty(); });
    Message* message = queue.front();
    queue.pop_front();
    lock.unlock();
    assert(message->Number() == i);
    delete message;
  }
  sender.join();
  Message::Trim();
}
