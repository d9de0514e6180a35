// The driver as a worker: takes batches of tests from the shared memory of `snag gen`.
#pragma once

#include "tool/gen/driver/execution.h"

namespace snag_gen {

// Works until the host is gone; returns an exit code.
int work(const Driver& driver, int descriptor);

// Runs every test of the batch from `first` on.
void run_on_system(const Driver& driver, snag::gen::WorkerShared& shared);
void run_controlled(const Driver& driver, snag::gen::WorkerShared& shared);

// Which calls of the last run overlapped goes into the result of the test. Also for a run that
// failed: calls in progress have no end.
void note_overlaps(snag::gen::WorkerShared& shared, std::uint32_t test);

// The outcome of the run that has just ended goes into the table of distinct ones, and its
// overlapping calls into the result of the test.
void note_run(snag::gen::WorkerShared& shared, std::uint32_t test, const Execution& execution);

}  // namespace snag_gen
