// Expect: race
// A virtual function is called while the destructor of the base class already waits for the caller:
// the pointer to the virtual table is being changed.
#include <semaphore.h>

#include <thread>

struct Base {
  sem_t used;
  Base() { sem_init(&used, 0, 0); }
  virtual ~Base() {  // race
    while (sem_wait(&used) != 0) {
    }
    sem_destroy(&used);
  }
  virtual int number() { return 1; }
};

struct Derived : Base {
  int number() override { return 2; }
};

int main() {
  Base* object = new Derived;
  std::thread user([=] {
    object->number();  // race
    sem_post(&object->used);
  });
  delete object;  // race
  user.join();
}
