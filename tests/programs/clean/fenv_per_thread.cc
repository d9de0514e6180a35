// Expect: clean
// Flags: -frounding-math
// The rounding mode belongs to its thread, inherited at creation.
#include <cassert>
#include <cfenv>
#include <thread>

void Body(int mode) {
  assert(std::fegetround() == FE_UPWARD);
  std::fesetround(mode);
  volatile double one = 1, three = 3;
  volatile float one_f = 1, three_f = 3;
  volatile double quotient = one / three;
  volatile float quotient_f = one_f / three_f;
  for (int i = 0; i < 3; ++i) {
    std::this_thread::yield();
    assert(std::fegetround() == mode);
    assert(one / three == quotient && one_f / three_f == quotient_f);
  }
  std::fesetround(FE_DOWNWARD);
  volatile double down = one / three;
  std::fesetround(FE_UPWARD);
  volatile double up = one / three;
  assert(up > down);
}

int main() {
  std::fesetround(FE_UPWARD);
  std::thread a(Body, FE_TOWARDZERO), b(Body, FE_TONEAREST), c(Body, FE_UPWARD);
  a.join();
  b.join();
  c.join();
  assert(std::fegetround() == FE_UPWARD);
}
