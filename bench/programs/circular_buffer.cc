// circular_buffer: one producer, one consumer, no locks; the slot belongs to the consumer once
// `tail` has passed it.
// Fails: the producer advances `tail` and is preempted before it fills the slot; the consumer reads
// the slot's old value.
// Correct: fill the slot, then advance `tail`.
#include <atomic>
#include <thread>

#include "check.h"

namespace {

constexpr int kSlots = 3;
constexpr int kItems = 4;
constexpr int kAttempts = 2 * kItems;  // bounds the loops: finding it full or empty costs one

volatile int slots[kSlots];
std::atomic<int> head = 0;  // next slot to read, advanced by the consumer
std::atomic<int> tail = 0;  // next slot to fill, advanced by the producer

bool Put(int value) {
  int slot = tail;
  int next = (slot + 1) % kSlots;
  if (next == head) return false;
  if (kCorrect) slots[slot] = value;
  tail = next;
  if (!kCorrect) slots[slot] = value;
  return true;
}

bool Get(int* value) {
  int slot = head;
  if (slot == tail) return false;
  *value = slots[slot];
  head = (slot + 1) % kSlots;
  return true;
}

void Produce() {
  int next = 1;
  for (int i = 0; i < kAttempts && next <= kItems; ++i) {
    if (Put(next)) {
      ++next;
    } else {
      std::this_thread::yield();
    }
  }
}

void Consume() {
  int expected = 1;
  for (int i = 0; i < kAttempts && expected <= kItems; ++i) {
    int value = 0;
    if (Get(&value)) {
      CHECK(value == expected);
      ++expected;
    } else {
      std::this_thread::yield();
    }
  }
}

}  // namespace

int main() {
  std::thread producer(Produce);
  std::thread consumer(Consume);
  producer.join();
  consumer.join();
}
