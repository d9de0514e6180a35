#include "classes/loading_cache.h"

#include <stdexcept>
#include <string>

#include "styles.h"

TEST(LoadingCacheTest, SecondGetWaitsForTheLoad) {
  SCHEDULE("loading -> startingGet, [startingGet] -> loaded");
  BY_HAND(std::latch loading(1); std::atomic<LoadingCache<int, int>*> tested = nullptr);
  std::atomic<int> loads = 0;
  LoadingCache<int, int> cache([&](int key) {
    ++loads;
    SNAG_EVENT(loading);
    BY_HAND(loading.count_down());
    SLEEP(80);
    BY_HAND(await([&] { return tested.load()->waiters() == 1; }));
    SNAG_EVENT(loaded);
    return key * 10;
  });
  BY_HAND(tested = &cache);
  std::thread first([&] { EXPECT_EQ(cache.get(1), 10); });
  SLEEP(40);
  BY_HAND(loading.wait());
  SNAG_EVENT(startingGet);
  EXPECT_EQ(cache.get_if_present(1), std::nullopt);
  EXPECT_EQ(cache.get(1), 10);
  first.join();
  EXPECT_EQ(loads, 1);
}

TEST(LoadingCacheTest, GetAfterTheLoadFindsIt) {
  SCHEDULE("hasLoaded -> startingGet");
  BY_HAND(std::promise<void> has_loaded);
  std::atomic<int> loads = 0;
  LoadingCache<int, int> cache([&](int key) {
    ++loads;
    return key * 10;
  });
  std::thread first([&] {
    EXPECT_EQ(cache.get(1), 10);
    SNAG_EVENT(hasLoaded);
    BY_HAND(has_loaded.set_value());
  });
  SLEEP(30);
  BY_HAND(has_loaded.get_future().wait());
  SNAG_EVENT(startingGet);
  EXPECT_EQ(cache.get_if_present(1), 10);
  EXPECT_EQ(cache.get(1), 10);
  first.join();
  EXPECT_EQ(loads, 1);
}

TEST(LoadingCacheTest, OtherKeysAreNotHeldUp) {
  SCHEDULE("loadingOne -> startingTwo, gotTwo -> loadedOne");
  BY_HAND(std::latch loading_one(1), got_two(1));
  LoadingCache<int, int> cache([&](int key) {
    if (key == 1) {
      SNAG_EVENT(loadingOne);
      BY_HAND(loading_one.count_down());
      SLEEP(80);
      BY_HAND(got_two.wait());
      SNAG_EVENT(loadedOne);
    }
    return key * 10;
  });
  std::thread first([&] { EXPECT_EQ(cache.get(1), 10); });
  SLEEP(40);
  BY_HAND(loading_one.wait());
  SNAG_EVENT(startingTwo);
  EXPECT_EQ(cache.get(2), 20);
  EXPECT_EQ(cache.get_if_present(1), std::nullopt);
  SNAG_EVENT(gotTwo);
  BY_HAND(got_two.count_down());
  first.join();
}

TEST(LoadingCacheTest, FailedLoadReachesAllWhoWaitAndIsNotKept) {
  SCHEDULE("loading -> startingGet, [startingGet] -> failing");
  BY_HAND(std::latch loading(1); std::atomic<LoadingCache<int, int>*> tested = nullptr);
  std::atomic<int> loads = 0;
  LoadingCache<int, int> cache([&](int key) -> int {
    if (++loads > 1) return key * 10;
    SNAG_EVENT(loading);
    BY_HAND(loading.count_down());
    SLEEP(80);
    BY_HAND(await([&] { return tested.load()->waiters() == 1; }));
    SNAG_EVENT(failing);
    throw std::invalid_argument("no such key");
  });
  BY_HAND(tested = &cache);
  std::thread first([&] { EXPECT_THROW(cache.get(1), std::invalid_argument); });
  SLEEP(40);
  BY_HAND(loading.wait());
  SNAG_EVENT(startingGet);
  EXPECT_THROW(cache.get(1), std::invalid_argument);
  first.join();
  EXPECT_EQ(cache.get(1), 10);
  EXPECT_EQ(loads, 2);
}

TEST(LoadingCacheTest, InvalidatedDuringTheLoadIsNotKept) {
  SCHEDULE("loading -> invalidating, invalidated -> loaded");
  BY_HAND(std::latch loading(1), invalidated(1));
  std::atomic<int> loads = 0;
  LoadingCache<int, int> cache([&](int key) {
    if (++loads == 1) {
      SNAG_EVENT(loading);
      BY_HAND(loading.count_down());
      SLEEP(80);
      BY_HAND(invalidated.wait());
      SNAG_EVENT(loaded);
      return key * 10;
    }
    return key * 100;
  });
  std::thread first([&] { EXPECT_EQ(cache.get(1), 10); });
  SLEEP(40);
  BY_HAND(loading.wait());
  SNAG_EVENT(invalidating);
  cache.invalidate(1);
  SNAG_EVENT(invalidated);
  BY_HAND(invalidated.count_down());
  first.join();
  EXPECT_EQ(cache.get_if_present(1), std::nullopt);
  EXPECT_EQ(cache.get(1), 100);
}

TEST(LoadingCacheTest, PutDuringTheLoadWins) {
  SCHEDULE("loading -> putting, hasPut -> loaded");
  BY_HAND(std::latch loading(1), has_put(1));
  LoadingCache<int, std::string> cache([&](int) {
    SNAG_EVENT(loading);
    BY_HAND(loading.count_down());
    SLEEP(80);
    BY_HAND(has_put.wait());
    SNAG_EVENT(loaded);
    return "loaded";
  });
  std::thread first([&] { EXPECT_EQ(cache.get(1), "loaded"); });
  SLEEP(40);
  BY_HAND(loading.wait());
  SNAG_EVENT(putting);
  cache.put(1, "put");
  EXPECT_EQ(cache.get(1), "put");
  SNAG_EVENT(hasPut);
  BY_HAND(has_put.count_down());
  first.join();
  EXPECT_EQ(cache.get(1), "put");
}
