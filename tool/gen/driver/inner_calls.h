// Which methods of the class run at the same time because methods call each other: put_if_absent()
// calls get(), so get() runs concurrently with what other threads call. The calls of the test
// itself are known without that (note_overlaps).
//
// The driver is compiled with -finstrument-functions: the compiler reports entry to and exit from
// every function, even inlined ones. Most are not methods of the class, which takes a few
// nanoseconds to find out. Each thread keeps a stack of the methods that it is in. A thread that
// enters a method looks at the stacks of the other threads, and records the pairs in the result of
// the running test.
#pragma once

#include <snag/gen_driver.h>

#include "protocol/gen_worker.h"

namespace snag_gen {

// Switches the recording on; it is off before.
void watch_inner_calls(const Driver& driver, snag::gen::WorkerShared& shared);

// While it lives, the calling thread has this number in the current test.
class ThreadOfTest {
 public:
  explicit ThreadOfTest(unsigned thread);
  ThreadOfTest(const ThreadOfTest&) = delete;
  ThreadOfTest& operator=(const ThreadOfTest&) = delete;
  ~ThreadOfTest();
};

// A call of the test begins and ends in the calling thread.
void begin_outer_call(std::uint16_t method);
void end_outer_call();

}  // namespace snag_gen
