// Expect: race
// A new version is published by a plain pointer.
#include <thread>

struct Version {
  int left, right;
};

Version first_version{1, 1}, second_version;
Version* current = &first_version;

int main() {
  std::thread writer([] {
    second_version = {2, 2};    // race
    current = &second_version;  // race
  });
  Version* seen = current;                      // race
  volatile int sum = seen->left + seen->right;  // race
  (void)sum;
  writer.join();
}
