// Implements races.h: reports of races. Both accesses with their callers and locks, and the memory.
//
// The earlier access is long over when the race is detected. An ordinary run remembers only its
// place in the code; the replay that confirms the race keeps the callers and locks of every access.
#include <stdio.h>
#include <string.h>

#include "protocol/random.h"
#include "runtime/base/arena.h"
#include "runtime/base/modules.h"
#include "runtime/detect/races/benign_ranges.h"
#include "runtime/detect/races/races.h"
#include "runtime/record/memory_report.h"
#include "runtime/sched/failure.h"

namespace snag::rt {
namespace {

// ---- Pairs of places that this run or an earlier one has already reported. ----

constexpr std::uint32_t kKnownSlots = 1 << 14;
struct KnownPairs {
  std::uint32_t count;
  std::uint64_t slots[kKnownSlots];
};
constinit KnownPairs* known_pairs = nullptr;

// True if it is new.
bool learn_pair(std::uint64_t a, std::uint64_t b) {
  if (!known_pairs || known_pairs->count > kKnownSlots / 2) return false;
  std::uint64_t key = mix64((a < b ? a : b) * 0x9e3779b97f4a7c15 ^ (a < b ? b : a));
  if (key == 0) key = 1;
  std::uint64_t slot = key % kKnownSlots;
  while (known_pairs->slots[slot] != 0) {
    if (known_pairs->slots[slot] == key) return false;
    slot = (slot + 1) % kKnownSlots;
  }
  known_pairs->slots[slot] = key;
  ++known_pairs->count;
  return true;
}

// ---- Records of all accesses, in runs that will be shown. ----

struct AccessRecord {
  std::uint64_t pc;
  std::uint64_t step;
  std::uint64_t address;
  std::uint32_t size;
  std::uint32_t stack;  // position in `lists`
  std::uint32_t locks;
  bool is_free;
};
constexpr std::size_t kMaxRecords = 1 << 23;
constinit MmapVector<AccessRecord> records;
// Stacks and sets of locks, each once: the length, then the values.
constinit MmapVector<std::uint64_t> lists;
constinit MmapVector<std::uint32_t> list_index;
constinit std::uint32_t list_count = 0;

void add_list_to_index(std::uint32_t position) {
  std::uint64_t hash = lists[position];
  for (std::uint64_t i = 1; i <= lists[position]; ++i) hash = mix64(hash ^ lists[position + i]);
  std::uint64_t slot = hash % list_index.size();
  while (list_index[slot] != 0) slot = (slot + 1) % list_index.size();
  list_index[slot] = position + 1;
}

std::uint32_t keep_list(const std::uint64_t* values, std::uint64_t count) {
  if ((list_count + 1) * 2 > list_index.size()) {
    list_index.resize(list_index.size() * 2 + 1024);
    for (std::uint32_t& entry : list_index) entry = 0;
    for (std::size_t at = 0; at < lists.size(); at += lists[at] + 1)
      add_list_to_index(static_cast<std::uint32_t>(at));
  }
  std::uint64_t hash = count;
  for (std::uint64_t i = 0; i < count; ++i) hash = mix64(hash ^ values[i]);
  std::uint64_t slot = hash % list_index.size();
  for (; list_index[slot] != 0; slot = (slot + 1) % list_index.size()) {
    const std::uint64_t* list = &lists[list_index[slot] - 1];
    if (list[0] == count && memcmp(list + 1, values, count * sizeof *values) == 0)
      return list_index[slot] - 1;
  }
  const auto position = static_cast<std::uint32_t>(lists.size());
  lists.push_back(count);
  for (std::uint64_t i = 0; i < count; ++i) lists.push_back(values[i]);
  ++list_count;
  list_index[slot] = position + 1;
  return position;
}

void describe_earlier(AccessReport& report, const RaceSide& side, std::uint64_t address,
                      std::uint64_t size) {
  report = {};
  report.thread = epochs[side.epoch - run_epoch].thread;
  report.write = side.write;
  report.atomic = side.atomic;
  report.address = address;
  report.size = static_cast<std::uint32_t>(size);
  if (!keeps_access_records()) {
    report.stack[0] = race_pc(side.place);
    report.depth = 1;
    return;
  }
  if (side.place == 0 || side.place > records.size()) return;  // there were too many
  const AccessRecord& record = records[side.place - 1];
  report.step = record.step;
  report.address = record.address;
  report.size = record.size;
  report.is_free = record.is_free;
  const std::uint64_t* stack = &lists[record.stack];
  report.depth = static_cast<std::uint16_t>(stack[0]);
  for (std::uint64_t i = 0; i < stack[0]; ++i) report.stack[i] = stack[i + 1];
  const std::uint64_t* locks = &lists[record.locks];
  fill_locks(report, locks + 1, locks[0] / 2);
}

std::uint64_t pc_of(const RaceSide& side) {
  if (!keeps_access_records()) return race_pc(side.place);
  return side.place == 0 || side.place > records.size() ? 0 : records[side.place - 1].pc;
}

const char* verb(const AccessReport& access) {
  if (access.is_free) return "frees";
  if (access.atomic) return access.write ? "writes (atomically)" : "reads (atomically)";
  return access.write ? "writes" : "reads";
}
const char* participle(const AccessReport& access) {
  if (access.is_free) return "freed";
  if (access.atomic) return access.write ? "written (atomically)" : "read (atomically)";
  return access.write ? "written" : "read";
}

// Nothing can be mapped there: the access is through a null pointer, and crashes. It is reported
// when it does; no byte was accessed, so there is no race.
constexpr std::uint64_t kNullPages = 64 * 1024;

// Whether these are the two places of the race that is wanted.
bool is_directed(const Directed& directed, ModulePc a, ModulePc b) {
  const auto is_at = [&](int side, ModulePc pc) {
    for (std::uint32_t i = 0; i < directed.side[side].count && i < kMaxDirectedPlaces; ++i) {
      if (directed.side[side].places[i].frames[0] == pc) return true;
    }
    return false;
  };
  return (is_at(0, a) && is_at(1, b)) || (is_at(0, b) && is_at(1, a));
}

}  // namespace

void init_race_reports() {
  if (!known_pairs) known_pairs = map_shared<KnownPairs>(1);
}

void begin_access_records() {
  records.clear();
  lists.clear();
  list_count = 0;
  for (std::uint32_t& entry : list_index) entry = 0;
}

std::uint32_t record_access(std::uint64_t pc, std::uint64_t address, std::uint64_t size,
                            bool is_free) {
  if (records.size() == kMaxRecords) return 0;
  const Thread* t = sched.current;
  std::uint64_t stack[kMaxStackDepth], locks[2 * kMaxReportedLocks];
  const std::uint16_t depth = stack_of(t, code_position(pc) != 0 ? pc : display_pc(t, pc), stack);
  const std::uint32_t lock_count = locks_of(t, locks);
  AccessRecord record{pc, sched.step, address, static_cast<std::uint32_t>(size), 0, 0, is_free};
  record.stack = keep_list(stack, depth);
  record.locks = keep_list(locks, 2 * lock_count);
  records.push_back(record);
  return static_cast<std::uint32_t>(records.size());
}

void report_race(const RaceSide& earlier, const ReportedAccess& later) {
  Shared* shared = sched.shared;
  const Config& config = shared->config;
  if (shared->run.race_seen != 0 || later.address < kNullPages || is_benign(later.address)) return;
  const std::uint64_t other = pc_of(earlier);
  if (config.race_pcs[0] != 0) {  // a replay: this one is wanted, and no other
    const ModulePc a = module_pc(shared, other), b = module_pc(shared, later.pc);
    const ModulePc* wanted = config.race_pcs;
    if ((a != wanted[0] || b != wanted[1]) && (a != wanted[1] || b != wanted[0])) return;
  } else if (config.directed.kind == DirectedKind::kRace) {
    if (!is_directed(config.directed, module_pc(shared, other), module_pc(shared, later.pc)))
      return;
  } else if (!learn_pair(other, later.pc)) {
    return;
  }
  RaceReport& race = shared->run.race;
  void* const memory = reinterpret_cast<void*>(later.address);
  describe_earlier(race.first, earlier, later.address, later.size);
  describe_access(race.second, later);
  describe_memory(race.memory, memory);
  shared->run.race_seen = 1;
  char message[200];
  snprintf(message, sizeof message, "T%u %s what T%u has %s, and nothing orders the two",
           race.second.thread, verb(race.second), race.first.thread, participle(race.first));
  if (config.settings.races == Races::kFail)
    fail(FailureKind::kRace, 0, message, display_pc(sched.current, later.pc));
  strncpy(shared->run.failure.message, message, sizeof shared->run.failure.message - 1);
}

}  // namespace snag::rt
