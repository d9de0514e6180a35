// A small whole program that mostly allocates.
#include "containers.h"

#include <thread>

int main() {
  std::thread other([] { speed::use_containers(); });
  speed::use_containers();
  other.join();
}
