// For programs whose threads take turns, and which keep book themselves of what they do to the
// bytes of `memory`: the pairs are those that the definitions give for what really happened. A
// program has take_turn, which accesses the memory and notes it.
#pragma once

#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>

#define UNSEEN __attribute__((no_sanitize("thread")))
#define SITE __attribute__((noinline)) void

constexpr int kThreads = 3, kBytes = 512, kTurns = 4000;

alignas(16) inline char memory[kBytes];

template <class T>
void use(T value) {
  asm volatile("" : : "r"(value));
}

void take_turn(int thread, int turn);

struct Access {
  char letter = 0;
  int thread = 0;
  bool writes = false;
  auto operator<=>(const Access&) const = default;
};
using Pairs = std::set<std::pair<char, char>>;

struct Book {
  Access last[kBytes];
  std::set<Access> all[kBytes];
  Pairs covered, target;

  UNSEEN void note(int thread, char letter, long begin, int size, bool writes) {
    const Access access{letter, thread, writes};
    for (long i = begin; i < begin + size; ++i) {
      const Access& before = last[i];
      if (before.letter != 0 && before.thread != thread && (before.writes || writes))
        covered.insert({before.letter, letter});
      last[i] = access;
      if (!all[i].insert(access).second) continue;
      for (const Access& other : all[i]) {
        if (other.thread == thread || !(other.writes || writes)) continue;
        target.insert({other.letter, letter});
        target.insert({letter, other.letter});
      }
    }
  }
};
inline Book book;

inline unsigned long next_random = 1;
UNSEEN inline unsigned random_below(unsigned limit) {
  next_random = next_random * 6364136223846793005 + 1442695040888963407;
  return static_cast<unsigned>(next_random >> 33) % limit;
}

inline std::mutex mutex;
inline std::condition_variable changed;
inline int turns = 0, whose = 0;

inline void play(int self) {
  std::unique_lock lock(mutex);
  while (turns < kTurns) {
    if (whose == self) {
      take_turn(self, turns++);
      whose = static_cast<int>(random_below(kThreads));
      changed.notify_all();
    } else {
      changed.wait(lock, [&] { return whose == self || turns == kTurns; });
    }
  }
  changed.notify_all();
}

UNSEEN inline void print(const char* name, const Pairs& pairs) {
  std::printf("expect %s", name);
  for (const auto& [first, second] : pairs) std::printf(" %c>%c", first, second);
  std::printf("\n");
}

inline int play_all() {
  std::thread threads[kThreads];
  for (int i = 0; i < kThreads; ++i) threads[i] = std::thread(play, i);
  for (std::thread& thread : threads) thread.join();
  print("lp", book.covered);
  print("target", book.target);
  return 0;
}
