// The settings of a run: one row for each.
//
// They go the same way unchanged: the command line fills in a RunSettings, the tool hands it to the
// runtime (Config::settings), and a trace keeps it for replays. To add a setting, add a row here
// and act on it, in the runtime as `shared->config.settings.FIELD`. The options of the commands,
// their help and error texts, and the fields of traces come from the table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "protocol/strategies.h"

namespace snag {

// Which operations are schedule points.
enum class Points : std::uint8_t { kSync, kShared, kAll };
// How the runtime switches between threads.
enum class Backend : std::uint8_t { kUser, kFutex };
// What happens at a data race: nothing, a report when the run is over, or the end of the run.
enum class Races : std::uint8_t { kOff, kReport, kFail };
// When sleeps and waits with a deadline may end by themselves. Each value allows what the next one
// allows, and more.
enum class Timeouts : std::uint8_t {
  kEarly,  // some at any step, as if the other threads got no processor in the meantime
  kLate,   // when no other thread can go on; a thread may sleep up to twice as long as it wanted
  kExact,  // when no other thread can go on, and in the order of the deadlines
};

// Where runs find the files of the working folder and of TMPDIR.
enum class CwdSnapshot : std::uint8_t {
  kOff,   // each finds what the ones before have left
  kOn,    // each finds them as they were when the search began; as below if there are no overlays
  kCopy,  // in a copy of the working folder, which each finds so
};
// What happens when only a timeout ends a wait whose signal came too early: nothing, a warning, or
// the end of the run.
enum class LateWakeups : std::uint8_t { kOff, kReport, kFail };

// A value, and its name on the command line and in traces: never change one.
struct Word {
  template <class Value>
  constexpr Word(Value is, const char* called)
      : value(static_cast<std::uint64_t>(is)), name(called) {}

