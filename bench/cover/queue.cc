// A bounded queue with a lock and two condition variables: producers hand over messages that they
// have filled in, consumers add them up.
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct Message {
  int kind = 0;
  unsigned sequence = 0;
  long payload[6] = {};
};

class Queue {
 public:
  explicit Queue(std::size_t capacity) : slots_(capacity) {}

  void push(const Message& message) {
    std::unique_lock<std::mutex> lock(mutex_);
    not_full_.wait(lock, [&] { return count_ < slots_.size(); });
    slots_[(first_ + count_) % slots_.size()] = message;
    ++count_;
    not_empty_.notify_one();
  }

  Message pop() {
    std::unique_lock<std::mutex> lock(mutex_);
    not_empty_.wait(lock, [&] { return count_ > 0; });
    const Message message = slots_[first_];
    first_ = (first_ + 1) % slots_.size();
    --count_;
    not_full_.notify_one();
    return message;
  }

 private:
  std::mutex mutex_;
  std::condition_variable not_full_, not_empty_;
  std::vector<Message> slots_;
  std::size_t first_ = 0, count_ = 0;
};

void produce(Queue& queue, int messages) {
  for (int i = 0; i < messages; ++i) {
    Message message;
    message.kind = 1;
    message.sequence = static_cast<unsigned>(i);
    for (int k = 0; k < 6; ++k) message.payload[k] = i * (k + 1);
    queue.push(message);
  }
  queue.push(Message{});
}

void consume(Queue& queue, long* sum) {
  for (;;) {
    const Message message = queue.pop();
    if (message.kind == 0) return;
    for (long value : message.payload) *sum += value ^ message.sequence;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int messages = argc > 1 ? std::atoi(argv[1]) : 1'000'000;
  Queue queue(128);
  long sum = 0;
  std::thread consumer(consume, std::ref(queue), &sum);
  std::thread producer(produce, std::ref(queue), messages);
  producer.join();
  consumer.join();
  std::printf("%ld\n", sum);
}
