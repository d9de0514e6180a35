#include "tool/session/failed_run.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "tool/base/names.h"
#include "tool/binary/function_name.h"

namespace snag::session {
namespace {

// Points may be stored as plain program counters or already position-independent.
std::vector<ModulePc> copy_points(const Shared& shared, const binary::ModuleMap& modules) {
  const std::uint32_t count = std::min(shared.run.points_used, kMaxPoints);
  std::vector<ModulePc> result;
  result.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const ModulePc module_pc = modules.to_module_pc(shared.points[i]);
    result.push_back(module_pc != 0 ? module_pc : shared.points[i]);
  }
  return result;
}

// The runtime cannot demangle: "of type St13runtime_error" becomes "of type std::runtime_error".
std::string demangle_type(std::string message) {
  constexpr std::string_view kBefore = "of type ";
  const std::size_t at = message.find(kBefore);
  if (at == std::string::npos) return message;
  const std::size_t begin = at + kBefore.size();
  const std::size_t end = std::min(message.find_first_of(" \n", begin), message.size());
  message.replace(begin, end - begin, binary::demangle(message.substr(begin, end - begin).c_str()));
  return message;
}

void bound(AccessReport& access) {
  access.depth = std::min<std::uint16_t>(access.depth, kMaxStackDepth);
  access.lock_count = std::min<std::uint16_t>(access.lock_count, kMaxReportedLocks);
  if (access.sync > SyncKind::kBarrier) access.sync = SyncKind::kNone;
}

void bound(MemoryReport& memory) {
  memory.alloc_depth = std::min<std::uint16_t>(memory.alloc_depth, kMaxStackDepth);
  memory.free_depth = std::min<std::uint16_t>(memory.free_depth, kMaxStackDepth);
  if (memory.kind > MemoryKind::kThreadLocal) memory.kind = MemoryKind::kUnknown;
}

void copy_memory_reports(const Run& from, FailedRun& run) {
  if (from.race_seen != 0) {
    run.race = from.race;
    bound(run.race->first);
    bound(run.race->second);
    bound(run.race->memory);
  }
  if (run.kind == FailureKind::kHeap) {
    run.heap = from.heap;
    bound(run.heap->access);
    bound(run.heap->memory);
    if (run.heap->error > HeapError::kBadFree) run.heap->error = HeapError::kNone;
  }
}

void describe_death_without_word(FailedRun& run) {
  run.kind = FailureKind::kHang;
  run.message = "the run did not end and did not answer the watchdog, so it was killed";
}

}  // namespace

std::string_view FailedRun::kind_name() const { return covered ? kCoveredName : name_of(kind); }

const ThreadReport* FailedRun::thread_report(Tid wanted) const {
  const auto found = std::find_if(threads.begin(), threads.end(), [&](const ThreadReport& report) {
    return report.thread == wanted;
  });
  return found == threads.end() ? nullptr : &*found;
}

bool FailedRun::is_stuck(const ThreadReport& thread) const {
  const bool has_cycle =
      std::any_of(threads.begin(), threads.end(),
                  [](const ThreadReport& report) { return report.in_cycle != 0; });
  if (has_cycle) return thread.in_cycle != 0;
  return thread.status == ThreadStatus::kBlocked || thread.status == ThreadStatus::kExternal;
}

bool FailedRun::concerns(const ThreadReport& report) const {
  return has_trait(kind, kThreadsWait) ? is_stuck(report) : report.thread == thread;
}

std::string FailedRun::thread_name(Tid thread) const {
  return thread < thread_names.size() ? thread_names[thread] : "";
}

std::span<const std::uint64_t> FailedRun::callers(std::uint64_t step) const {
  if ((step + 1) * kStepFrames > frames.size()) return {};
  return std::span(frames).subspan(step * kStepFrames, kStepFrames);
}

std::string bounded_string(const char* text, std::size_t size) {
  std::string result(text, strnlen(text, size));
  for (char& c : result) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f) c = '?';
  }
  return result;
}

binary::ModuleMap copy_modules(const Shared& shared) {
  std::vector<binary::ModuleInfo> modules;
  const std::uint32_t count = std::min(shared.module_count, kMaxModules);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Module& module = shared.modules[i];
    modules.push_back(
        {module.base, module.begin, module.end, bounded_string(module.path, sizeof(module.path))});
  }
  return binary::ModuleMap(std::move(modules));
}

FailedRun copy_failed_run(Shared& shared, CopyDepth depth) {
  const Run& from = shared.run;
  FailedRun run;
  run.kind = from.failure.kind;
  run.detail = from.failure.detail;
  run.thread = from.failure.thread;
  run.fault_address = from.failure.fault_address;
  run.lock = from.failure.lock;
  run.message = bounded_string(from.failure.message, sizeof(from.failure.message));
  if (run.kind == FailureKind::kException) run.message = demangle_type(std::move(run.message));
  run.number = from.number;
  run.contexts = from.contexts;
  run.seed = from.seed;
  run.strategy = from.strategy;
  run.event_hash = from.event_hash;
  run.thread_count = std::min(from.threads, kMaxThreads);
  const RunEnd end = from.end.load();
  run.diverged = end == RunEnd::kDiverged;
  if (end == RunEnd::kRunning) describe_death_without_word(run);
  run.covered =
      from.pair_covered != 0 && end == RunEnd::kExited && from.failure.kind == FailureKind::kNone;
  if (run.covered) {
    run.thread = from.covering_thread;
    run.message = bounded_string(from.covered_message, sizeof(from.covered_message));
  }

  run.changed_files = copy_file_changes(shared);
  run.used_changes = copy_used_changes(shared);
  run.modules = copy_modules(shared);
  const std::uint32_t thread_reports = std::min(from.failure.threads, kMaxThreads);
  run.threads.assign(shared.threads, shared.threads + thread_reports);
  for (ThreadReport& report : run.threads) {
    report.name[sizeof(report.name) - 1] = '\0';
    report.depth = std::min<std::uint16_t>(report.depth, kMaxStackDepth);
    if (report.pending >= OpKind::kCount) report.pending = OpKind::kNone;
  }
  for (std::uint32_t i = 0; i < run.thread_count; ++i)
    run.thread_names.push_back(bounded_string(shared.threads[i].name, sizeof(ThreadReport::name)));
  copy_memory_reports(from, run);
  if (depth == CopyDepth::kSummary) return run;

  const std::uint64_t steps = std::min(from.steps.load(), shared.step_capacity);
  run.steps.assign(shared.steps(), shared.steps() + steps);
  for (Step& step : run.steps) {
    // From here on it is only shown to people, so show the program's own place.
    const bool in_program = step.pc >= shared.modules[0].begin && step.pc < shared.modules[0].end;
    if (step.caller != 0 && step.pc != 0 && !in_program) {
      step.pc = shared.modules[0].begin + step.caller - 1;
    }
    if (step.kind >= OpKind::kCount) step.kind = OpKind::kNone;
  }
  if (shared.config.record_frames != 0) {
    run.frames.assign(shared.frames(), shared.frames() + steps * kStepFrames);
    run.values.assign(shared.values(), shared.values() + steps);
    for (StepValue& value : run.values) value.size = std::min<std::uint8_t>(value.size, 8);
  }
  run.choices.assign(shared.choices, shared.choices + std::min(from.choices.load(), kMaxChoices));
  run.points = copy_points(shared, run.modules);
  return run;
}

}  // namespace snag::session
