// Expect: clean
// Hazard pointers: a reader announces what it is going to read and looks again; a retired object is
// deleted when no thread announces it.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

struct Config {
  int value, twice;
};

std::atomic<Config*> current = new Config{1, 2};
std::atomic<Config*> hazards[2];

void Read(int self) {
  for (int i = 0; i < 2; ++i) {
    Config* config = current;
    for (;;) {
      hazards[self] = config;
      Config* again = current;
      if (again == config) break;
      config = again;
    }
    assert(config->twice == 2 * config->value);
    hazards[self] = nullptr;
  }
}

void Write() {
  std::vector<Config*> retired;
  for (int i = 2; i <= 3; ++i) {
    retired.push_back(current.exchange(new Config{i, 2 * i}));
    std::erase_if(retired, [](Config* config) {
      for (auto& hazard : hazards)
        if (hazard == config) return false;
      delete config;
      return true;
    });
  }
  while (!retired.empty()) {
    while (hazards[0] == retired.back() || hazards[1] == retired.back()) std::this_thread::yield();
    delete retired.back();
    retired.pop_back();
  }
}

int main() {
  std::thread a(Read, 0), b(Read, 1), writer(Write);
  a.join();
  b.join();
  writer.join();
  delete current.load();
}
