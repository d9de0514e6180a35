// Copies of a structure whose last part is a byte, to places where its parts are cut differently.
//
// modes: free control
// lp: A>B
// target: A>B B>A
#include <thread>

struct Piece {
  char bytes[17];
};

const Piece from{};
alignas(8) char first[32], second[32];

__attribute__((noinline)) void copy(Piece* to, const Piece* piece) {
  *to = *piece;  // A
}

int main() {
  std::thread([] {
    copy(reinterpret_cast<Piece*>(first), &from);
    copy(reinterpret_cast<Piece*>(second + 4), &from);
  }).join();
  char seen = 0;
  std::thread([&] {
    volatile char* byte = second + 17;
    seen = *byte;  // B
  }).join();
  return seen;
}
