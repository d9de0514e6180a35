// Each test of this folder is written once and built three times, in three styles of bringing its
// threads into the order that it is about. The code and what it expects are the same in all of
// them; what differs is
//   SLEEP(50)           sleeps:  hopes that the others get there within so many milliseconds
//   SCHEDULE("a -> b")  events:  Snag brings the SNAG_EVENTs into this order
//   BY_HAND(...)        by hand: latches and promises; and where a thread must be blocked, await()
//   for the class under
//                       test to say that one waits
// and in each style the marks of the other two are nothing.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <latch>
#include <thread>

#if defined(STYLE_SLEEPS)

#define SLEEP(ms) std::this_thread::sleep_for(std::chrono::milliseconds(ms))
#define SCHEDULE(text)
#define SNAG_EVENT(name)
#define BY_HAND(...)

#elif defined(STYLE_EVENTS)

#include <snag/schedule_gtest.h>

#define SLEEP(ms)
#define SCHEDULE(text) \
  snag::Schedule schedule { text }
#define BY_HAND(...)

#elif defined(STYLE_BY_HAND)

#define SLEEP(ms)
#define SCHEDULE(text)
#define SNAG_EVENT(name)
#define BY_HAND(...) __VA_ARGS__

// Goes round until the condition holds; fails the test when that takes too long, instead of
// hanging.
template <class Condition>
void await(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) {
      ADD_FAILURE() << "what the test waits for does not come";
      return;
    }
    std::this_thread::yield();
  }
}

#else
#error "define STYLE_SLEEPS, STYLE_EVENTS or STYLE_BY_HAND"
#endif
