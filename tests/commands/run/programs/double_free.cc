// Both of the deallocations are shown, each as one.
#include <atomic>
#include <thread>

struct Block {
  int values[6];
};
std::atomic<int> references{2};
Block* block = new Block;

void Drop() {
  --references;
  if (references == 0) delete block;
}

int main() {
  std::thread a(Drop), b(Drop);
  a.join();
  b.join();
}
