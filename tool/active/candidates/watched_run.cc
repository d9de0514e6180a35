#include "tool/active/candidates/watched_run.h"

#include <algorithm>
#include <new>

namespace snag::active {

bool exclude_each_other(std::span<const WatchedLock> a, std::span<const WatchedLock> b,
                        std::size_t count) {
  for (std::size_t i = 0; i < a.size() && i < count; ++i) {
    for (const WatchedLock& other : b) {
      if (a[i].number == other.number && !(a[i].shared && other.shared)) return true;
    }
  }
  return false;
}

Expected<Observation> Observation::create() {
  // The program closes it once it is mapped.
  auto file = SharedFile::create("snag-watch", sizeof(WatchLog), true);
  if (!file) return tl::unexpected(file.error());
  // It is zeroed, and that is the initial value of all else.
  auto* log = new (file->memory()) WatchLog;
  log->magic = kWatchMagic;
  log->version = kWatchVersion;
  log->word_count.store(1);  // so that no list has number 0
  return Observation(std::move(*file));
}

std::uint64_t Observation::events() const {
  return std::min(log().event_count.load(std::memory_order_acquire), kWatchEvents);
}

std::vector<std::span<const WatchEvent>> Observation::runs() const {
  const std::span<const WatchEvent> all{log().events, events()};
  std::vector<std::span<const WatchEvent>> result;
  std::size_t begin = 0;
  bool is_open = false;
  for (std::size_t i = 0; i <= all.size(); ++i) {
    if (i < all.size() && all[i].kind != WatchKind::kRunBegin) continue;
    if (is_open) result.push_back(all.subspan(begin, i - begin));
    is_open = true;
    begin = i + 1;
  }
  return result;
}

std::span<const std::uint64_t> Observation::list(std::uint32_t id) const {
  const std::uint64_t words = std::min(log().word_count.load(), kWatchWords);
  if (id == 0 || id >= words) return {};
  const std::uint64_t count = log().words[id];
  if (count > words - id - 1) return {};
  return {&log().words[id + 1], count};
}

const std::vector<WatchedLock>& Observation::locks(std::uint32_t id) const {
  const auto [entry, is_new] = locks_.try_emplace(id);
  if (!is_new) return entry->second;
  const std::span<const std::uint64_t> words = list(id);
  for (std::size_t i = 0; i + 3 <= words.size(); i += 3) {
    entry->second.push_back({words[i] / 2, (words[i] & 1) != 0, words[i + 1],
                             static_cast<std::uint32_t>(words[i + 2])});
  }
  return entry->second;
}

void follow_threads(history::StartJoinOrder& order, const WatchEvent& event) {
  const auto other = static_cast<Tid>(event.address);
  if (event.kind == WatchKind::kCreate) order.create(event.thread, event.time, other);
  if (event.kind == WatchKind::kJoin) order.join(event.thread, event.time, other);
}

}  // namespace snag::active
