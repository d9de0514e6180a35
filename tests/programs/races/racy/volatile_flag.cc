// Expect: race
// volatile is not atomic, and orders nothing.
#include <thread>

volatile bool ready;
int data;

int main() {
  std::thread producer([] {
    data = 42;     // race
    ready = true;  // race
  });
  while (!ready) std::this_thread::yield();  // race
  volatile int seen = data;                  // race
  (void)seen;
  producer.join();
}
