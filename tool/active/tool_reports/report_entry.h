// An entry of another tool's report: a race or a lock order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tool/active/candidates/candidate_kinds.h"
#include "tool/active/candidates/memory_part.h"

namespace snag::active {

struct ReportFrame {
  std::string function;
  std::string file;  // as the tool writes it, with or without a path
  int line = 0;
  int column = 0;  // 0: not given
};

enum class ReportAccess { kUnknown, kRead, kWrite };

// One of the two accesses, or where a thread waits for a lock.
struct ReportSide {
  ReportAccess access = ReportAccess::kUnknown;
  bool is_free = false;             // it frees the memory
  std::uint32_t size = 0;           // 0: not given
  std::uint64_t code = 0;           // address of the instruction in the program that was reported
  std::vector<ReportFrame> frames;  // innermost first; only those with a line number
};

struct ReportEntry {
  Kind kind = Kind::kRace;  // or kDeadlock
  std::uint64_t line = 0;   // line of the text where it first begins
  std::uint64_t times = 1;  // how often the text has it
  // Only those that have frames: DRD, for example, reports only one of the two.
  std::vector<ReportSide> sides;
  MemoryPart memory;  // kRace: what the tool says about it
};

}  // namespace snag::active
