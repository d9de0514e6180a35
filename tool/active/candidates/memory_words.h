// The accesses of a run by the words of memory that they touch, filled event by event.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "tool/active/candidates/watched_run.h"

namespace snag::active {

class AccessedWords {
 public:
  // How many accesses are kept for a word. Further ones are compared, but not kept.
  static constexpr std::size_t kPerWord = 96;
  // How many words of one access count: memcpy may touch many.
  static constexpr std::uint64_t kPerAccess = 64;

  // Calls `visit` with each earlier access to one of the bytes.
  template <class Visit>
  void access(const WatchEvent& event, Visit visit) {
    const std::uint64_t first = event.address >> 3;
    const std::uint64_t last = (event.address + (event.size == 0 ? 0 : event.size - 1)) >> 3;
    for (std::uint64_t word = first; word <= last && word - first < kPerAccess; ++word) {
      std::vector<const WatchEvent*>& here = words_[word];
      for (const WatchEvent* earlier : here) {
        if (overlap(*earlier, event)) visit(*earlier);
      }
      if (here.size() < kPerWord) here.push_back(&event);
    }
  }

  // The memory was allocated again. Calls `visit` with the accesses to each word it forgets.
  template <class Visit>
  void forget(const WatchEvent& fresh, Visit visit) {
    const std::uint64_t first = fresh.address >> 3;
    const std::uint64_t last = (fresh.address + fresh.size) >> 3;
    if (last - first < words_.size()) {
      for (std::uint64_t word = first; word <= last; ++word) {
        const auto found = words_.find(word);
        if (found == words_.end()) continue;
        visit(found->second);
        words_.erase(found);
      }
      return;
    }
    std::erase_if(words_, [&](const auto& entry) {
      const bool is_inside = entry.first >= first && entry.first <= last;
      if (is_inside) visit(entry.second);
      return is_inside;
    });
  }

  const std::unordered_map<std::uint64_t, std::vector<const WatchEvent*>>& words() const {
    return words_;
  }

  static bool overlap(const WatchEvent& a, const WatchEvent& b) {
    return a.address < b.address + b.size && b.address < a.address + a.size;
  }

 private:
  std::unordered_map<std::uint64_t, std::vector<const WatchEvent*>> words_;
};

}  // namespace snag::active
