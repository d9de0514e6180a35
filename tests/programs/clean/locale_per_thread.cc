// Expect: clean
// uselocale and errno belong to a thread: what one sets is not seen by the other one.
#include <locale.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <thread>

int main() {
  std::atomic<int> turns = 0;
  auto body = [&](int error) {
    locale_t mine = newlocale(LC_ALL_MASK, "C", nullptr);
    assert(mine != nullptr);
    locale_t before = uselocale(mine);
    errno = error;
    ++turns;
    assert(uselocale(nullptr) == mine);
    assert(errno == error && std::strcmp(std::strerror(error), "Success") != 0);
    uselocale(before);
    freelocale(mine);
  };
  std::thread a(body, ENOENT), b(body, EAGAIN);
  a.join();
  b.join();
  assert(turns == 2);
}
