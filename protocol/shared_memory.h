// The shared memory between the tool and the program under test.
//
// The tool creates an anonymous memory file, fills in `Config` (and, for a replay, the schedule to
// follow), and starts the program with the file's descriptor number in SNAG_CONTROL. The runtime
// inside the program maps it before main, becomes a fork server, and executes runs by itself until
// it has something to report: no message is exchanged per run. Everything that must survive a crash
// of the run is written here and nowhere else.
//
//   Shared | steps[step_capacity] | choices | points | failure threads | replay schedule
//
// Bump kProtocolVersion with every change of layout or meaning: tool and runtime of different
// versions refuse each other instead of guessing. Rows of the tables of settings, failure kinds,
// strategies and operations need no bump: kProtocolId follows from them.
#pragma once

#include <cstdint>
#include <iterator>

#include "protocol/config.h"
#include "protocol/failure.h"
#include "protocol/failure_kinds.h"
#include "protocol/live.h"
#include "protocol/module_pc.h"
#include "protocol/ops.h"
#include "protocol/remote.h"
#include "protocol/run.h"
#include "protocol/settings.h"
#include "protocol/steps.h"
#include "protocol/strategies.h"

namespace snag {

inline constexpr std::uint64_t kProtocolMagic = 0x31474e41534e4147;
inline constexpr std::uint32_t kProtocolVersion = 14;
inline constexpr const char* kControlVariable = "SNAG_CONTROL";

// FNV-1a over the rows of all tables whose order or number is part of the protocol.
constexpr std::uint32_t protocol_tables_hash() {
  std::uint32_t hash = 2166136261;
  const auto add_byte = [&](std::uint8_t byte) { hash = (hash ^ byte) * 16777619; };
  const auto add = [&](const char* name, std::uint64_t value) {
    while (*name != 0) add_byte(static_cast<std::uint8_t>(*name++));
    for (int i = 0; i < 8; ++i) add_byte(static_cast<std::uint8_t>(value >> 8 * i));
  };
  for (const SettingRow& row : kRunSettings) add(row.option, row.initial());
  for (const FailureRow& row : kFailureRows) add(row.name, row.traits);
  for (const StrategyRow& row : kStrategies)
    add(row.name, static_cast<std::uint64_t>(row.kind) << 8 | row.traits);
  for (std::size_t i = 0; i < std::size(kOpNames); ++i) add(kOpNames[i], kOpAccess[i]);
  return hash;
}

// What tool and runtime compare: the version, and below it the tables.
inline constexpr int kProtocolTableBits = 20;
inline constexpr std::uint32_t kProtocolId = kProtocolVersion << kProtocolTableBits |
                                             protocol_tables_hash() >> (32 - kProtocolTableBits);

inline constexpr std::uint32_t kMaxLockOrders = 16;
inline constexpr std::uint32_t kMaxModules = 128;
inline constexpr std::uint32_t kMaxPoints = 1 << 16;
inline constexpr std::uint32_t kMaxChoices = 1 << 16;

struct Module {
  std::uint64_t base;        // load bias
  std::uint64_t begin, end;  // of the executable segments
  char path[256];
};

struct Shared {
  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t module_count;
  std::uint64_t size;  // of the whole file
  std::uint64_t step_capacity;
  std::uint64_t stretch_capacity;
  Config config;
  Live live;
  Run run;
  Module modules[kMaxModules];
  RemoteExchange remote;
  Choice choices[kMaxChoices];
  // Program counters of plain accesses that are schedule points.
  std::uint64_t points[kMaxPoints];
  ThreadReport threads[kMaxThreads];            // of the failure
  LockOrderReport lock_orders[kMaxLockOrders];  // of all runs so far, one for each pair of places

  // Behind the struct: steps, the replay schedule, and the callers of the steps. Pages that are not
  // used cost nothing.
  Step* steps() { return reinterpret_cast<Step*>(this + 1); }
  Stretch* schedule() { return reinterpret_cast<Stretch*>(steps() + step_capacity); }
  // kStepFrames for each step, innermost first, 0 behind the last one. Only filled in if
  // Config::record_frames is set.
  std::uint64_t* frames() {
    return reinterpret_cast<std::uint64_t*>(schedule() + stretch_capacity);
  }
  // Guided runs, instead of the frames: before each step that is not silent, and before the one
  // that the run ended at, the set of threads that could go on, as kMaskedThreads bits.
  std::uint64_t* enabled() { return frames(); }
  // One for each step, if Config::record_frames is set.
  StepValue* values() {
    return reinterpret_cast<StepValue*>(frames() + step_capacity * kStepFrames);
  }
  static std::uint64_t size_for(std::uint64_t step_capacity, std::uint64_t stretch_capacity) {
    return sizeof(Shared) +
           step_capacity *
               (sizeof(Step) + kStepFrames * sizeof(std::uint64_t) + sizeof(StepValue)) +
           stretch_capacity * sizeof(Stretch);
  }
};

}  // namespace snag
