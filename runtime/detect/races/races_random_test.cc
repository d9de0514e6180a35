// The race detector against the definition of a race, in random histories.
#include <gmock/gmock.h>

#include <bitset>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "runtime/detect/races/histories_for_test.h"

namespace snag::rt {
namespace {

// ---- Against the definition. ----

constexpr std::size_t kMaxEvents = 64;
using Events = std::bitset<kMaxEvents>;

// What happens before what, as sets of events, and by it which pairs of accesses race.
class Reference {
 public:
  explicit Reference(const History& history) : history_(history), known_(history.size()) {
    for (std::size_t i = 0; i < history.size(); ++i) add(i);
  }

  // Whether these accesses race; the second is the later one.
  bool race(std::size_t first, std::size_t second) const {
    for (std::uint32_t byte = 0; byte < sizeof memory_bytes; ++byte) {
      if (race_at(byte, first, second)) return true;
    }
    return false;
  }

  // Whether the detector may have forgotten the earlier access for each byte at which they race:
  //   - an atomic write takes the place of all accesses before it, though it races with less;
  //   - freeing memory that no thread has accessed is not recorded.
  bool may_be_missed(std::size_t first, std::size_t second) const {
    for (std::uint32_t byte = 0; byte < sizeof memory_bytes; ++byte) {
      if (race_at(byte, first, second) && !may_be_forgotten(byte, first, second)) return false;
    }
    return true;
  }

 private:
  bool touches(std::size_t i, std::uint32_t byte) const {
    const Event& e = history_[i];
    return byte >= e.at && byte < e.at + e.size;
  }

  bool race_at(std::uint32_t byte, std::size_t first, std::size_t second) const {
    const Event &a = history_[first], &b = history_[second];
    if (!is_access(a.what) || !is_access(b.what) || !touches(first, byte) || !touches(second, byte))
      return false;
    if (a.thread == b.thread || (is_atomic(a.what) && is_atomic(b.what))) return false;
    if (!is_write(a.what) && !is_write(b.what)) return false;
    if (known_[second][first]) return false;
    for (std::size_t i = first; i < second; ++i) {
      if (begins_anew(history_[i].what) && touches(i, byte)) return false;
    }
    return true;
  }

  bool may_be_forgotten(std::uint32_t byte, std::size_t first, std::size_t second) const {
    for (std::size_t i = first + 1; i < second; ++i) {
      if (is_atomic(history_[i].what) && is_write(history_[i].what) && touches(i, byte))
        return true;
    }
    if (history_[first].what != What::kFree) return false;
    for (std::size_t i = first; i-- > 0;) {
      const What what = history_[i].what;
      if (!touches(i, byte) || what == What::kFree) continue;
      return begins_anew(what);
    }
    return true;
  }

  static bool begins_anew(What what) { return what == What::kReuse || what == What::kGuardedFree; }

  // The event knows `other`, and what that one knows.
  void learn(std::size_t i, std::size_t other) {
    after_[i] |= after_[other];
    after_[i].set(other);
  }
  void learn(std::size_t i, const Events& others) {
    for (std::size_t other = 0; other < i; ++other) {
      if (others[other]) learn(i, other);
    }
  }

  // By walking back from event `i`. known_[i] does not include what the event itself acquires: the
  // access could have come before that as well, and is checked as if it had.
  void add(std::size_t i) {
    const Event& e = history_[i];
    for (std::size_t before = i; before-- > 0;) {
      const Event& other = history_[before];
      if (other.thread == e.thread || (other.what == What::kCreate && other.at == e.thread))
        learn(i, before);
    }
    known_[i] = after_[i];
    for (std::size_t before = i; before-- > 0;) {
      const Event& other = history_[before];
      const bool same = other.at == e.at;
      const bool is_before =
          (e.what == What::kJoin &&
           (other.thread == e.at || (other.what == What::kCreate && other.at == e.at))) ||
          (e.what == What::kLock && same &&
           (other.what == What::kUnlock || other.what == What::kReadUnlock)) ||
          (e.what == What::kReadLock && same && other.what == What::kUnlock) ||
          (e.what == What::kWait && same && other.what == What::kPost);
      if (is_before) learn(i, before);
    }
    if (e.what == What::kLoad || e.what == What::kModify) {
      if (acquires(e.order)) learn(i, heads_read_by(i));
    } else if (e.what == What::kFence && acquires(e.order)) {
      for (std::size_t before = 0; before < i; ++before) {
        const Event& other = history_[before];
        if (other.thread == e.thread && (other.what == What::kLoad || other.what == What::kModify))
          learn(i, heads_read_by(before));
      }
    }
  }

