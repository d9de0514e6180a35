// On which processor a thread is. In fact all are on that of the carrier, which the kernel moves as
// it likes: no replay would see the same. So each thread has a processor of its own, all its life.
#pragma once

#include <sched.h>

#include <cstddef>

namespace snag::rt {

struct Thread;

// The program wants the thread on one of these processors. An error number, or 0.
int pin_thread(Thread* thread, std::size_t size, const cpu_set_t* set);

}  // namespace snag::rt
