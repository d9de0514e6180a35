// Failures made by hand, for the tests of the reports.
#pragma once

#include "report/run_report.h"

namespace snag::report::example {

inline engine::Position position(OpKind op, const char* function, int line, int line_in_function) {
  return {op, function, "queue.cc", line, 5, line_in_function, ""};
}

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
  one.object = "A";
  one.held_by = 2;
  one.in_cycle = true;
  one.stack = {{"Queue::push", "queue.cc", 41, "std::lock_guard guard(tail_lock_);"},
               {"produce", "queue.cc", 50, "queue.push(i);"}};
  ThreadView two = one;
  two.thread = 2;
  two.name = "consumer";
  two.object = "B";
  two.held_by = 1;
  two.stack = {{"Queue::pop", "queue.cc", 33, "std::lock_guard guard(head_lock_);"}};
  failure.threads = {main, one, two};
  failure.runs = 1'313;
  failure.run = 1'312;
  failure.seed = 42;
  failure.strategy = StrategyKind::kPct;
  failure.steps = 21;
  failure.event_hash = 0xfeedfacecafebeef;
  failure.switches = {{0, 4, position(OpKind::kThreadJoin, "main", 60, 5), 1, 1},
                      {1, 12, position(OpKind::kMutexLock, "Queue::push", 41, 3), 3, 2}};
  failure.switch_count = 2;
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
  failure.switches.clear();
  for (int i = 0; i < 60; ++i) {
    const Tid from = static_cast<Tid>(i % 2);
    failure.switches.push_back({from, 3, position(OpKind::kAtomicRmw, "Queue::push", 40, 2),
                                std::uint64_t(i), static_cast<Tid>(1 - from)});
  }
  failure.switch_count = 60;
  failure.steps = 181;
  return failure;
}

inline FailureView lost_wakeup() {
  FailureView failure = deadlock();
  failure.kind = FailureKind::kLostWakeup;
  failure.message = "a signal came when nobody was waiting for it, and now somebody waits for ever";
  failure.threads.pop_back();
  failure.threads[1].op = OpKind::kCondWait;
  failure.threads[1].in_cycle = false;
  failure.threads[1].held_by.reset();
  failure.threads[1].missed_signal = FrameView{"main", "queue.cc", 58, "ready.notify_one();"};
  failure.threads[1].missed_signal_by = 0;
  failure.thread = 1;
  failure.trace_path = "snag-traces/queue-lost-wakeup-1.snag";
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
