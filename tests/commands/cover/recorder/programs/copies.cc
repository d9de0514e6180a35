// Blocks that are copied, with ends that are not at the border of a word.
//
// modes: free control
// lp: A>B A>C B>D
// target: A>B B>A A>C C>A B>D D>B
#include <cstdlib>
#include <cstring>
#include <thread>

char* const from = static_cast<char*>(std::calloc(1, 64));
char* const to = static_cast<char*>(std::calloc(1, 64));

int main(int argc, char**) {
  const std::size_t size = argc * 31;
  std::memset(from + 3, 1, size);  // A
  std::thread([=] {
    std::memmove(from + 20, from + 3, 5 * size / 31);  // B
    volatile char last = from[33];                     // C
    (void)last;
  }).join();
  std::memset(from + 22, 2, size / 31);  // D
}
