// Expect: race
// A const function that fills a mutable cache is no read.
#include <thread>

class Shape {
 public:
  int area() const {
    if (cached_ < 0) cached_ = width_ * height_;  // race
    return cached_;                               // race
  }

 private:
  int width_ = 2, height_ = 3;
  mutable int cached_ = -1;
};

const Shape shape;

int main() {
  auto body = [] {
    volatile int seen = shape.area();
    (void)seen;
  };
  std::thread first(body), second(body);
  first.join();
  second.join();
}
