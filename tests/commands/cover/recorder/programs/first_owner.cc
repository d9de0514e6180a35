// Two variables with the same history, but of different threads, until a third one joins: who was
// first matters for what comes later. (The third variable is there so that all pairs are known by
// then, and only the histories are not.)
//
// modes: free control
// metrics: 17 19
// lp: A>B B>C
// target: A>B B>A A>C C>A B>C C>B B>D D>B
#include <thread>

volatile int first, second, third;

__attribute__((noinline)) void set(volatile int& variable) {
  variable = 1;  // A
}
__attribute__((noinline)) int get(volatile int& variable) {
  return variable;  // B
}

int main() {
  set(first);
  std::thread([] {
    set(second);
    third = 1;  // D
    set(third);
  }).join();
  int sum = 0;
  std::thread([&] { sum = get(third) + get(first) + get(second); }).join();
  second = 2;  // C
  return sum == 3 ? 0 : 1;
}
