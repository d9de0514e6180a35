// Expect: clean
// A virtual function is called by a thread that the destructor of the most derived class joins.
#include <cassert>
#include <thread>

struct Base {
  virtual ~Base() = default;
  virtual int number() { return 1; }
};

struct Derived : Base {
  int seen = 0;
  std::thread user;
  void start() {
    user = std::thread([this] { seen = number(); });
  }
  ~Derived() override {
    user.join();
    assert(seen == 2);
  }
  int number() override { return 2; }
};

int main() {
  Derived* object = new Derived;
  object->start();
  delete static_cast<Base*>(object);
}
