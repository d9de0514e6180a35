#include "tool/gen/driver/worker.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "arch/arch.h"
#include "tool/gen/driver/inner_calls.h"

namespace snag_gen {

using namespace snag::gen;

namespace {

WorkerShared* map_shared(int descriptor) {
  struct stat info;
  if (fstat(descriptor, &info) != 0 || info.st_size < static_cast<off_t>(sizeof(WorkerShared)))
    return nullptr;
  void* memory =
      mmap(nullptr, sizeof(WorkerShared), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close(descriptor);
  return memory == MAP_FAILED ? nullptr : static_cast<WorkerShared*>(memory);
}

}  // namespace

void note_overlaps(WorkerShared& shared, std::uint32_t test) {
  const PlainTest& plain = shared.test[test];
  Result& result = shared.result[test];
  // A call in progress when the run ended did not end before any other.
  const auto is_before = [](const CallRecord& a, const CallRecord& b) {
    return a.state.load() == CallState::kNotMade || (a.end != 0 && a.end <= b.begin);
  };
  const std::uint32_t calls = call_count(plain);
  std::uint32_t first = plain.prefix;
  for (unsigned thread = 0; thread < plain.threads; first += plain.suffix[thread++]) {
    for (std::uint32_t i = first; i < first + plain.suffix[thread]; ++i) {
      for (std::uint32_t j = first + plain.suffix[thread]; j < calls; ++j) {
        const CallRecord &a = shared.live[i], &b = shared.live[j];
        if (!is_before(a, b) && !is_before(b, a)) result.overlaps[i] |= std::uint64_t{1} << j;
      }
    }
  }
}

void note_run(WorkerShared& shared, std::uint32_t test, const Execution& execution) {
  Result& result = shared.result[test];
  ++result.runs;
  if (!execution.unmade().empty()) {
    result.unmade = 1;
    std::snprintf(result.message, sizeof result.message, "%s", execution.unmade().c_str());
  }
  note_overlaps(shared, test);
  const std::uint64_t hash = execution.hash();
  std::uint32_t count = shared.outcome_count.load(std::memory_order_relaxed);
  for (std::uint32_t i = count; i-- > 0 && shared.outcome[i].test == test;) {
    if (shared.outcome[i].hash != hash) continue;
    ++shared.outcome[i].count;
    return;
  }
  const std::uint32_t record = shared.record_count.load(std::memory_order_relaxed);
  const std::uint32_t records = execution.record_count();
  if (count == kMaxDistinct || record + records > kRecordPool) {
    ++shared.lost_outcomes;
    return;
  }
  std::memcpy(static_cast<void*>(&shared.record[record]), shared.live,
              records * sizeof(CallRecord));
  shared.outcome[count] = {test, 1, hash, record, records};
  shared.record_count.store(record + records, std::memory_order_relaxed);
  shared.outcome_count.store(count + 1, std::memory_order_release);
}

int work(const Driver& driver, int descriptor) {
  WorkerShared* shared = map_shared(descriptor);
  if (!shared || shared->magic != kGenMagic || shared->version != kGenVersion) return 3;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  watch_inner_calls(driver, *shared);
  for (;;) {
    const std::uint32_t answered = shared->answered.load(std::memory_order_relaxed);
    shared->phase.store(WorkerPhase::kIdle, std::memory_order_release);
    while (shared->request.load(std::memory_order_acquire) == answered)
      snag::futex_wait(&shared->request, answered);
    shared->phase.store(WorkerPhase::kBusy, std::memory_order_relaxed);
    if (shared->mode == Mode::kSystem) {
      run_on_system(driver, *shared);
    } else {
      run_controlled(driver, *shared);
    }
    shared->answered.store(shared->request.load(std::memory_order_relaxed),
                           std::memory_order_release);
    snag::futex_wake(&shared->answered);
  }
}

}  // namespace snag_gen
