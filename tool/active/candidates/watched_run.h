// The tool's view of the runs watched (protocol/watch.h). The program may have written anything
// there: numbers are checked where they are used.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "protocol/watch.h"
#include "tool/base/error.h"
#include "tool/base/shared_file.h"
#include "tool/history/start_join_order.h"

namespace snag::active {

struct WatchedLock {
  std::uint64_t number = 0;  // in its run
  bool shared = false;       // with other readers
  std::uint64_t address = 0;
  std::uint32_t taken_at = 0;  // place
};

// Whether one lock of both lists keeps two threads apart; of the first list only the first `count`.
bool exclude_each_other(std::span<const WatchedLock> a, std::span<const WatchedLock> b,
                        std::size_t count = SIZE_MAX);

class Observation {
 public:
  static Expected<Observation> create();

  // For Config::watch_fd. Child programs inherit it.
  int fd() const { return file_.fd(); }

  // The events of each run.
  std::vector<std::span<const WatchEvent>> runs() const;
  std::span<const std::uint64_t> place(std::uint32_t id) const { return list(id); }
  const std::vector<WatchedLock>& locks(std::uint32_t id) const;

  std::uint64_t accesses() const { return log().accesses.load(); }
  std::uint64_t left_out() const { return log().left_out.load(); }
  std::uint64_t events() const;

 private:
  explicit Observation(SharedFile file) : file_(std::move(file)) {}
  WatchLog& log() const { return *static_cast<WatchLog*>(file_.memory()); }
  std::span<const std::uint64_t> list(std::uint32_t id) const;

  SharedFile file_;
  mutable std::map<std::uint32_t, std::vector<WatchedLock>> locks_;
};

// Takes note of creations and joins.
void follow_threads(history::StartJoinOrder& order, const WatchEvent& event);

}  // namespace snag::active
