// Failures made by hand, for the tests of the reports.
#pragma once

#include "tool/report/view/run_report.h"

namespace snag::report::example {

inline Event event(Tid thread, std::uint64_t step, OpKind op, const FrameView& place,
                   const char* object) {
  Event event;
  event.thread = thread;
  event.step = step;
  event.op = op;
  event.place = place;
  event.object = object;
  return event;
}

inline Event access(Tid thread, std::uint64_t step, OpKind op, const FrameView& place,
                    const char* object, const char* before, const char* after) {
  Event result = event(thread, step, op, place, object);
  result.value_before = before;
  result.value_after = after;
  return result;
}

inline Event folded(Tid thread, std::uint64_t step, std::uint64_t steps, std::uint64_t rounds = 0) {
  Event event;
  event.kind = Event::Kind::kFolded;
  event.thread = thread;
  event.step = step;
  event.folded = steps;
  event.rounds = rounds;
  return event;
}

inline Event waits(Tid thread, OpKind op, const FrameView& place, const char* object, Tid owner) {
  Event result = event(thread, 0, op, place, object);
  result.kind = Event::Kind::kWaits;
  if (owner != kNoTid) result.held_by = owner;
  return result;
}

inline Event failed(Tid thread, const FrameView& place, const char* what) {
  Event result = event(thread, 0, OpKind::kNone, place, "");
  result.kind = Event::Kind::kFailure;
  result.note = what;
  return result;
}

inline Event switched(Event event) {
  event.is_switch = true;
  return event;
}

inline const FrameView kPush{"Queue::push", "queue.cc", 41, "std::lock_guard guard(tail_lock_);"};
inline const FrameView kPushFirst{"Queue::push", "queue.cc", 40,
                                  "std::lock_guard guard(head_lock_);"};
inline const FrameView kPop{"Queue::pop", "queue.cc", 33, "std::lock_guard guard(head_lock_);"};
inline const FrameView kPopFirst{"Queue::pop", "queue.cc", 32,
                                 "std::lock_guard guard(tail_lock_);"};
inline const FrameView kTake{"Queue::pop", "queue.cc", 36, "if (size_ > 0) size_ = size_ - 1;"};

inline FailureView deadlock() {
  FailureView failure;
  failure.kind = FailureKind::kDeadlock;
  failure.message = "threads wait for each other in a cycle";
  failure.thread = 2;
  ThreadView main;
  main.status = ThreadStatus::kBlocked;
  main.op = OpKind::kThreadJoin;
  main.object = "C";
  main.held_by = 1;
  main.stack = {{"main", "queue.cc", 60, "producer.join();"}};
  ThreadView one = main;
  one.thread = 1;
  one.name = "producer";
  one.op = OpKind::kMutexLock;
  one.object = "tail_lock_";
  one.held_by = 2;
  one.in_cycle = true;
  one.stack = {{"Queue::push", "queue.cc", 41, "std::lock_guard guard(tail_lock_);"},
               {"produce", "queue.cc", 50, "queue.push(i);"}};
  ThreadView two = one;
  two.thread = 2;
  two.name = "consumer";
  two.object = "head_lock_";
  two.held_by = 1;
  two.stack = {{"Queue::pop", "queue.cc", 33, "std::lock_guard guard(head_lock_);"}};
  failure.threads = {main, one, two};
  failure.runs = 1'313;
  failure.run = 1'312;
  failure.seed = 42;
  failure.strategy = StrategyKind::kPct;
  failure.steps = 21;
  failure.event_hash = 0xfeedfacecafebeef;
  failure.switch_count = 2;
  failure.interleaving.threads = {{1, "producer"}, {2, "consumer"}};
  failure.interleaving.others = {{0, ""}};
  failure.interleaving.events = {
      folded(kNoTid, 1, 14),
      event(1, 15, OpKind::kMutexLock, kPushFirst, "head_lock_"),
      switched(event(2, 16, OpKind::kMutexLock, kPopFirst, "tail_lock_")),
      folded(1, 17, 5),
      waits(1, OpKind::kMutexLock, kPush, "tail_lock_", 2),
      waits(2, OpKind::kMutexLock, kPop, "head_lock_", 1),
      failed(kNoTid, {}, "threads wait for each other in a cycle")};
  failure.trace_path = "snag-traces/queue-deadlock-1.snag";
  failure.confirmed = true;
  return failure;
}

inline FailureView assertion() {
  FailureView failure = deadlock();
  failure.kind = FailureKind::kAssert;
  failure.message = "assertion `size_ >= 0' failed";
  failure.thread = 1;
  failure.threads[1].status = ThreadStatus::kRunnable;
  failure.threads[1].in_cycle = false;
  failure.threads[2].in_cycle = false;
  failure.runs = 1;
  failure.output = "starting\nqueue.cc:41: assertion `size_ >= 0' failed\n";
  failure.trace_path = "snag-traces/queue-assert-1.snag";
  failure.confirmed = false;
  failure.replay_problem = "the replay did not fail";
  failure.count = 7;
  failure.switch_count = 60;
  failure.interleaving.others.clear();
  failure.interleaving.threads = {{1, "producer"}, {2, "consumer"}};
  failure.interleaving.events = {
      folded(kNoTid, 1, 100),
      access(1, 101, OpKind::kRead, kTake, "size_", "1", "1"),
      switched(access(2, 102, OpKind::kRead, kTake, "size_", "1", "1")),
      access(2, 103, OpKind::kWrite, kTake, "size_", "1", "0"),
      folded(2, 104, 74, 37),
      access(1, 178, OpKind::kWrite, kTake, "size_", "0", "-1"),
      folded(1, 179, 3),
      failed(1, {"Queue::push", "queue.cc", 41, ""}, "assertion `size_ >= 0' failed")};
  failure.steps = 181;
  return failure;
}

inline FailureView lost_wakeup() {
  FailureView failure = deadlock();
  failure.kind = FailureKind::kLostWakeup;
  failure.message =
      "a signal came when no thread was waiting for it, and now a thread waits forever";
  failure.threads.pop_back();
  failure.threads[1].op = OpKind::kCondWait;
  failure.threads[1].in_cycle = false;
  failure.threads[1].held_by.reset();
  failure.threads[1].missed_signal = FrameView{"main", "queue.cc", 58, "ready.notify_one();"};
  failure.threads[1].missed_signal_by = 0;
  failure.thread = 1;
  failure.trace_path = "snag-traces/queue-lost-wakeup-1.snag";
  const FrameView signal{"main", "queue.cc", 58, "ready.notify_one();"};
  const FrameView wait{"Queue::pop", "queue.cc", 35, "while (size_ == 0) ready.wait(lock);"};
  Event missed = switched(event(0, 9, OpKind::kCondSignal, signal, "ready"));
  missed.note = "no waiter so far";
  failure.interleaving.threads = {{0, ""}, {1, "producer"}};
  failure.interleaving.others.clear();
  failure.interleaving.events = {
      event(1, 7, OpKind::kMutexLock, kPop, "head_lock_"),
      access(1, 8, OpKind::kRead, wait, "size_", "0", "0"), missed,
      waits(1, OpKind::kCondWait, wait, "ready", kNoTid),
      failed(kNoTid, {},
             "a signal came when no thread was waiting for it, and now a thread waits")};
  return failure;
}

inline FailureView race() {
  FailureView failure = deadlock();
  failure.kind = FailureKind::kRace;
  failure.message = "";
  failure.thread = 2;
  failure.trace_path = "snag-traces/queue-race-1.snag";
  AccessView read{1, false, false, false, 4, {kTake, {"consume", "queue.cc", 52, "q.pop();"}}, {}};
  AccessView write{2, true, false, false, 4, {{"Queue::push", "queue.cc", 42, "++size_;"}}, {}};
  write.locks = {{"tail_lock_", kPush}};
  MemoryView memory{MemoryKind::kHeap, false, 0, kNoTid, 96, 8, {{"main", "queue.cc", 55, ""}}, {}};
  memory.is_member = true;
  failure.race = RaceView{"Queue::size_", read, write, memory};
  Event first = access(1, 12, OpKind::kRead, kTake, "size_", "0", "0");
  Event second = access(2, 14, OpKind::kWrite, write.stack.front(), "size_", "0", "1");
  first.is_accused = second.is_accused = second.is_undone = true;
  second.value_after.reset();
  failure.interleaving.events = {folded(kNoTid, 1, 11), first,
                                 event(2, 13, OpKind::kMutexLock, kPush, "tail_lock_"), second,
                                 failed(2, write.stack.front(), "data race on Queue::size_")};
  return failure;
}

// The same variable at other places; one of these is not confirmed.
inline FailureView race_at_many_places() {
  FailureView failure = race();
  RacePlacesView places{"Queue::size_",
                        failure.race->second,
                        failure.race->second,
                        "snag-traces/queue-race-2.snag",
                        true,
                        "",
                        3};
  places.first.thread = 1;
  failure.other_places = {places, places};
  places = failure.other_places[1];
  failure.other_places[1] = {"Queue::size_",
                             failure.race->first,
                             places.second,
                             "snag-traces/queue-race-3.snag",
                             false,
                             "the replay did not fail",
                             1};
  failure.left_out_places = 5;
  return failure;
}

inline FailureView use_after_free() {
  FailureView failure = deadlock();
  failure.kind = FailureKind::kHeap;
  failure.message = "";
  failure.thread = 1;
  failure.trace_path = "snag-traces/queue-heap-1.snag";
  const FrameView use{"Queue::pop", "queue.cc", 37, "return node->value;"};
  const FrameView release{"Queue::clear", "queue.cc", 47, "delete head_;"};
  AccessView read{1, false, false, false, 4, {use, {"consume", "queue.cc", 52, "q.pop();"}}, {}};
  MemoryView memory{MemoryKind::kHeap, true, 0, 2, 16, 0, {{"main", "queue.cc", 55, ""}}, {}};
  memory.free_stack = {release};
  failure.heap = HeapView{HeapError::kUseAfterFree, 0, "Node::value", read, memory};
  const FrameView load{"Queue::pop", "queue.cc", 36, "Node* node = head_;"};
  const FrameView clear{"Queue::clear", "queue.cc", 48, "head_ = nullptr;"};
  failure.interleaving.events = {
      folded(kNoTid, 1, 11),
      access(1, 12, OpKind::kRead, load, "head_", "0x7f0000001000", "0x7f0000001000"),
      switched(access(2, 13, OpKind::kWrite, clear, "head_", "0x7f0000001000", "0")),
      failed(1, use, "use after free of Node::value")};
  return failure;
}

inline LockOrderView lock_order() {
  LockOrderView warning;
  warning.sides.push_back({1,
                           "A",
                           "B",
                           {"produce", "queue.cc", 48, "std::lock_guard guard(head_lock_);"},
                           {{"Queue::push", "queue.cc", 41, "std::lock_guard guard(tail_lock_);"},
                            {"produce", "queue.cc", 50, "queue.push(i);"}}});
  warning.sides.push_back({2,
                           "B",
                           "A",
                           {"Queue::pop", "queue.cc", 32, "std::lock_guard guard(tail_lock_);"},
                           {{"Queue::pop", "queue.cc", 33, "std::lock_guard guard(head_lock_);"}}});
  return warning;
}

inline RunReport run() {
  RunReport report;
  report.exit_code = 1;
  report.program = "queue";
  report.seed = 42;
  report.totals.runs = 2'000;
  report.totals.failures = 8;
  report.totals.steps = 123'456;
  report.totals.distinct_orders = 1'912;
  report.totals.max_threads = 4;
  report.totals.points = 31;
  report.totals.uncontrolled[static_cast<int>(Uncontrolled::kExternalWait)] = 3;
  report.totals.elapsed = std::chrono::duration<double>(1.25);
  report.failures = {deadlock(), assertion()};
  report.lock_orders = {lock_order()};
  return report;
}

inline RunReport clean_dfs() {
  RunReport report = run();
  report.exit_code = 0;
  report.strategy = StrategyKind::kDfs;
  report.preemption_bound = 2;
  report.totals.space_exhausted = true;
  report.totals.bound_hit = true;
  report.totals.uncontrolled = {};
  report.failures.clear();
  report.lock_orders.clear();
  return report;
}

}  // namespace snag::report::example
