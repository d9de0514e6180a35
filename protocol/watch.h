// What a controlled run did, condensed for predictions about other runs (tool/active/), in memory
// that the program shares with the tool.
//
// The tool creates a memory file of sizeof(WatchLog) bytes (pages that are not used cost nothing)
// and passes its descriptor's number in Config::watch_fd. The runs of a server follow one another.
//
// Unlike the full trace (full_trace.h), this is not a list of everything: what a thread does to the
// same memory, at the same place, with the same locks, and between the same creations and joins of
// threads, is recorded once. So the length of the log does not depend on how often loops iterate.
//
//   kind       thread   address             place         locks    time   and
//   kRunBegin  0        number of the run
//   kAccess    who      first byte          the access    held     own    size, flags, previous,
//                                                                         kept, section
//   kWant      who      number of the lock  the call      held     own    flags
//   kCreate    creator  the new thread                             own
//   kJoin      who      the one that ended                         own
//   kFree      who      first byte          the call      held     own    size, flags
//   kFresh     who      first byte                                        size
//
// A thread's time counts the creations and joins that it has made. `previous` is the place of the
// thread's last access to the same address, 0 if not known. `kept` is the number of locks that it
// has held since then (the first ones of the list). A thread's section changes whenever it takes a
// lock. kFree: a heap block is freed, which counts as a write to all of it. kFresh: the memory is
// reused.
//
// Places and lists of locks are indices of words. The word there is a count. For a place, that many
// return addresses as ModulePc follow, innermost first. For a list, three words follow for each
// lock, in the order in which they were taken: its number * 2, plus 1 if it is shared with other
// readers; its address; and the place where it was taken. The empty list and the unknown place are
// 0.
#pragma once

#include <atomic>
#include <cstdint>

#include "protocol/shared_memory.h"

namespace snag {

inline constexpr std::uint64_t kWatchMagic = 0x484354415747414e;
inline constexpr std::uint32_t kWatchVersion = 2;
inline constexpr std::uint64_t kWatchEvents = 16 << 20;
inline constexpr std::uint64_t kWatchWords = 8 << 20;
inline constexpr std::uint32_t kWatchFrames = 12;  // of a place

enum class WatchKind : std::uint8_t {
  kNone,
  kRunBegin,
  kAccess,
  kWant,
  kCreate,
  kJoin,
  kFresh,
  kFree,
};

// WatchEvent::flags
inline constexpr std::uint8_t kWatchRead = 1;
inline constexpr std::uint8_t kWatchWrite = 2;
inline constexpr std::uint8_t kWatchAtomic = 4;
inline constexpr std::uint8_t kWatchShared = 8;  // kWant: as a reader

struct WatchEvent {
  std::uint64_t address;
  std::uint32_t place;
  std::uint32_t previous;
  std::uint32_t locks;
  std::uint32_t kept;
  std::uint32_t size;
  std::uint32_t time;
  Tid thread;
  WatchKind kind;
  std::uint8_t flags;
  std::uint32_t section;
};
static_assert(sizeof(WatchEvent) == 40);

struct WatchLog {
  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t reserved;
  std::atomic<std::uint64_t> event_count;
  std::atomic<std::uint64_t> word_count;
  std::atomic<std::uint64_t> accesses;  // that were examined
  std::atomic<std::uint64_t> left_out;  // new ones that did not fit, or were too many at one place
  WatchEvent events[kWatchEvents];
  std::uint64_t words[kWatchWords];
};

}  // namespace snag
