// Expect: clean
// pthread_exit deep in a call chain: destructors run up the stack, thread_locals after them, the
// value reaches join.
#include <pthread.h>

#include <cassert>
#include <string>

int order;
int stack_at[3], local_at;

struct OnStack {
  int depth;
  ~OnStack() { stack_at[depth] = ++order; }
};
struct Local {
  bool used = false;
  ~Local() { local_at = ++order; }
};
thread_local Local local;

void Deep(int depth) {
  OnStack on_stack{depth};
  std::string text(100, 'x');
  if (depth == 2) pthread_exit(text.size() == 100 ? &order : nullptr);
  if (depth < 9) Deep(depth + 1);
}

void* Body(void*) {
  local.used = true;
  try {
    Deep(0);
  } catch (...) {
    throw;  // the forced unwind passes through a catch-all that rethrows
  }
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, Body, nullptr);
  void* result;
  assert(pthread_join(thread, &result) == 0 && result == &order);
  assert(stack_at[2] == 1 && stack_at[1] == 2 && stack_at[0] == 3 && local_at == 4);
}
