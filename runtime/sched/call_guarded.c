// Implements snag_call_guarded: calls a function of the program, and notices if an exception or the
// end of its thread leaves it. In C, with -fexceptions: the cleanup attribute then needs no C++
// runtime.

struct guard {
  void (*on_unwind)(void*);
  void* argument;
};

static void run_guard(struct guard* guard) {
  if (guard->on_unwind) guard->on_unwind(guard->argument);
}

__attribute__((visibility("hidden"))) void snag_call_guarded(void (*function)(void),
                                                             void (*on_unwind)(void*),
                                                             void* argument) {
  struct guard guard __attribute__((cleanup(run_guard))) = {on_unwind, argument};
  function();
  guard.on_unwind = 0;
}
