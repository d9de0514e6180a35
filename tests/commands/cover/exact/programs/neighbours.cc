// Neighbours in a word, accessed one by one, together, and across the borders of words.
#include <cstdint>
#include <cstring>
#include <thread>

struct Flags {
  bool a, b, c, d;
  short low, high;
  unsigned first : 3, second : 5;
  char tail[7];
};

alignas(16) Flags flags;
alignas(16) volatile unsigned char bytes[24];

struct __attribute__((packed)) Odd {
  char lead;
  std::uint32_t value;
  std::uint16_t half;
  std::uint64_t wide;
};
Odd odd;

void one() {
  flags.a = true;
  flags.low = 1;
  flags.first = 2;
  flags.tail[3] = 'x';
  for (int i = 0; i < 8; i += 2) bytes[i] = 1;
  odd.value = 5;
  odd.wide += 1;
}
void two() {
  flags.b = !flags.c;
  flags.high = static_cast<short>(flags.low + 1);
  flags.second = 7;
  flags.tail[4] = flags.tail[3];
  for (int i = 1; i < 8; i += 2) bytes[i] = bytes[i - 1];
  odd.half = static_cast<std::uint16_t>(odd.value);
  odd.lead = 'l';
}
void three() {
  std::uint64_t all;
  std::memcpy(&all, const_cast<unsigned char*>(bytes), sizeof all);
  all += 1;
  std::memcpy(const_cast<unsigned char*>(bytes) + 3, &all, sizeof all);
  Flags copy = flags;
  copy.d = true;
  flags = copy;
  odd.wide ^= odd.value;
}

int main() {
  std::thread a(one), b(two), c(three);
  a.join();
  b.join();
  c.join();
  return bytes[20];
}
