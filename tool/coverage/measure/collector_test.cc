#include "tool/coverage/measure/collector.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tool/base/text.h"
#include "tool/binary/call_sites.h"
#include "tool/coverage/measure/cover_store.h"
#include "tool/coverage/measure/ignore.h"

namespace snag::coverage {
namespace {

int counter = 0;

// Their return addresses serve as those of hooks.
__attribute__((noinline)) std::uint64_t return_address() {
  return reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
}
__attribute__((noinline)) std::uint64_t first_place() {
  ++counter;
  const std::uint64_t address = return_address();
  ++counter;
  return address;
}
__attribute__((noinline)) std::uint64_t second_place() {
  counter += 2;
  const std::uint64_t address = return_address();
  counter += 2;
  return address;
}

std::string own_path() {
  char path[4096];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof(path));
  return std::string(path, static_cast<std::size_t>(size));
}

class CollectorTest : public testing::Test {
 protected:
  void SetUp() override {
    Dl_info info{};
    ASSERT_NE(dladdr(reinterpret_cast<void*>(&first_place), &info), 0);
    base_ = reinterpret_cast<std::uint64_t>(info.dli_fbase);
    modules_ = binary::ModuleMap({{base_, base_, base_ + (1 << 28), own_path()}});
    Shard shard;
    shard.id = 7;
    shard.metrics = kAllMetrics;
    shard_ = data_.add_shard(shard);
  }

  std::uint32_t add_location(std::uint64_t address, std::uint32_t seen) {
    CoverStore& store = store_->get();
    if (store.location_count == 0) store.location_count = 1;
    const std::uint32_t number = store.location_count++;
    CoverLocation& location = store.locations[number];
    location.pc = make_module_pc(0, address - base_);
    location.seen = seen;
    location.ready = 1;
    return number;
  }
  CoverPair& add_pair(Metric metric, std::uint32_t first, std::uint32_t second,
                      std::uint32_t flags) {
    CoverPair& pair = store_->get().pairs[store_->get().pair_count++];
    pair.metric = metric;
    pair.first = first;
    pair.second = second;
    pair.flags = flags;
    pair.time_ns = 5'000'000;
    pair.run = 3;
    pair.ready = 1;
    return pair;
  }

