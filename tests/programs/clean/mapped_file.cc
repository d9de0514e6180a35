// Expect: clean
// A mapped file as shared state: threads reserve records by an atomic in its head and fill them;
// main reads the file back after it is unmapped.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstdlib>
#include <new>
#include <thread>

struct File {
  std::atomic<int> used;
  int records[8];
};

int main() {
  char name[] = "/tmp/snag_mapXXXXXX";
  int fd = mkstemp(name);
  unlink(name);
  assert(fd >= 0 && ftruncate(fd, sizeof(File)) == 0);
  void* memory = mmap(nullptr, sizeof(File), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  assert(memory != MAP_FAILED);
  auto* file = ::new (memory) File{};
  auto body = [file](int id) {
    for (int i = 1; i <= 2; ++i) file->records[file->used.fetch_add(1)] = id * i;
  };
  std::thread a(body, 1), b(body, 10);
  a.join();
  b.join();
  munmap(memory, sizeof(File));
  int numbers[9];
  assert(pread(fd, numbers, sizeof numbers, 0) == sizeof numbers);
  assert(numbers[0] == 4 && numbers[1] + numbers[2] + numbers[3] + numbers[4] == 33);
  close(fd);
}
