// Data races and heap errors as reports show them: the accesses with their stacks and locks, and
// what the memory is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tool/base/terminal.h"
#include "tool/binary/symbolizer.h"
#include "tool/report/view/frame_view.h"
#include "tool/report/view/object_names.h"
#include "tool/session/failed_run.h"

namespace snag::report {

struct HeldLockView {
  std::string name;
  FrameView taken_at;
};

struct AccessView {
  Tid thread = 0;
  bool is_write = false;
  bool is_atomic = false;
  bool is_free = false;
  std::uint32_t size = 0;
  std::vector<FrameView> stack;
  std::vector<HeldLockView> locks;
  SyncKind sync = SyncKind::kNone;  // the access is a call of a function on such an object
};

struct MemoryView {
  MemoryKind kind = MemoryKind::kUnknown;
  bool is_freed = false;
  Tid thread = kNoTid;  // whose stack, or who allocated it
  Tid free_thread = kNoTid;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;  // of the access in a heap block
  std::vector<FrameView> alloc_stack, free_stack;
  bool is_member = false;  // the variable is part of the heap block, not a name for it
};

struct RaceView {
  std::string variable;  // the full name
  AccessView first, second;
  MemoryView memory;
};

struct HeapView {
  HeapError error = HeapError::kNone;
  std::int64_t distance = 0;
  std::string variable;
  AccessView access;
  MemoryView memory;
};

// Adds the memory and the locks of a race or heap error to the names, before anything is named.
void learn_names(const session::FailedRun& run, binary::Symbolizer& symbolizer, SourceText& source,
                 ObjectNames& names);

RaceView race_view(const RaceReport& race, const binary::ModuleMap& modules,
                   binary::Symbolizer& symbolizer, SourceText& source, ObjectNames& names);
HeapView heap_view(const HeapReport& heap, const binary::ModuleMap& modules,
                   binary::Symbolizer& symbolizer, SourceText& source, ObjectNames& names);

// "data race on balance: write by T2 at account.cc:8 in main and read by T1 at account.cc:8 in
// main"
std::string race_sentence(const RaceView& race);
// "write by T2 at account.cc:8 in main and read by T1 at account.cc:8 in main"
std::string accesses_sentence(const AccessView& first, const AccessView& second);
// "use after free of item: read of 4 bytes by T1 at queue.cc:30 in Queue::pop"
std::string heap_sentence(const HeapView& heap);

// Both accesses with stacks and locks, and the memory; indented, without the sentence.
std::string race_details(const RaceView& race, const Painter& painter);
std::string heap_details(const HeapView& heap, const Painter& painter);

}  // namespace snag::report
