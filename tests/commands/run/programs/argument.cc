// All threads get the address of one variable of main, which is not a variable of theirs.
#include <pthread.h>

#include <cstdio>

void* Work(void* arg) {
  int number = *(int*)arg;
  std::printf("%d\n", number);
  return nullptr;
}

int main() {
  pthread_t threads[2];
  int i;
  for (i = 0; i < 2; ++i) pthread_create(&threads[i], nullptr, Work, &i);
  for (int j = 0; j < 2; ++j) pthread_join(threads[j], nullptr);
}