  Expected<Store> store_ = Store::create({}, {});
  binary::ModuleMap modules_;
  std::uint64_t base_ = 0;
  CoverData data_;
  ShardId shard_ = 0;
  binary::Symbolizer symbolizer_;
};

TEST_F(CollectorTest, TurnsAddressesIntoPlaces) {
  const std::uint32_t a = add_location(first_place(), kSeenRead);
  const std::uint32_t b = add_location(second_place(), kSeenWrite);
  CoverPair& pair = add_pair(Metric::kLocationPairs, a, b, kSecondWrites | kIsTarget);
  pair.address = reinterpret_cast<std::uint64_t>(&counter);
  Collector collector(data_, shard_, symbolizer_);
  ASSERT_TRUE(collector.collect(store_->get(), modules_));
  ASSERT_EQ(data_.pairs().size(), 1u);
  EXPECT_FALSE(data_.pairs()[0].is_covered());
  EXPECT_THAT(data_.text(data_.pairs()[0].variable), testing::HasSubstr("counter"));
  const Location& first = data_.locations()[data_.pairs()[0].first];
  EXPECT_EQ(base_name(data_.text(first.place().file)), "collector_test.cc");
  EXPECT_THAT(data_.text(first.place().function), testing::HasSubstr("first_place"));
  EXPECT_GT(first.place().line, 0);

  pair.flags |= kIsCovered;
  store_->get().locations[a].seen |= kSeenWrite;
  ASSERT_TRUE(collector.collect(store_->get(), modules_));
  ASSERT_EQ(data_.pairs().size(), 1u);
  EXPECT_TRUE(data_.pairs()[0].is_covered());
  EXPECT_EQ(data_.pairs()[0].moment.time_us, 5'000u);
  EXPECT_EQ(data_.pairs()[0].moment.run, 3u);
  EXPECT_EQ(data_.locations()[data_.pairs()[0].first].seen, kSeenRead | kSeenWrite);
  EXPECT_EQ(collector.location_pairs().covered, 1u);
  EXPECT_EQ(collector.location_pairs().target, 1u);
}

// Each process has its memory elsewhere.
TEST_F(CollectorTest, NamesVariablesOfAProcessThatIsOver) {
  const std::uint32_t a = add_location(first_place(), kSeenRead);
  const std::uint32_t b = add_location(second_place(), kSeenWrite);
  add_pair(Metric::kLocationPairs, a, b, kSecondWrites | kIsTarget).address =
      reinterpret_cast<std::uint64_t>(&counter);
  Collector collector(data_, shard_, symbolizer_);
  collector.name_variables(store_->get(), modules_);
  const std::uint64_t later = base_ + (std::uint64_t{1} << 32);
  const binary::ModuleMap moved({{later, later, later + (1 << 28), own_path()}});
  ASSERT_TRUE(collector.collect(store_->get(), moved));
  ASSERT_EQ(data_.pairs().size(), 1u);
  EXPECT_THAT(data_.text(data_.pairs()[0].variable), testing::HasSubstr("counter"));
}

// `counter` stands in both lines, but the address is not its.
TEST_F(CollectorTest, DoesNotContradictTheAddress) {
  const std::uint32_t a = add_location(first_place(), kSeenRead);
  const std::uint32_t b = add_location(second_place(), kSeenWrite);
  int local = 0;
  add_pair(Metric::kLocationPairs, a, b, kSecondWrites | kIsTarget).address =
      reinterpret_cast<std::uint64_t>(&local);
  Collector collector(data_, shard_, symbolizer_);
  ASSERT_TRUE(collector.collect(store_->get(), modules_));
  ASSERT_EQ(data_.pairs().size(), 1u);
  EXPECT_THAT(data_.text(data_.pairs()[0].variable), testing::Not(testing::HasSubstr("counter")));
}

TEST(CommonName, IsOneThatBothMention) {
  EXPECT_EQ(common_name({"x"}, {"out", "x"}), "x");
  EXPECT_EQ(common_name({"v"}, {"r", "v[]"}), "v[]");
  EXPECT_EQ(common_name({"x", "y"}, {"y", "x"}), "");
  EXPECT_EQ(common_name({"x", "y"}, {"z"}), "z");
  EXPECT_EQ(common_name({"x", "y"}, {}), "");
  EXPECT_EQ(common_name({"Queue::count_"}, {"*p"}), "Queue::count_");
  EXPECT_EQ(common_name({"*q"}, {"*p"}), "*p");
  EXPECT_EQ(common_name({}, {}), "");
}

TEST_F(CollectorTest, AddsUpCounts) {
  const std::uint32_t a = add_location(first_place(), kSeenEntry);
  const std::uint32_t b = add_location(second_place(), kSeenEntry);
  CoverPair& pair = add_pair(Metric::kConcurrentMethods, a, b, kIsCovered);
  CoverPair& reversed = add_pair(Metric::kConcurrentMethods, b, a, kIsCovered);
  Collector collector(data_, shard_, symbolizer_);
  for (const std::uint64_t count : {1, 5}) {
    pair.count = count;
    reversed.count = 2 * count;
    ASSERT_TRUE(collector.collect(store_->get(), modules_));
  }
  ASSERT_EQ(data_.pairs().size(), 1u);
  EXPECT_EQ(data_.count_of(0), 15u);
}

// The program may have written anything there.
TEST_F(CollectorTest, TrustsNothing) {
  add_location(first_place(), kSeenRead);
  CoverStore& store = store_->get();
  add_location(0, UINT32_MAX);
  store.locations[2].pc = make_module_pc(60'000, 1);
  add_location(base_ + 5, kSeenRead);  // no code there
  add_pair(Metric::kLocationPairs, 1, UINT32_MAX, kIsCovered);
  add_pair(static_cast<Metric>(200), 1, 1, kIsCovered);
  add_pair(Metric::kSync, 1, 1, kIsCovered);
  add_pair(Metric::kLocationPairs, 1, 2, kIsCovered);
  add_pair(Metric::kLocationPairs, 1, 1, UINT32_MAX).address = UINT64_MAX;
  store.location_count = UINT32_MAX;
  store.pair_count = UINT32_MAX;
  store.module_count = UINT32_MAX;
  Collector collector(data_, shard_, symbolizer_);
  ASSERT_TRUE(collector.collect(store, modules_));
  EXPECT_EQ(data_.pairs().size(), 1u);
  EXPECT_EQ(copy_modules(store).modules().size(), kMaxModules);
}

TEST_F(CollectorTest, RefusesAnotherBuildOfALibrary) {
  data_.add_module(own_path(), 1, false);
  add_location(first_place(), kSeenRead);
  Collector collector(data_, shard_, symbolizer_);
  const auto collected = collector.collect(store_->get(), modules_);
  ASSERT_FALSE(collected);
  EXPECT_THAT(collected.error().message, testing::HasSubstr("another build of"));
}

TEST(CallSites, KnowsWhatHooksReport) {
  EXPECT_EQ(binary::kind_of_hook("__tsan_read4"), LocationKind::kRead);
  EXPECT_EQ(binary::kind_of_hook("__tsan_unaligned_write16"), LocationKind::kWrite);
  EXPECT_EQ(binary::kind_of_hook("__tsan_read_write8"), LocationKind::kUpdate);
  EXPECT_EQ(binary::kind_of_hook("__tsan_vptr_update"), LocationKind::kWrite);
  EXPECT_EQ(binary::kind_of_hook("__tsan_atomic32_load"), LocationKind::kRead);
  EXPECT_EQ(binary::kind_of_hook("__tsan_atomic8_store"), LocationKind::kWrite);
  EXPECT_EQ(binary::kind_of_hook("__tsan_atomic64_fetch_add"), LocationKind::kUpdate);
  EXPECT_EQ(binary::kind_of_hook("__tsan_func_entry"), LocationKind::kEntry);
  EXPECT_EQ(binary::kind_of_hook("__wrap_memcpy"), LocationKind::kAccess);
  EXPECT_EQ(binary::kind_of_hook("__tsan_memset"), LocationKind::kWrite);
  for (const char* name : {"__tsan_func_exit", "__tsan_init", "__tsan_atomic_thread_fence",
                           "__tsan_ignore_thread_begin", "memcpy", "main", ""})
    EXPECT_EQ(binary::kind_of_hook(name), std::nullopt) << name;
}

TEST(CallSites, AreNoneWithoutHooks) {
  const auto sites = binary::find_call_sites(own_path());
  ASSERT_TRUE(sites);
  EXPECT_TRUE(sites->empty());
  EXPECT_TRUE(binary::find_call_sites("/proc/self/cmdline")->empty());
  EXPECT_FALSE(binary::find_call_sites("/no/such/file"));
}

TEST(Ignored, FindsTheLinesOfAssertions) {
  const std::vector<bool> lines = lines_in_assertions({
      "int x = 1;",                // 1
      "assert(x == 1);",           // 2
      "assert (f(x,",              // 3
      "         (y)) &&",          // 4
      "       z); ++x;",           // 5
      "static_assert(true);",      // 6
      "my_assert(x);",             // 7
      "x = 2;  // assert nothing"  // 8
  });
  EXPECT_THAT(lines,
              testing::ElementsAre(false, false, true, true, true, true, false, false, false));
}

}  // namespace
}  // namespace snag::coverage
