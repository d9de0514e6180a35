// Expect: race
// A 4-byte access that lies across two 8-byte words, and a 1-byte access to its last byte.
#include <cstring>
#include <thread>

alignas(16) unsigned char buffer[16];

struct [[gnu::packed]] Packed {
  unsigned char head[6];
  int value;
};

int main() {
  auto* packed = reinterpret_cast<Packed*>(buffer);
  std::thread writer([=] { packed->value = -1; });  // race
  volatile unsigned char seen = buffer[9];          // race
  (void)seen;
  writer.join();
}
