// confirmed: race
// harmful: yes
// The reader must not come first.
#include <cassert>
#include <thread>

int ready, seen;

int main() {
  std::thread writer([] { ready = 1; });
  std::thread reader([] { seen = ready; });
  writer.join();
  reader.join();
  assert(seen == 1);
}
