#include "classes/channel.h"

#include <vector>

#include "styles.h"

TEST(ChannelTest, SendBlocksUntilReceived) {
  SCHEDULE("[startingSend] -> startingReceive");
  Channel<int> channel;
  std::atomic<bool> sent = false;
  std::thread sender([&] {
    SNAG_EVENT(startingSend);
    EXPECT_TRUE(channel.send(1));
    sent = true;
  });
  SLEEP(50);
  BY_HAND(await([&] { return channel.waiting_senders() == 1; }));
  SNAG_EVENT(startingReceive);
  EXPECT_FALSE(sent);
  EXPECT_EQ(channel.receive(), 1);
  sender.join();
  EXPECT_TRUE(sent);
}

TEST(ChannelTest, ReceiveBlocksUntilSent) {
  SCHEDULE("[startingReceive] -> startingSend");
  Channel<int> channel;
  std::atomic<bool> received = false;
  std::thread receiver([&] {
    SNAG_EVENT(startingReceive);
    EXPECT_EQ(channel.receive(), 1);
    received = true;
  });
  SLEEP(50);
  BY_HAND(await([&] { return channel.waiting_receivers() == 1; }));
  SNAG_EVENT(startingSend);
  EXPECT_FALSE(received);
  EXPECT_TRUE(channel.send(1));
  receiver.join();
  EXPECT_TRUE(received);
}

TEST(ChannelTest, CloseWakesReceiver) {
  SCHEDULE("[startingReceive] -> startingClose");
  Channel<int> channel;
  std::thread receiver([&] {
    SNAG_EVENT(startingReceive);
    EXPECT_EQ(channel.receive(), std::nullopt);
  });
  SLEEP(50);
  BY_HAND(await([&] { return channel.waiting_receivers() == 1; }));
  SNAG_EVENT(startingClose);
  channel.close();
  receiver.join();
}

TEST(ChannelTest, CloseWakesSender) {
  SCHEDULE("[startingSend] -> startingClose");
  Channel<int> channel;
  std::thread sender([&] {
    SNAG_EVENT(startingSend);
    EXPECT_FALSE(channel.send(1));
  });
  SLEEP(50);
  BY_HAND(await([&] { return channel.waiting_senders() == 1; }));
  SNAG_EVENT(startingClose);
  channel.close();
  sender.join();
  EXPECT_EQ(channel.receive(), std::nullopt);
}

TEST(ChannelTest, TrySendNeedsAReceiver) {
  SCHEDULE("tried -> startingReceive, [startingReceive] -> tryingAgain");
  BY_HAND(std::latch tried(1));
  Channel<int> channel;
  std::thread receiver([&] {
    SLEEP(30);
    BY_HAND(tried.wait());
    SNAG_EVENT(startingReceive);
    EXPECT_EQ(channel.receive(), 2);
  });
  EXPECT_FALSE(channel.try_send(1));
  SNAG_EVENT(tried);
  BY_HAND(tried.count_down());
  SLEEP(60);
  BY_HAND(await([&] { return channel.waiting_receivers() == 1; }));
  SNAG_EVENT(tryingAgain);
  EXPECT_TRUE(channel.try_send(2));
  receiver.join();
}

TEST(ChannelTest, TryReceiveNeedsASender) {
  SCHEDULE("tried -> startingSend, [startingSend] -> tryingAgain");
  BY_HAND(std::latch tried(1));
  Channel<int> channel;
  std::thread sender([&] {
    SLEEP(30);
    BY_HAND(tried.wait());
    SNAG_EVENT(startingSend);
    EXPECT_TRUE(channel.send(1));
  });
  EXPECT_EQ(channel.try_receive(), std::nullopt);
  SNAG_EVENT(tried);
  BY_HAND(tried.count_down());
  SLEEP(60);
  BY_HAND(await([&] { return channel.waiting_senders() == 1; }));
  SNAG_EVENT(tryingAgain);
  EXPECT_EQ(channel.try_receive(), 1);
  sender.join();
}

TEST(ChannelTest, SendersAreServedInTheirOrder) {
  SCHEDULE("[firstSends] -> secondSends, [secondSends] -> startingReceive");
  Channel<int> channel;
  std::thread first([&] {
    SNAG_EVENT(firstSends);
    EXPECT_TRUE(channel.send(1));
  });
  std::thread second([&] {
    SLEEP(40);
    BY_HAND(await([&] { return channel.waiting_senders() == 1; }));
    SNAG_EVENT(secondSends);
    EXPECT_TRUE(channel.send(2));
  });
  SLEEP(80);
  BY_HAND(await([&] { return channel.waiting_senders() == 2; }));
  SNAG_EVENT(startingReceive);
  EXPECT_EQ(channel.receive(), 1);
  EXPECT_EQ(channel.receive(), 2);
  first.join();
  second.join();
}

TEST(ChannelTest, ReceiversAreServedInTheirOrder) {
  SCHEDULE("[firstReceives] -> secondReceives, [secondReceives] -> startingSend");
  Channel<int> channel;
  std::thread first([&] {
    SNAG_EVENT(firstReceives);
    EXPECT_EQ(channel.receive(), 1);
  });
  std::thread second([&] {
    SLEEP(40);
    BY_HAND(await([&] { return channel.waiting_receivers() == 1; }));
    SNAG_EVENT(secondReceives);
    EXPECT_EQ(channel.receive(), 2);
  });
  SLEEP(80);
  BY_HAND(await([&] { return channel.waiting_receivers() == 2; }));
  SNAG_EVENT(startingSend);
  EXPECT_TRUE(channel.send(1));
  EXPECT_TRUE(channel.send(2));
  first.join();
  second.join();
}
