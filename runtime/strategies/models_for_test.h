// Models of the bug patterns that the literature measures strategies with. Test-only.
#pragma once

#include "runtime/strategies/simulator_for_test.h"

namespace snag::rt::sim {

// Globals of different threads' business stand on different cache lines, fields of one thing on the
// same.
inline constexpr std::uint64_t kA = 0x1000, kB = 0x1008, kM1 = 0x2000, kM2 = 0x2040, kC = 0x2080;

// main spawns `programs` 1..n in order and joins them.
inline Program spawn_and_join(int n) {
  Program p;
  for (int i = 1; i <= n; ++i) p.push_back(spawn(i));
  for (int i = 1; i <= n; ++i) p.push_back(join(i));
  return p;
}

// n - 1 threads set a, then b; a checker must not see a without b.
inline Model reorder(int n) {
  Model m;
  m.programs.push_back(spawn_and_join(n));
  for (int i = 1; i < n; ++i) m.programs.push_back({write(kA), write(kB)});
  m.programs.push_back({read(kA), read(kA), read(kB)});
  m.bug = [n](const Execution& e) {
    const auto& r = e.reads(n);
    return r.size() == 3 && r[0] == 1 && r[2] == 0;
  };
  return m;
}

// n - 1 threads set data1, then data2, each under its lock; a reader must not see the one without
// the other.
inline Model twostage(int n) {
  Model m;
  m.programs.push_back(spawn_and_join(n));
  for (int i = 1; i < n; ++i) {
    m.programs.push_back(
        {lock(kM1), write(kA), unlock(kM1), lock(kM2), read(kA), write(kB), unlock(kM2)});
  }
  m.programs.push_back({lock(kM1), read(kA), unlock(kM1), guarded(lock(kM2)), guarded(read(kB)),
                        guarded(unlock(kM2))});
  m.bug = [n](const Execution& e) {
    const auto& r = e.reads(n);
    return r.size() == 2 && r[1] == 0;
  };
  return m;
}

// n - 1 threads take two locks in one order, one takes them in the other.
inline Model lock_order(int n) {
  Model m;
  m.programs.push_back(spawn_and_join(n));
  for (int i = 1; i < n; ++i)
    m.programs.push_back({lock(kM1), lock(kM2), unlock(kM2), unlock(kM1)});
  m.programs.push_back({lock(kM2), lock(kM1), unlock(kM1), unlock(kM2)});
  return m;
}

// A thread checks, works for `work` steps on its own, then acts; another, which has as much to do,
// must come in between: needs a long delay.
inline Model long_delay(int work) {
  Model m;
  m.programs.push_back(spawn_and_join(2));
  Program slow{read(kA)};
  for (int i = 0; i < work; ++i) slow.push_back(read(0x9000 + 64 * i));
  slow.push_back(read(kA));
  Program fast;
  for (int i = 0; i < work; ++i) fast.push_back(read(0x19000 + 64 * i));
  fast.push_back(write(kA));
  m.programs.push_back(slow);
  m.programs.push_back(fast);
  m.bug = [](const Execution& e) {
    const auto& r = e.reads(1);
    return r.size() > 1 && r.front() == 0 && r.back() == 1;
  };
  return m;
}

// Two threads hand over to each other and back, `stages` times; wrong only if every single one
// succeeds: needs a precise interleaving of many operations on many objects.
inline Model handover(int stages) {
  Model m;
  m.programs.push_back(spawn_and_join(2));
  Program p1, p2;
  for (int i = 0; i < stages; ++i) {
    p1.push_back(write(0x1000 + 128 * i));
    p1.push_back(read(0x1040 + 128 * i));
    p2.push_back(read(0x1000 + 128 * i));
    p2.push_back(write(0x1040 + 128 * i));
  }
  m.programs.push_back(p1);
  m.programs.push_back(p2);
  m.bug = [](const Execution& e) {
    auto all = [](const std::vector<int>& v) {
      return std::all_of(v.begin(), v.end(), [](int x) { return x == 1; });
    };
    return all(e.reads(1)) && all(e.reads(2));
  };
  return m;
}

// Threads read, then write a balance under a lock each time, but not under one together; wrong if
// exactly three read the first value.
inline Model split_update(int n) {
  Model m;
  m.programs.push_back(spawn_and_join(n));
  for (int i = 1; i <= n; ++i) {
    m.programs.push_back({lock(kM1), read(kA), unlock(kM1), lock(kM1), write(kA, i), unlock(kM1)});
  }
  m.bug = [](const Execution& e) {
    int zeros = 0;
    for (const auto& t : e.threads()) zeros += !t.reads.empty() && t.reads[0] == 0;
    return zeros == 3;
  };
  return m;
}

}  // namespace snag::rt::sim
