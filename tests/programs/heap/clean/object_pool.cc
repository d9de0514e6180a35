// Expect: clean
// A pool that puts its objects into one block, and uses their places again.
#include <new>

struct Object {
  volatile int value;
  Object* next;
};

class Pool {
 public:
  Pool() {
    for (int i = 0; i < 8; ++i) give_back(new (storage_ + i * sizeof(Object)) Object{});
  }
  ~Pool() { delete[] storage_; }
  Object* take() {
    Object* object = free_;
    free_ = object->next;
    return object;
  }
  void give_back(Object* object) {
    object->next = free_;
    free_ = object;
  }

 private:
  char* storage_ = new char[8 * sizeof(Object)];
  Object* free_ = nullptr;
};

int main() {
  Pool pool;
  for (int i = 0; i < 20; ++i) {
    Object* object = pool.take();
    object->value = i;
    pool.give_back(object);
  }
}
