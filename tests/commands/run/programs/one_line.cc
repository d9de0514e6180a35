// Two variables on one line: two races.
#include <thread>

int apples, pears;

void Pick() { apples++, pears++; }

int main() {
  std::thread a(Pick), b(Pick);
  a.join();
  b.join();
}
