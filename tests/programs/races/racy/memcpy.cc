// Expect: race
// memcpy reads what another thread writes.
#include <cstring>
#include <thread>

char buffer[1000], copy[1000];

int main(int argc, char**) {
  std::thread writer([] { buffer[777] = 'x'; });  // race
  std::memcpy(copy, buffer, 1000u * argc);        // race
  writer.join();
}
