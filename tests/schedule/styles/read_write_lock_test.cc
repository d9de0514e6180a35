#include "classes/read_write_lock.h"

#include <shared_mutex>
#include <vector>

#include "styles.h"

TEST(ReadWriteLockTest, ReadersShareIt) {
  SCHEDULE("firstReads -> secondStarts, secondReads -> firstLeaves");
  BY_HAND(std::latch first_reads(1), second_reads(1));
  ReadWriteLock lock;
  std::atomic<int> inside = 0;
  std::thread first([&] {
    std::shared_lock reading(lock);
    ++inside;
    SNAG_EVENT(firstReads);
    BY_HAND(first_reads.count_down());
    SLEEP(100);
    BY_HAND(second_reads.wait());
    SNAG_EVENT(firstLeaves);
    --inside;
  });
  SLEEP(50);
  BY_HAND(first_reads.wait());
  SNAG_EVENT(secondStarts);
  {
    std::shared_lock reading(lock);
    EXPECT_EQ(inside, 1);
    SNAG_EVENT(secondReads);
    BY_HAND(second_reads.count_down());
  }
  first.join();
}

TEST(ReadWriteLockTest, WriterWaitsForReader) {
  SCHEDULE("[startingWrite] -> readerLeaves");
  ReadWriteLock lock;
  std::atomic<bool> written = false;
  lock.lock_shared();
  std::thread writer([&] {
    SNAG_EVENT(startingWrite);
    std::lock_guard writing(lock);
    written = true;
  });
  SLEEP(50);
  BY_HAND(await([&] { return lock.waiting_writers() == 1; }));
  SNAG_EVENT(readerLeaves);
  EXPECT_FALSE(written);
  lock.unlock_shared();
  writer.join();
  EXPECT_TRUE(written);
}

TEST(ReadWriteLockTest, ReaderWaitsForWriter) {
  SCHEDULE("[startingRead] -> writerLeaves");
  ReadWriteLock lock;
  int value = 0;
  lock.lock();
  std::thread reader([&] {
    SNAG_EVENT(startingRead);
    std::shared_lock reading(lock);
    EXPECT_EQ(value, 1);
  });
  SLEEP(50);
  BY_HAND(await([&] { return lock.waiting_readers() == 1; }));
  SNAG_EVENT(writerLeaves);
  value = 1;
  lock.unlock();
  reader.join();
}

TEST(ReadWriteLockTest, WriterWaitsForWriter) {
  SCHEDULE("[startingWrite] -> firstLeaves");
  ReadWriteLock lock;
  std::vector<int> writes;
  lock.lock();
  std::thread second([&] {
    SNAG_EVENT(startingWrite);
    std::lock_guard writing(lock);
    writes.push_back(2);
  });
  SLEEP(50);
  BY_HAND(await([&] { return lock.waiting_writers() == 1; }));
  SNAG_EVENT(firstLeaves);
  writes.push_back(1);
  lock.unlock();
  second.join();
  EXPECT_EQ(writes, (std::vector{1, 2}));
}

TEST(ReadWriteLockTest, WaitingWriterGoesBeforeNewReader) {
  SCHEDULE("[startingWrite] -> startingRead, [startingRead] -> firstLeaves");
  ReadWriteLock lock;
  std::vector<char> order;
  std::mutex order_mutex;
  auto note = [&](char who) {
    std::lock_guard guard(order_mutex);
    order.push_back(who);
  };
  lock.lock_shared();
  std::thread writer([&] {
    SNAG_EVENT(startingWrite);
    std::lock_guard writing(lock);
    note('w');
  });
  std::thread reader([&] {
    SLEEP(40);
    BY_HAND(await([&] { return lock.waiting_writers() == 1; }));
    SNAG_EVENT(startingRead);
    std::shared_lock reading(lock);
    note('r');
  });
  SLEEP(80);
  BY_HAND(await([&] { return lock.waiting_readers() == 1; }));
  SNAG_EVENT(firstLeaves);
  lock.unlock_shared();
  writer.join();
  reader.join();
  EXPECT_EQ(order, (std::vector{'w', 'r'}));
}

TEST(ReadWriteLockTest, TryLockFailsWhileSomebodyReads) {
  SCHEDULE("reads -> tries, tried -> leaves, left -> triesAgain");
  BY_HAND(std::latch reads(1), tried(1), left(1));
  ReadWriteLock lock;
  std::thread reader([&] {
    lock.lock_shared();
    SNAG_EVENT(reads);
    BY_HAND(reads.count_down());
    SLEEP(60);
    BY_HAND(tried.wait());
    SNAG_EVENT(leaves);
    lock.unlock_shared();
    SNAG_EVENT(left);
    BY_HAND(left.count_down());
  });
  SLEEP(30);
  BY_HAND(reads.wait());
  SNAG_EVENT(tries);
  EXPECT_FALSE(lock.try_lock());
  SNAG_EVENT(tried);
  BY_HAND(tried.count_down());
  SLEEP(60);
  BY_HAND(left.wait());
  SNAG_EVENT(triesAgain);
  EXPECT_TRUE(lock.try_lock());
  lock.unlock();
  reader.join();
}

TEST(ReadWriteLockTest, TryLockSharedFailsWhileAWriterWaits) {
  SCHEDULE("[startingWrite] -> tries");
  ReadWriteLock lock;
  lock.lock_shared();
  std::thread writer([&] {
    SNAG_EVENT(startingWrite);
    std::lock_guard writing(lock);
  });
  SLEEP(50);
  BY_HAND(await([&] { return lock.waiting_writers() == 1; }));
  SNAG_EVENT(tries);
  EXPECT_FALSE(lock.try_lock_shared());
  lock.unlock_shared();
  writer.join();
  EXPECT_TRUE(lock.try_lock_shared());
  lock.unlock_shared();
}

TEST(ReadWriteLockTest, DowngradeLetsReadersIn) {
  SCHEDULE("[startingRead] -> downgrades, hasRead -> leaves");
  BY_HAND(std::latch has_read(1));
  ReadWriteLock lock;
  int value = 0;
  std::atomic<bool> read = false;
  lock.lock();
  std::thread reader([&] {
    SNAG_EVENT(startingRead);
    std::shared_lock reading(lock);
    EXPECT_EQ(value, 1);
    read = true;
    SNAG_EVENT(hasRead);
    BY_HAND(has_read.count_down());
  });
  SLEEP(50);
  BY_HAND(await([&] { return lock.waiting_readers() == 1; }));
  SNAG_EVENT(downgrades);
  value = 1;
  lock.downgrade();
  SLEEP(50);
  BY_HAND(has_read.wait());
  SNAG_EVENT(leaves);
  EXPECT_TRUE(read);
  lock.unlock_shared();
  reader.join();
}
