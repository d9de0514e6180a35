// The test suite of a concurrent hash map, as such suites are: each test makes maps of its own,
// which grow from nothing, in several threads, and are thrown away. What it costs is mostly that of
// memory that is used for the first time.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

// Open addressing, in parts that each have a lock.
template <class Key, class Value>
class Map {
 public:
  bool insert(const Key& key, const Value& value) {
    Part& part = part_of(key);
    std::unique_lock<std::shared_mutex> lock(part.mutex);
    if ((part.used + 1) * 4 > part.slots.size() * 3) part.grow();
    Slot& slot = part.find(key);
    if (slot.state == kFull) return false;
    if (slot.state == kEmpty) ++part.used;
    slot = {key, value, kFull};
    ++part.size;
    return true;
  }
  bool find(const Key& key, Value* value) const {
    const Part& part = part_of(key);
    std::shared_lock<std::shared_mutex> lock(part.mutex);
    if (part.slots.empty()) return false;
    const Slot& slot = part.find(key);
    if (slot.state != kFull) return false;
    *value = slot.value;
    return true;
  }
  bool erase(const Key& key) {
    Part& part = part_of(key);
    std::unique_lock<std::shared_mutex> lock(part.mutex);
    if (part.slots.empty()) return false;
    Slot& slot = part.find(key);
    if (slot.state != kFull) return false;
    slot = {Key(), Value(), kErased};
    --part.size;
    return true;
  }
  template <class F>
  void for_each(F f) const {
    for (const Part& part : parts_) {
      std::shared_lock<std::shared_mutex> lock(part.mutex);
      for (const Slot& slot : part.slots) {
        if (slot.state == kFull) f(slot.key, slot.value);
      }
    }
  }
  std::size_t size() const {
    std::size_t sum = 0;
    for (const Part& part : parts_) {
      std::shared_lock<std::shared_mutex> lock(part.mutex);
      sum += part.size;
    }
    return sum;
  }

 private:
  enum State : std::uint8_t { kEmpty, kFull, kErased };
  struct Slot {
    Key key{};
    Value value{};
    State state = kEmpty;
  };
  struct Part {
    mutable std::shared_mutex mutex;
    std::vector<Slot> slots;
    std::size_t used = 0, size = 0;

    template <class Self>
    static auto& find_in(Self& self, const Key& key) {
      const std::size_t mask = self.slots.size() - 1;
      std::size_t at = (std::hash<Key>()(key) * 0x9e3779b97f4a7c15 >> 20) & mask;
      while (self.slots[at].state == kErased ||
             (self.slots[at].state == kFull && self.slots[at].key != key))
        at = (at + 1) & mask;
      return self.slots[at];
    }
    Slot& find(const Key& key) { return find_in(*this, key); }
    const Slot& find(const Key& key) const { return find_in(*this, key); }
    void grow() {
      std::vector<Slot> before(slots.empty() ? 16 : 2 * slots.size());
      before.swap(slots);
      used = 0;
      for (Slot& slot : before) {
        if (slot.state != kFull) continue;
        find(slot.key) = std::move(slot);
        ++used;
      }
    }
  };
  static std::size_t index_of(const Key& key) {
    return std::hash<Key>()(key) * 0x9e3779b97f4a7c15 >> 60;
  }
  Part& part_of(const Key& key) { return parts_[index_of(key)]; }
  const Part& part_of(const Key& key) const { return parts_[index_of(key)]; }

  std::array<Part, 16> parts_;
};

using Numbers = Map<std::uint64_t, std::uint64_t>;
using Words = Map<std::string, std::string>;

constexpr std::uint64_t kCount = 20'000;

template <class F>
void in_threads(int count, F f) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([&f, i] { f(static_cast<unsigned>(i)); });
  for (std::thread& thread : threads) thread.join();
}

class MapTest : public testing::TestWithParam<int> {};

TEST_P(MapTest, Inserts) {
  Numbers map;
  for (std::uint64_t i = 0; i < kCount; ++i) ASSERT_TRUE(map.insert(i, i));
  EXPECT_EQ(map.size(), kCount);
}

TEST_P(MapTest, InsertsInThreads) {
  Numbers map;
  in_threads(4, [&](std::uint64_t part) {
    for (std::uint64_t i = part; i < kCount; i += 4) ASSERT_TRUE(map.insert(i, i));
  });
  EXPECT_EQ(map.size(), kCount);
}

TEST_P(MapTest, InsertsOnce) {
  Numbers map;
  std::atomic<std::uint64_t> done{0};
  in_threads(4, [&](std::uint64_t) {
    for (std::uint64_t i = 0; i < kCount / 2; ++i) done += map.insert(i, i);
  });
  EXPECT_EQ(done, kCount / 2);
}

TEST_P(MapTest, FindsInThreads) {
  Numbers map;
  for (std::uint64_t i = 0; i < kCount; ++i) map.insert(i, 2 * i);
  in_threads(4, [&](std::uint64_t part) {
    std::uint64_t value = 0;
    for (std::uint64_t i = part; i < kCount; i += 2) {
      ASSERT_TRUE(map.find(i, &value));
      ASSERT_EQ(value, 2 * i);
    }
  });
}

TEST_P(MapTest, ErasesInThreads) {
  Numbers map;
  for (std::uint64_t i = 0; i < kCount; ++i) map.insert(i, i);
  in_threads(4, [&](std::uint64_t part) {
    for (std::uint64_t i = part; i < kCount; i += 4) ASSERT_TRUE(map.erase(i));
  });
  EXPECT_EQ(map.size(), 0u);
}

TEST_P(MapTest, Visits) {
  Numbers map;
  for (std::uint64_t i = 0; i < kCount; ++i) map.insert(i, i);
  std::uint64_t sum = 0;
  map.for_each([&](std::uint64_t, std::uint64_t value) { sum += value; });
  EXPECT_EQ(sum, kCount * (kCount - 1) / 2);
}

TEST_P(MapTest, KeepsWords) {
  Words map;
  in_threads(4, [&](unsigned part) {
    for (unsigned i = part; i < kCount / 10; i += 4)
      map.insert("a key that is allocated " + std::to_string(i), std::to_string(i));
  });
  std::string value;
  for (unsigned i = 0; i < kCount / 10; ++i)
    ASSERT_TRUE(map.find("a key that is allocated " + std::to_string(i), &value));
}

TEST_P(MapTest, ManySmallMaps) {
  in_threads(4, [&](unsigned) {
    for (unsigned k = 0; k < 50; ++k) {
      auto map = std::make_unique<Numbers>();
      for (std::uint64_t i = 0; i < 100; ++i) map->insert(i, k);
      ASSERT_EQ(map->size(), 100u);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(All, MapTest, testing::Range(0, 25));

}  // namespace
