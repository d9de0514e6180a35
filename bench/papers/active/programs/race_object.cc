// kind: race
// A field of an object on the heap; the size is printed, so the order can be seen from outside.
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>

#include "../work.h"

namespace {
struct Buffer {
  std::mutex lock;
  int size = 0;
};
}  // namespace

int main() {
  auto buffer = std::make_unique<Buffer>();
  int printed = 0;
  std::thread writer([&] {
    Work();
    {
      std::lock_guard guard(buffer->lock);
      buffer->size = 16;
    }
    Work();
  });
  std::thread reader([&] {
    Work();
    if (kCorrect) {
      std::lock_guard guard(buffer->lock);
      printed = buffer->size;
    } else {
      printed = buffer->size;
    }
    Work();
  });
  writer.join();
  reader.join();
  std::printf("%d\n", kCorrect ? buffer->size : printed);
}
