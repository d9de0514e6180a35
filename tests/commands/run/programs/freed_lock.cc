// A lock in freed memory is used: that is more than a write of some bytes.
#include <pthread.h>

#include <thread>

struct Resource {
  int id;
  pthread_mutex_t mutex;
};

int main() {
  auto* resource = new Resource;
  pthread_mutex_init(&resource->mutex, nullptr);
  std::thread user([resource] {
    pthread_mutex_lock(&resource->mutex);
    pthread_mutex_unlock(&resource->mutex);
  });
  pthread_mutex_destroy(&resource->mutex);
  delete resource;
  user.join();
}