  // The heads of the release sequences that contain the value that is read: the write before, and
  // those before that as long as they are read-modify-writes.
  Events heads_read_by(std::size_t i) const {
    Events heads;
    for (std::size_t write = i; write-- > 0;) {
      const Event& e = history_[write];
      if ((e.what != What::kStore && e.what != What::kModify) || e.at != history_[i].at) continue;
      if (releases(e.order)) heads.set(write);
      for (std::size_t before = 0; before < write; ++before) {
        const Event& fence = history_[before];
        if (fence.thread == e.thread && fence.what == What::kFence && releases(fence.order))
          heads.set(before);
      }
      if (e.what == What::kStore) break;
    }
    return heads;
  }

  const History& history_;
  std::vector<Events> known_;
  std::vector<Events> after_ = std::vector<Events>(history_.size());
};

// Histories that a program could have: threads act between creation and join, locks have one owner.
class RandomHistory {
 public:
  RandomHistory(std::uint32_t seed, bool with_atomic_data)
      : random_(seed), with_atomic_data_(with_atomic_data) {
    const std::size_t length = 4 + below(17);
    // (Few threads and few variables: otherwise nothing would meet.)
    threads_ = 2 + below(3);
    history_.push_back(create(0, 1));
    created_ = 2;
    while (history_.size() < length) add();
  }
  const History& history() const { return history_; }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  template <class T>
  T one_of(std::initializer_list<T> values) {
    return *(values.begin() + below(static_cast<std::uint32_t>(values.size())));
  }
  int order() { return one_of({kRelaxed, kRelaxed, kAcquire, kRelease, kAcqRel, kSeqCst}); }

  void add() {
    const Tid t = static_cast<Tid>(below(created_));
    if (joined_[t]) return;
    const std::uint32_t at = below(2), dice = below(100);
    if (dice < 8 && created_ < threads_) {
      history_.push_back(create(t, static_cast<Tid>(created_++)));
    } else if (dice < 12) {
      const Tid other = static_cast<Tid>(1 + below(created_ - 1));
      if (other == t || joined_[other] || holds_any(other)) return;
      joined_[other] = true;
      history_.push_back(join(t, other));
    } else if (dice < 28) {
      lock_or_unlock(t, at);
    } else if (dice < 34) {
      history_.push_back(on(t, one_of({What::kPost, What::kWait}), at));
    } else if (dice < 52) {
      synchronise(t);
    } else if (dice < 56) {
      history_.push_back(fence(t, one_of({kAcquire, kRelease, kSeqCst})));
    } else if (dice < 60) {
      // (Behind a guarded block there is nothing but a red zone.)
      const What what = one_of({What::kFree, What::kGuardedFree, What::kReuse});
      const std::uint32_t size = what == What::kGuardedFree ? 16 : one_of({8u, 12u, 16u});
      history_.push_back(memory(t, what, one_of({0u, 16u}), size));
    } else {
      access(t);
    }
  }

  bool holds_any(Tid t) const {
    for (const auto& holders : shared_) {
      if (holders[t]) return true;
    }
    return owner_[0] == t || owner_[1] == t;
  }

  void lock_or_unlock(Tid t, std::uint32_t at) {
    if (owner_[at] == t) {
      owner_[at] = kNoTid;
      history_.push_back(on(t, What::kUnlock, at));
    } else if (shared_[at][t]) {
      shared_[at][t] = false;
      history_.push_back(on(t, What::kReadUnlock, at));
    } else if (owner_[at] == kNoTid && below(3) == 0) {
      shared_[at][t] = true;
      history_.push_back(on(t, What::kReadLock, at));
    } else if (owner_[at] == kNoTid && shared_[at].none()) {
      owner_[at] = t;
      history_.push_back(on(t, What::kLock, at));
    }
  }

