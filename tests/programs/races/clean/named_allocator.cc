// Expect: clean
// Run: --allocator take,retake@2,Pool::take@2/give,retake,Pool::give@2
// Allocators that Snag does not see hand the block of one thread to the next one, in the program
// itself: these are named on the command line.
#include <cstddef>
#include <thread>

// No hooks, and no atomics: the lock is taken by an instruction of the processor's own.
#define UNSEEN __attribute__((noinline, no_sanitize("thread")))

struct Block {
  Block* next;
  long words[7];
};
Block blocks[8];
Block* unused;
int lock;

UNSEEN void Lock() {
  int taken = 1;
  do {
    asm volatile("xchgl %0, %1" : "+r"(taken), "+m"(lock)::"memory");
  } while (taken);
}
UNSEEN void Unlock() { asm volatile("movl $0, %0" : "=m"(lock)::"memory"); }

UNSEEN void* Pop() {
  Lock();
  Block* block = unused;
  unused = block->next;
  Unlock();
  return block;
}
UNSEEN void Push(void* memory) {
  auto* block = static_cast<Block*>(memory);
  Lock();
  block->next = unused;
  unused = block;
  Unlock();
}

extern "C" UNSEEN void* take(std::size_t size) {
  asm volatile("" ::"r"(size));
  void* block = Pop();
  asm volatile("" : "+r"(block));
  return block;
}
extern "C" UNSEEN void give(void* block) {
  asm volatile("" : "+r"(block));
  Push(block);
}
extern "C" UNSEEN void* retake(void* old, std::size_t size) {
  asm volatile("" ::"r"(size));
  void* block = Pop();
  Push(old);
  return block;
}

struct Pool {
  int count = 0;
  UNSEEN void* take(std::size_t size) {
    asm volatile("" ::"r"(size));
    ++count;
    return Pop();
  }
  UNSEEN void give(void* block) {
    --count;
    Push(block);
  }
};
Pool pools[2];

void Use(int n) {
  auto* a = static_cast<long*>(take(24));
  for (int i = 0; i < 3; ++i) a[i] = n;
  a = static_cast<long*>(retake(a, 32));
  for (int i = 0; i < 4; ++i) a[i] = n;
  give(a);
  auto* b = static_cast<long*>(pools[n].take(40));
  for (int i = 0; i < 5; ++i) b[i] = n;
  pools[n].give(b);
}

int main() {
  for (Block& block : blocks) Push(&block);
  std::thread other(Use, 1);
  Use(0);
  other.join();
}
