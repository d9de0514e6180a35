// Expect: heap
// Two threads may both take the last place: the second one writes behind the array.
#include <atomic>
#include <thread>

int main() {
  constexpr int kPlaces = 3;
  int* places = new int[kPlaces];
  std::atomic<int> used{kPlaces - 1};
  auto take = [&] {
    if (used < kPlaces) places[used++] = 1;
  };
  std::thread a(take), b(take);
  a.join();
  b.join();
  delete[] places;
}
