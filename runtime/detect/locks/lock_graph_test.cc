#include "runtime/detect/locks/lock_graph.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>

namespace snag::rt {
namespace {

bool never(const LockEdge&, const LockEdge&) { return false; }
bool always(const LockEdge&, const LockEdge&) { return true; }

LockEdge edge(Tid thread, std::uint32_t held, std::uint32_t wanted,
              std::initializer_list<std::uint32_t> gates = {}) {
  LockEdge e{};
  e.thread = thread;
  e.held = held;
  e.wanted = wanted;
  e.held_pc = 0x1000 + held;
  e.wanted_pc = 0x2000 + wanted;
  for (const std::uint32_t gate : gates) e.gates[e.gate_count++] = gate * 2;
  return e;
}

class LockGraphTest : public testing::Test {
 protected:
  LockGraphTest() { graph->begin(1); }
  // The length of the cycle that this edge closes.
  std::uint32_t add(const LockEdge& e, LockGraph::Ordered ordered = never) {
    const std::uint32_t number = graph->add(e);
    return number == LockGraph::kKnown ? 0 : graph->find_cycle(number, ordered, cycle);
  }
  std::unique_ptr<LockGraph> graph = std::make_unique<LockGraph>();
  std::uint32_t cycle[kMaxLockCycle] = {};
};

TEST_F(LockGraphTest, BothOrdersAreACycle) {
  EXPECT_EQ(add(edge(1, 10, 20)), 0u);
  EXPECT_EQ(add(edge(2, 20, 10)), 2u);
  EXPECT_EQ((*graph)[cycle[0]].thread, 2);
  EXPECT_EQ((*graph)[cycle[1]].thread, 1);
}

TEST_F(LockGraphTest, TheSameOrderIsNone) {
  EXPECT_EQ(add(edge(1, 10, 20)), 0u);
  EXPECT_EQ(add(edge(2, 10, 20)), 0u);
  EXPECT_EQ(add(edge(2, 20, 30)), 0u);
}

TEST_F(LockGraphTest, OneThreadCannotWaitForItself) {
  EXPECT_EQ(add(edge(1, 10, 20)), 0u);
  EXPECT_EQ(add(edge(1, 20, 10)), 0u);
}

TEST_F(LockGraphTest, AGateKeepsThreadsApart) {
  EXPECT_EQ(add(edge(1, 10, 20, {5, 7})), 0u);
  EXPECT_EQ(add(edge(2, 20, 10, {7})), 0u);
  EXPECT_EQ(add(edge(2, 20, 10, {6})), 2u) << "another gate keeps nobody apart";
}

TEST_F(LockGraphTest, AGateOfReadersKeepsNobodyApart) {
  LockEdge first = edge(1, 10, 20, {7}), second = edge(2, 20, 10, {7});
  first.gates[0] |= 1;
  second.gates[0] |= 1;
  EXPECT_EQ(add(first), 0u);
  EXPECT_EQ(add(second), 2u);
}

TEST_F(LockGraphTest, OrderedThreadsDoNotMeet) {
  EXPECT_EQ(add(edge(1, 10, 20)), 0u);
  EXPECT_EQ(add(edge(2, 20, 10), always), 0u);
}

TEST_F(LockGraphTest, ReadersDoNotBlockReaders) {
  LockEdge first = edge(1, 10, 20), second = edge(2, 20, 10);
  first.held_shared = first.wanted_shared = second.held_shared = second.wanted_shared = true;
  EXPECT_EQ(add(first), 0u);
  EXPECT_EQ(add(second), 0u);
  second.held_shared = second.wanted_shared = false;
  EXPECT_EQ(add(second), 2u);
}

TEST_F(LockGraphTest, BothSidesOfEachLockCount) {
  // The second thread only reads what the first one writes, and that blocks; but the other lock is
  // read by both.
  LockEdge first = edge(1, 10, 20), second = edge(2, 20, 10);
  first.held_shared = second.wanted_shared = true;
  EXPECT_EQ(add(first), 0u);
  EXPECT_EQ(add(second), 0u);
}

TEST_F(LockGraphTest, LongerCycles) {
  EXPECT_EQ(add(edge(1, 10, 20)), 0u);
  EXPECT_EQ(add(edge(2, 20, 30)), 0u);
  EXPECT_EQ(add(edge(3, 30, 10)), 3u);
  EXPECT_EQ(add(edge(3, 30, 40)), 0u);
  EXPECT_EQ(add(edge(4, 40, 10)), 4u);
  for (std::uint32_t i = 0; i < 4; ++i)
    EXPECT_EQ((*graph)[cycle[i]].wanted, (*graph)[cycle[(i + 1) % 4]].held);
}

TEST_F(LockGraphTest, FiveAreTooMany) {
  for (Tid t = 1; t <= 4; ++t) EXPECT_EQ(add(edge(t, t, t + 1u)), 0u);
  EXPECT_EQ(add(edge(5, 5, 1)), 0u);
}

TEST_F(LockGraphTest, AThreadIsInACycleOnce) {
  EXPECT_EQ(add(edge(1, 10, 20)), 0u);
  EXPECT_EQ(add(edge(2, 20, 30)), 0u);
  EXPECT_EQ(add(edge(1, 30, 10)), 0u);
}

TEST_F(LockGraphTest, EqualEdgesAreKeptOnce) {
  EXPECT_NE(graph->add(edge(1, 10, 20)), LockGraph::kKnown);
  EXPECT_EQ(graph->add(edge(1, 10, 20)), LockGraph::kKnown);
  EXPECT_NE(graph->add(edge(1, 10, 20, {5})), LockGraph::kKnown);
  LockEdge later = edge(1, 10, 20);
  later.clock = 7;
  EXPECT_NE(graph->add(later), LockGraph::kKnown);
  EXPECT_EQ(graph->size(), 3u);
}

TEST_F(LockGraphTest, ARunKnowsNothingOfTheLastOne) {
  EXPECT_EQ(add(edge(1, 10, 20)), 0u);
  graph->begin(2);
  EXPECT_EQ(add(edge(2, 20, 10)), 0u);
  EXPECT_EQ(graph->size(), 1u);
}

TEST_F(LockGraphTest, FullIsFull) {
  for (std::uint32_t i = 0; i < LockGraph::kMaxEdges; ++i)
    EXPECT_NE(graph->add(edge(1, i, 5000)), LockGraph::kKnown);
  EXPECT_EQ(graph->add(edge(1, 9000, 5000)), LockGraph::kKnown);
}

}  // namespace
}  // namespace snag::rt
