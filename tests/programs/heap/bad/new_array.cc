// Expect: heap
// An array of objects: one constructor too many.
#include <new>

struct Point {
  volatile int x, y;
  Point() : x(1), y(2) {}
};

int main(int argc, char**) {
  Point* points = new Point[3];
  Point* volatile behind = points + 2 + argc;
  new (behind) Point;  // heap
  delete[] points;
}
