// Programs to be measured, chosen by their first argument.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> shared = 0;
int turns = 0;

// Each thread in its turn: the pairs do not depend on the scheduling.
void PingPong(int rounds) {
  const auto play = [rounds](int who) {
    for (int i = 0; i < rounds; ++i) {
      while (shared.load() % 2 != who) std::this_thread::yield();
      ++turns;
      assert(shared.load() >= 0);
      shared.fetch_add(1);
    }
  };
  std::thread other(play, 1);
  play(0);
  other.join();
}

// They lie at the same place, but never at the same time.
__attribute__((noinline)) void Apples() {
  int apples = 0;
  std::thread other([&] { apples = 5; });
  other.join();
}
__attribute__((noinline)) void Pears() {
  int pears = 0;
  std::thread other([&] { pears = 7; });
  other.join();
}

__attribute__((noinline)) void Overloaded(int a) { turns += a; }
__attribute__((noinline)) void Overloaded(long a) { turns -= static_cast<int>(a); }

// Lines with several variables; the order of the threads is fixed.
int config = 0, sum = 0;
int* cells = new int[4];
__attribute__((noinline)) void Configure() {
  config = 1;
  cells[1] = 2;
}
__attribute__((noinline)) void AddUp() {
  sum += config;
  sum += cells[1];
}

void NeverCalled() { turns = 0; }

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "never") == 0) {
    NeverCalled();
    Overloaded(1L);
  }
  PingPong(10);
  if (strcmp(what, "locals") == 0) {
    Apples();
    Pears();
    Overloaded(argc);
  } else if (strcmp(what, "names") == 0) {
    std::thread(Configure).join();
    std::thread(AddUp).join();
  } else if (strcmp(what, "copy") == 0) {
    for (int c; (c = getchar()) != EOF;) putchar(c);
  } else if (strcmp(what, "crash") == 0) {
    raise(SIGSEGV);
  } else if (strcmp(what, "fail") == 0) {
    return 7;
  } else if (strcmp(what, "wait") == 0) {
    puts("ready");
    fflush(stdout);
    for (;;) pause();
  }
}
