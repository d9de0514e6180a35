// The systematic search against brute force: on random small programs it must find exactly the
// partial orders there are.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include "runtime/strategies/models_for_test.h"

namespace snag::rt::sim {
namespace {

struct Found {
  std::set<std::string> orders;
  int runs = 0;
  bool deadlock = false;
  bool exhausted = false;
  bool bound_hit = false;
};

Found search(const Model& model, int bound, int limit) {
  Strategy& dfs = *dfs_strategy({.preemption_bound = bound});
  Found found;
  while (!dfs.search->exhausted() && found.runs < limit) {
    const Execution e = run(dfs, model, {static_cast<std::uint64_t>(found.runs), 1});
    ++found.runs;
    EXPECT_TRUE(bound < 0 || e.preemptions() <= bound);
    found.orders.insert(e.partial_order());
    found.deadlock |= e.deadlock();
    learn(dfs, e);
  }
  found.exhausted = dfs.search->exhausted();
  found.bound_hit = dfs.search->bound_hit();
  return found;
}

enum Features : unsigned {
  kPlain = 0,
  kLocks = 1,
  kConds = 2,
  kTimed = 4,
  kChoices = 8,
  kSpawns = 16,
  kExit = 32
};

// A program that may deadlock, but never unlocks what it does not hold.
Program random_program(Random& random, int length, unsigned features) {
  Program p;
  std::vector<std::uint64_t> held;
  for (int i = 0; i < length; ++i) {
    const std::uint64_t x = 0x100 + 8 * random.below(2), m = 0x200 + 8 * random.below(2);
    const bool holds = std::find(held.begin(), held.end(), m) != held.end();
    switch (random.below(8)) {
      case 0:
      case 1:
        if ((features & kLocks) != 0 && !holds) {
          p.push_back(lock(m));
          held.push_back(m);
          break;
        }
        [[fallthrough]];
      case 2:
        p.push_back(write(x, 1 + static_cast<int>(random.below(2))));
        break;
      case 3:
        if ((features & kConds) != 0 && holds)
          p.push_back(cond_wait(0x300, m));
        else if ((features & kConds) != 0)
          p.push_back(signal(0x300));
        else
          p.push_back(read(x));
        break;
      case 4:
        if ((features & kTimed) != 0 && !holds) {
          p.push_back(timed_lock(m));
          p.push_back(guarded(random.below(2) == 0 ? write(x) : read(x)));
          p.push_back(guarded(unlock(m)));
          p.push_back(write(0x400));  // sets nothing in the register, but races
          break;
        }
        [[fallthrough]];
      case 5:
        if ((features & kChoices) != 0) {
          p.push_back(choice(2));
          p.push_back(guarded(write(x)));
          break;
        }
        [[fallthrough]];
      case 6:
        if (!held.empty()) {
          p.push_back(unlock(held.back()));
          held.pop_back();
          break;
        }
        [[fallthrough]];
      default:
        p.push_back(read(x));
        if (random.below(3) == 0) p.push_back(guarded(write(x ^ 8)));
        break;
    }
  }
  for (; !held.empty(); held.pop_back()) p.push_back(unlock(held.back()));
  return p;
}

Model random_model(std::uint64_t seed, unsigned features) {
  Random random(seed);
  Model m;
  const int threads = 2 + static_cast<int>(random.below(2));
  m.programs.resize(threads + 1);
  for (int t = 1; t <= threads; ++t) {
    m.programs[t] =
        random_program(random, 1 + static_cast<int>(random.below(threads == 2 ? 4 : 2)), features);
  }
  if ((features & kSpawns) != 0 && threads == 3) {  // a chain or a tree: thread 1 makes thread 3
    m.programs[0] = {spawn(1), spawn(2), join(1), join(2)};
    auto& p = m.programs[1];
    p.insert(p.begin() + random.below(static_cast<std::uint32_t>(p.size() + 1)), spawn(3));
    if (random.below(2) == 0) p.push_back(join(3));
    if (random.below(2) == 0) {  // two that create at the same time
      m.programs.push_back({write(0x100)});
      m.programs[2].insert(m.programs[2].begin(), spawn(4));
    }
  } else {
    m.programs[0] = spawn_and_join(threads);
    if ((features & kExit) != 0) m.programs[0].resize(threads + random.below(threads));
  }
  m.exit_kills = (features & kExit) != 0;
  return m;
}

constexpr std::size_t kBruteForce = 3'000;  // beginnings; larger models are left out

// The models that showed how source sets differ from the older rule.
TEST(Dfs, OrdersThatSleepSetsOnceHid) {
  Model m;
  m.programs = {spawn_and_join(3),
                {write(0x108), write(0x100)},
                {read(0x108), guarded(write(0x100))},
                {read(0x108)}};
  EXPECT_EQ(search(m, -1, 1000).orders.size(), 6u);
}

// Returns how many models were small enough to be checked.
int compare(unsigned features, int bound, int models, std::uint64_t first_seed) {
  int checked = 0;
  long runs = 0, orders_found = 0;
  for (std::uint64_t seed = first_seed; checked < models && seed < first_seed + 20u * models;
       ++seed) {
    const Model model = random_model(seed, features);
    std::map<std::string, int> orders;
    if (!all_orders(model, orders, kBruteForce)) continue;
    ++checked;
    const Found found = search(model, bound, 200'000);
    EXPECT_TRUE(found.exhausted) << "seed " << seed;
    std::set<std::string> expected;
    bool beyond = false;
    for (const auto& [order, preemptions] : orders) {
      if (bound < 0 || preemptions <= bound)
        expected.insert(order);
      else
        beyond = true;
    }
    std::size_t missing = 0;
    for (const auto& order : expected) missing += !found.orders.contains(order);
    EXPECT_EQ(missing, 0u) << "of " << expected.size() << "; features " << features << ", bound "
                           << bound << ", seed " << seed;
    for (const auto& order : found.orders) EXPECT_TRUE(orders.contains(order)) << "seed " << seed;
    if (bound < 0) {
      EXPECT_EQ(found.orders.size(), expected.size()) << "seed " << seed;
    }
    // Whatever is missing must be admitted.
    if (beyond && found.orders.size() < orders.size()) {
      EXPECT_TRUE(found.bound_hit) << "seed " << seed;
    }
    if (bound < 0) {
      EXPECT_FALSE(found.bound_hit) << "seed " << seed;
    }
    runs += found.runs;
    orders_found += static_cast<long>(found.orders.size());
    if (testing::Test::HasFailure()) break;
  }
  std::printf("features %2u bound %2d: %d models, %ld orders, %ld runs\n", features, bound, checked,
              orders_found, runs);
  return checked;
}

class AgainstBruteForce : public testing::TestWithParam<unsigned> {};

TEST_P(AgainstBruteForce, FindsEveryPartialOrder) { EXPECT_GE(compare(GetParam(), -1, 30, 1), 30); }

TEST_P(AgainstBruteForce, FindsEveryPartialOrderWithinThePreemptionBound) {
  for (const int bound : {0, 1, 2})
    EXPECT_GE(compare(GetParam(), bound, 12, 5000 + 100000 * bound), 12);
}

INSTANTIATE_TEST_SUITE_P(Features, AgainstBruteForce,
                         testing::Values(kPlain, kLocks, kLocks | kConds, kLocks | kTimed, kChoices,
                                         kLocks | kSpawns, kExit,
                                         kLocks | kConds | kTimed | kChoices | kSpawns,
                                         kLocks | kConds | kExit));

TEST(Dfs, NeedsOneRunWhereNothingConflicts) {
  Model m;
  m.programs = {
      spawn_and_join(3), {write(8), write(8)}, {write(16), write(16)}, {read(24), read(32)}};
  EXPECT_EQ(search(m, -1, 1000).runs, 1);
}

// A program in which bounded reduction loses an order because of the price of an early timeout.
TEST(Dfs, TimeoutsUnderABoundAreSearchedWithoutReduction) {
  const Model model = random_model(9003, kLocks | kTimed);
  std::map<std::string, int> orders;
  ASSERT_TRUE(all_orders(model, orders, 20'000));
  const Found found = search(model, 2, 200'000);
  EXPECT_TRUE(found.exhausted);
  for (const auto& [order, preemptions] : orders) {
    if (preemptions <= 2) {
      EXPECT_TRUE(found.orders.contains(order));
    }
  }
}

TEST(Dfs, FindsADeadlockAndEndsThere) {
  const Found found = search(lock_order(2), -1, 1000);
  EXPECT_TRUE(found.deadlock);
  EXPECT_TRUE(found.exhausted);
  EXPECT_EQ(found.orders.size(), 3u);
}

TEST(Dfs, ABoundOfZeroHidesWhatNeedsAPreemptionAndSaysSo) {
  const Found found = search(lock_order(2), 0, 1000);
  EXPECT_FALSE(found.deadlock);
  EXPECT_TRUE(found.exhausted);
  EXPECT_TRUE(found.bound_hit);
  EXPECT_TRUE(search(lock_order(2), 1, 1000).deadlock);
}

// The runs of a fork server: what pick saw must reach the process that learns.
TEST(Dfs, SearchesAcrossForks) {
  const Model model = reorder(3);
  Strategy& dfs = *dfs_strategy({.preemption_bound = -1});
  struct Result {
    std::size_t steps, choices;
    std::uint32_t threads;
    bool bug, deadlock;
    Step log[256];
  };
  auto* shared = static_cast<Result*>(
      mmap(nullptr, sizeof(Result), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  int runs = 0, bugs = 0;
  for (; !dfs.search->exhausted() && runs < 5000; ++runs) {
    const pid_t child = fork();
    if (child == 0) {
      const Execution e = run(dfs, model, {static_cast<std::uint64_t>(runs), 1});
      shared->steps = e.log().size();
      shared->threads = static_cast<std::uint32_t>(e.threads().size());
      shared->bug = model.bug(e);
      std::copy(e.log().begin(), e.log().end(), shared->log);
      _exit(0);
    }
    waitpid(child, nullptr, 0);
    bugs += shared->bug;
    dfs.learner->learn({{shared->log, shared->steps}, {}, shared->threads, true});
  }
  EXPECT_TRUE(dfs.search->exhausted());
  EXPECT_GT(bugs, 0);
  std::map<std::string, int> orders;
  ASSERT_TRUE(all_orders(reorder(2), orders, 1'000'000));
  EXPECT_EQ(search(reorder(2), -1, 100000).orders.size(), orders.size());
  munmap(shared, sizeof(Result));
}

}  // namespace
}  // namespace snag::rt::sim
