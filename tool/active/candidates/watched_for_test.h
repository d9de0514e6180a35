// Runs made by hand, as if they had been watched. Test-only.
#pragma once

#include <link.h>
#include <sys/mman.h>

#include <initializer_list>
#include <vector>

#include "tool/active/candidates/place_names.h"
#include "tool/active/candidates/watched_run.h"

namespace snag::active::testing {

// Code that places can be in.
[[gnu::noinline, gnu::used]] inline int some_function(int x) { return x + 1; }
[[gnu::noinline, gnu::used]] inline int other_function(int x) { return x + 2; }
[[gnu::noinline, gnu::used]] inline int last_function(int x) { return x + 3; }

inline std::uint64_t load_bias() {
  std::uint64_t bias = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* to) {
        *static_cast<std::uint64_t*>(to) = info->dlpi_addr;
        return 1;  // the first one is the program
      },
      &bias);
  return bias;
}
// Where a variable is for runs that are made by hand: their program has no bias.
inline std::uint64_t address_in_program(const void* variable) {
  return reinterpret_cast<std::uint64_t>(variable) - load_bias();
}

class Watched {
 public:
  Watched() : observation_(std::move(*Observation::create())) {
    log_ = static_cast<WatchLog*>(mmap(nullptr, sizeof(WatchLog), PROT_READ | PROT_WRITE,
                                       MAP_SHARED | MAP_NORESERVE, observation_.fd(), 0));
    begin_run();
  }
  ~Watched() { munmap(log_, sizeof(WatchLog)); }

  void begin_run() { add({.kind = WatchKind::kRunBegin}); }

  std::uint32_t list(std::initializer_list<std::uint64_t> words) {
    const auto id = static_cast<std::uint32_t>(log_->word_count.load());
    log_->words[id] = words.size();
    std::copy(words.begin(), words.end(), log_->words + id + 1);
    log_->word_count += words.size() + 1;
    return id;
  }
  // Places have different numbers also where their code is the same.
  std::uint32_t place(int (*function)(int) = some_function) {
    return list({make_module_pc(0, reinterpret_cast<std::uint64_t>(function) - load_bias() + 1)});
  }
  // Held locks, all taken at one place.
  std::uint32_t locks(std::initializer_list<std::uint64_t> numbers) {
    std::vector<std::uint64_t> words;
    const std::uint32_t where = place();
    for (const std::uint64_t number : numbers) words.insert(words.end(), {number * 2, 0, where});
    const auto id = static_cast<std::uint32_t>(log_->word_count.load());
    log_->words[id] = words.size();
    std::copy(words.begin(), words.end(), log_->words + id + 1);
    log_->word_count += words.size() + 1;
    return id;
  }

  void add(const WatchEvent& event) { log_->events[log_->event_count++] = event; }
  void access(Tid thread, std::uint64_t address, std::uint8_t flags, std::uint32_t place,
              std::uint32_t locks = 0, std::uint32_t previous = 0, std::uint32_t kept = 0) {
    add({.address = address,
         .place = place,
         .previous = previous,
         .locks = locks,
         .kept = kept,
         .size = 4,
         .time = times_[thread],
         .thread = thread,
         .kind = WatchKind::kAccess,
         .flags = flags});
  }
  void want(Tid thread, std::uint64_t lock, std::uint32_t place, std::uint32_t held) {
    add({.address = lock,
         .place = place,
         .locks = held,
         .time = times_[thread],
         .thread = thread,
         .kind = WatchKind::kWant});
  }
  void create(Tid creator, Tid child) {
    add({.address = child,
         .time = times_[creator]++,
         .thread = creator,
         .kind = WatchKind::kCreate});
  }
  void join(Tid joiner, Tid ended) {
    add({.address = ended, .time = times_[joiner]++, .thread = joiner, .kind = WatchKind::kJoin});
  }
  void free(Tid thread, std::uint64_t address, std::uint32_t size, std::uint32_t place) {
    add({.address = address,
         .place = place,
         .size = size,
         .time = times_[thread],
         .thread = thread,
         .kind = WatchKind::kFree,
         .flags = kWatchWrite});
  }
  void fresh(std::uint64_t address, std::uint32_t size) {
    add({.address = address, .size = size, .kind = WatchKind::kFresh});
  }

  const Observation& observation() const { return observation_; }
  PlaceNames names() { return PlaceNames(observation_, modules_, symbolizer_); }

 private:
  Observation observation_;
  WatchLog* log_;
  std::uint32_t times_[16] = {};
  binary::Symbolizer symbolizer_;
  binary::ModuleMap modules_{{{0, 0, UINT64_MAX, "/proc/self/exe"}}};
};

}  // namespace snag::active::testing
