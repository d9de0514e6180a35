// Expect: race
// A large struct is copied while another thread writes one of its fields.
#include <thread>

struct Settings {
  int values[40];
} settings;

int main() {
  std::thread writer([] { settings.values[30] = 1; });  // race
  Settings copy = settings;                             // race
  volatile int seen = copy.values[30];
  (void)seen;
  writer.join();
}