  void synchronise(Tid t) {
    const std::uint32_t at = one_of({kFlag, kOther});
    const What what = one_of({What::kLoad, What::kStore, What::kModify});
    history_.push_back({t, what, at, 4, order()});
  }

  void access(Tid t) {
    const std::uint32_t size = one_of({1u, 1u, 2u, 4u, 4u, 4u, 8u, 8u, 16u, 3u, 5u, 7u, 12u, 13u});
    const bool aligned = below(4) != 0 && (size & (size - 1)) == 0;
    const std::uint32_t at = aligned ? below(24 / size + 1) * size % 32 : below(20);
    if (with_atomic_data_ && aligned && size <= 8 && below(2) == 0) {
      history_.push_back(
          {t, one_of({What::kLoad, What::kStore, What::kModify}), at, size, order()});
    } else {
      history_.push_back({t, one_of({What::kRead, What::kWrite}), at, size});
    }
  }

  std::mt19937 random_;
  const bool with_atomic_data_;
  History history_;
  std::uint32_t threads_, created_ = 1;
  bool joined_[4] = {};
  Tid owner_[2] = {kNoTid, kNoTid};
  std::bitset<4> shared_[2];
};

struct Sample {
  bool with_atomic_data, with_records;
};

class RandomHistories : public testing::TestWithParam<Sample> {};

TEST_P(RandomHistories, AreJudgedByTheDefinition) {
  constexpr std::uint32_t kHistories = 2'000;
  Detector detector(GetParam().with_records);
  std::mt19937 random(4711);
  std::uint32_t races = 0, missed = 0;
  for (std::uint32_t seed = 0; seed < kHistories; ++seed) {
    const History history = RandomHistory(seed, GetParam().with_atomic_data).history();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text_of(history));
    const Reference reference(history);
    // Some accesses have the place of the one before, as in a loop.
    const std::uint64_t code = Detector::fresh_code(history.size());
    std::vector<std::uint64_t> pcs = {code};
    for (std::size_t i = 1; i < history.size(); ++i) {
      const bool alike = history[i].thread == history[i - 1].thread &&
                         history[i].what == history[i - 1].what && random() % 2 == 0;
      pcs.push_back(alike ? pcs.back() : code + i);
    }
    const auto found = detector.run(history, pcs);
    const std::size_t end = found ? found->second : history.size();
    // No race before the one that was found, and none at all if none was.
    bool lost = false;
    for (std::size_t second = 0; second < end; ++second) {
      for (std::size_t first = 0; first < second; ++first) {
        if (!reference.race(first, second)) continue;
        ASSERT_TRUE(lost || reference.may_be_missed(first, second))
            << first << " and " << second << " race";
        lost = true;
      }
    }
    missed += lost;
    if (!found) continue;
    // What was found is one.
    ++races;
    bool is_race = false;
    for (std::size_t first = 0; first < found->second; ++first) {
      const Event& e = history[first];
      is_race |= pcs[first] == found->first_pc && found->first_report.thread == e.thread &&
                 found->first_report.write == is_write(e.what) &&
                 found->first_report.atomic == is_atomic(e.what) &&
                 reference.race(first, found->second);
    }
    ASSERT_TRUE(is_race) << "the access before " << found->second << " does not race with it: pc "
                         << found->first_pc - code;
  }
  // Neither must be rare, or nothing has been tested.
  EXPECT_GT(races, kHistories / 4);
  EXPECT_LT(races, kHistories * 3 / 4);
  EXPECT_LT(missed, kHistories / 20);
  RecordProperty("races", static_cast<int>(races));
  RecordProperty("missed", static_cast<int>(missed));
}

INSTANTIATE_TEST_SUITE_P(Of, RandomHistories,
                         testing::Values(Sample{false, false}, Sample{false, true},
                                         Sample{true, false}, Sample{true, true}),
                         [](const auto& info) {
                           return std::string(info.param.with_atomic_data ? "MixedData"
                                                                          : "PlainData") +
                                  (info.param.with_records ? "WithRecords" : "");
                         });

}  // namespace
}  // namespace snag::rt