  std::uint64_t value;
  const char* name;
};

// In the order in which messages list them.
inline constexpr Word kPointsWords[] = {
    {Points::kSync, "sync"}, {Points::kShared, "shared"}, {Points::kAll, "all"}};
inline constexpr Word kBackendWords[] = {{Backend::kUser, "user"}, {Backend::kFutex, "futex"}};
inline constexpr Word kRacesWords[] = {
    {Races::kReport, "report"}, {Races::kFail, "fail"}, {Races::kOff, "off"}};
inline constexpr Word kTimeoutsWords[] = {
    {Timeouts::kEarly, "early"}, {Timeouts::kLate, "late"}, {Timeouts::kExact, "exact"}};
inline constexpr Word kSnapshotWords[] = {
    {CwdSnapshot::kOn, "on"}, {CwdSnapshot::kCopy, "copy"}, {CwdSnapshot::kOff, "off"}};
inline constexpr Word kLateWakeupsWords[] = {
    {LateWakeups::kReport, "report"}, {LateWakeups::kFail, "fail"}, {LateWakeups::kOff, "off"}};
inline constexpr Word kFailOrOff[] = {{true, "fail"}, {false, "off"}};
inline constexpr Word kReportOrOff[] = {{true, "report"}, {false, "off"}};
inline constexpr Word kOnOrOff[] = {{true, "on"}, {false, "off"}};
inline constexpr Word kStrategyWords[] = {
#define SNAG_WORD(id, number, name, factory, choice, traits) {StrategyKind::id, name},
    SNAG_STRATEGIES(SNAG_WORD)
#undef SNAG_WORD
};

// Null if there is none.
constexpr const Word* find_word(std::span<const Word> words, std::string_view name) {
  for (const Word& word : words) {
    if (word.name == name) return &word;
  }
  return nullptr;
}
constexpr const Word* find_word(std::span<const Word> words, std::uint64_t value) {
  for (const Word& word : words) {
    if (word.value == value) return &word;
  }
  return nullptr;
}

// What a setting may be: one of these words, or else a number.
struct SettingValues {
  std::span<const Word> words;
  std::uint64_t min = 0, max = 0;
  bool is_duration = false;  // given in seconds, kept in milliseconds
};
constexpr SettingValues words_of(std::span<const Word> words) { return {.words = words}; }
constexpr SettingValues number_in(std::uint64_t min, std::uint64_t max) {
  return {.words = {}, .min = min, .max = max};
}
constexpr SettingValues seconds_up_to(std::uint64_t max) {
  return {.words = {}, .min = 1, .max = max * 1000, .is_duration = true};
}

// The field of traces that keeps a setting.
struct SettingInTrace {
  const char* name = nullptr;  // null: a replay does not depend on it, so it is not kept
  bool is_required = false;
  std::uint64_t absent = 0;  // what it was in a trace without the field; then it is not written
};
inline constexpr SettingInTrace kNotInTrace;
constexpr SettingInTrace kept_as(const char* name) { return {name, true, 0}; }
// For settings that were added later: `absent` is how Snag ran before it had them.
template <class Value>
constexpr SettingInTrace kept_unless(Value absent, const char* name) {
  return {name, false, static_cast<std::uint64_t>(absent)};
}

// The commands that offer a setting as an option; a set of bits.
enum SettingCommands : std::uint8_t {
  kOnRun = 1,
  kOnCover = 2,  // with --control
  kOnCoverWhy = 4,
  kOnActive = 8,
  kOnGen = 16,
  kOnReplay = 32,
  kOnShrink = 64,
};

// Columns:
//   type, field, initial value
//   option         on the command line, and what its help calls the value
//   values         SettingValues: what it accepts
//   help           for people; "" for strategies, which are listed
//   initial word   what the help calls the initial value; nullptr: as it is
//   trace          SettingInTrace
//   commands       SettingCommands
// Commands list their options in the order of the rows. The order has no other meaning.
#define SNAG_RUN_SETTINGS(X)                                                                    \
  X(std::uint64_t, seed, 0, "--seed", "N", number_in(0, UINT64_MAX),                            \
    "what all choices are derived from", "random", kept_as("seed"),                             \
    kOnRun | kOnCover | kOnCoverWhy | kOnActive | kOnGen)                                       \
  X(StrategyKind, strategy, StrategyKind::kMix, "--strategy", "NAME", words_of(kStrategyWords), \
    "", nullptr, kept_as("strategy"), kOnRun | kOnCover)                                        \
  X(std::uint32_t, pct_depth, 3, "--depth", "N", number_in(1, 64),                              \
    "pct: bugs that need N ordered events", nullptr, kNotInTrace, kOnRun | kOnCover)            \
  X(std::int32_t, preemption_bound, -1, "--preemptions", "N", number_in(0, 1'000'000),          \
    "dfs: at most N preemptions in a run", "no bound", kNotInTrace, kOnRun | kOnCover)          \
  X(Points, points, Points::kShared, "--points", "WHERE", words_of(kPointsWords),               \
    "switch threads at sync operations, also at shared plain accesses, or at all", nullptr,     \
    kept_as("points_mode"), kOnRun | kOnCover)                                                  \
  X(Backend, backend, Backend::kUser, "--backend", "NAME", words_of(kBackendWords),             \
    "user: switch in user space; futex: kernel threads", nullptr, kept_as("backend"),           \
    kOnRun | kOnCover)                                                                          \
  X(Races, races, Races::kReport, "--races", "WHAT", words_of(kRacesWords),                     \
    "data races: report them and continue, fail (stop at the first one), or off", nullptr,      \
    kept_unless(Races::kOff, "races"), kOnRun)                                                  \
  X(bool, heap_checks, true, "--heap", "WHAT", words_of(kFailOrOff),                            \
    "fail: heap errors are failures; off: not looked for", nullptr,                             \
    kept_unless(false, "heap_checks"), kOnRun | kOnActive)                                      \
  X(bool, lock_misuse, true, "--lock-misuse", "WHAT", words_of(kFailOrOff),                     \
    "misuse of locks: fail, or off", nullptr, kept_unless(false, "lock_misuse"), kOnRun)        \
  X(bool, lock_order, true, "--lock-order", "WHAT", words_of(kReportOrOff),                     \
    "locks that are taken in both orders: report, or off", nullptr, kNotInTrace, kOnRun)        \
  X(Timeouts, timeouts, Timeouts::kEarly, "--timeouts", "WHEN", words_of(kTimeoutsWords),       \
    "sleeps and timeouts end early or late, never early, or exact: in time", nullptr,           \
    kept_unless(Timeouts::kEarly, "timeouts"), kOnRun | kOnCover | kOnCoverWhy | kOnActive)     \
  X(CwdSnapshot, cwd_snapshot, CwdSnapshot::kOff, "--cwd-snapshot", "WHAT",                     \
    words_of(kSnapshotWords),                                                                   \
    "put the files in the working folder and in TMPDIR back after each run: on, copy (work in " \
    "a copy of the folder), or off",                                                            \
    nullptr, kept_unless(CwdSnapshot::kOff, "cwd_snapshot"),                                    \
    kOnRun | kOnCover | kOnCoverWhy | kOnActive)                                                \
  X(LateWakeups, late_wakeups, LateWakeups::kReport, "--late-wakeups", "WHAT",                  \
    words_of(kLateWakeupsWords),                                                                \
    "waits that only a timeout ends, as the signal came before: report, fail, or off", nullptr, \
    kept_unless(LateWakeups::kReport, "late_wakeups"), kOnRun)                                  \
  /* The log takes 24 bytes a step, 72 in replays. */                                           \
  X(std::uint64_t, max_steps, 1'000'000, "--max-steps", "N", number_in(1, 100'000'000),         \
    "a run with more steps is cut short", nullptr, kept_as("max_steps"),                        \
    kOnRun | kOnCover | kOnCoverWhy | kOnActive)                                                \
  X(std::uint32_t, processors, 0, "--processors", "N", number_in(0, 1024),                      \
    "how many processors the program sees, also in replays; 0: those of each machine",          \
    "those of this one", kept_unless(0, "processors"), kOnRun | kOnCover | kOnActive)           \
  X(std::uint64_t, hang_ms, 10'000, "--hang-timeout", "SECONDS", seconds_up_to(1'000'000),      \
    "a run without a step for that long is a hang", nullptr, kNotInTrace,                       \
    kOnRun | kOnCover | kOnCoverWhy | kOnActive | kOnGen | kOnReplay | kOnShrink)

// The functions of the program and its libraries that hand out memory and take it back, as
// --allocator has them: "allocates,..../frees,...", several of them with ';' in between. A name may
// end in "@2": it is the second argument that says the size, or which block is freed.
struct AllocatorNames {
  static constexpr std::size_t kSize = 512;
  char text[kSize];

  constexpr bool empty() const { return text[0] == 0; }
};

struct RunSettings {
  AllocatorNames allocators{};  // the only setting that is no number, and so has no row
#define SNAG_FIELD(type, field, initial, ...) type field = initial;
  SNAG_RUN_SETTINGS(SNAG_FIELD)
#undef SNAG_FIELD
};

// For runs that do not look for errors.
constexpr RunSettings without_checks(RunSettings settings = {}) {
  settings.races = Races::kOff;
  settings.heap_checks = settings.lock_misuse = settings.lock_order = false;
  settings.late_wakeups = LateWakeups::kOff;
  return settings;
}

struct SettingRow {
  std::uint64_t (*get)(const RunSettings&);
  void (*set)(RunSettings&, std::uint64_t);
  bool is_flag;  // true or false in traces
  const char* option;
  const char* value;
  SettingValues values;
  const char* help;
  const char* initial_word;
  SettingInTrace trace;
  std::uint8_t commands;

  constexpr std::uint64_t initial() const { return get(RunSettings{}); }
};

inline constexpr SettingRow kRunSettings[] = {
#define SNAG_ROW(type, field, initial, ...)                                                       \
  {[](const RunSettings& settings) { return static_cast<std::uint64_t>(settings.field); },        \
   [](RunSettings& settings, std::uint64_t value) { settings.field = static_cast<type>(value); }, \
   std::is_same_v<type, bool>, __VA_ARGS__},
    SNAG_RUN_SETTINGS(SNAG_ROW)
#undef SNAG_ROW
};

}  // namespace snag
