// Expect: clean
// Fields of different sizes in one aligned word, each with its own writer.
#include <cassert>
#include <cstdint>
#include <thread>

struct alignas(8) Fields {
  std::int32_t wide;
  std::int16_t middle;
  std::int8_t narrow, last;
} fields;

int main() {
  std::thread a([] { fields.wide = -1; });
  std::thread b([] { fields.middle = -2; });
  std::thread c([] { fields.narrow = -3; });
  fields.last = -4;
  a.join();
  b.join();
  c.join();
  assert(fields.wide + fields.middle + fields.narrow + fields.last == -10);
}
