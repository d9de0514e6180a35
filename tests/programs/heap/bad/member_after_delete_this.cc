// Expect: heap
// An object that deletes itself in a member function, and then uses a member.
struct Request {
  volatile int state = 0;
  void finish() {
    delete this;
    state = 1;  // heap
  }
};

int main() { (new Request)->finish(); }
