// confirmed: atomicity reads current at seen_only_as_it_fails.cc:22
// The second look is rarely reached, and what the runs watched did not show is not predicted from
// them. It fails on the way to something else, and then it is known.
#include <atomic>
#include <thread>

std::atomic<int> noise;
int target = 5;
std::atomic<int*> current = &target;

void Work(int steps) {
  for (int i = 0; i < steps; ++i) noise.fetch_add(1);
}

// In a function of its own: two looks that are one action.
void Use() {
  Work(1);
  if (current.load() == nullptr) return;
  Work(1);
  // (The line that the first comment names.)

  *current.load() += 1;
}

int main() {
  std::thread user([] {
    Work(40);
    Use();
  });
  std::thread closer([] {
    Work(4);
    current = nullptr;
    Work(20);
  });
  user.join();
  closer.join();
}
