#include "tool/gen/judge/minimize.h"

#include <algorithm>

namespace snag::gen {
namespace {

constexpr std::size_t kTestsAtATime = 12;

template <class Calls>
void without_one(const Test& test, Calls&& calls_of, std::vector<Test>& simpler) {
  Test copy = test;
  const std::size_t size = calls_of(copy).size();
  for (std::size_t i = 0; i < size; ++i) {
    copy = test;
    auto& calls = calls_of(copy);
    calls.erase(calls.begin() + static_cast<std::ptrdiff_t>(i));
    simpler.push_back(copy);
  }
}

// Each argument as it would be with seed 0, and the call on the first object.
template <class GetCall>
void simpler_call(const Test& test, GetCall&& call_of, std::vector<Test>& simpler) {
  Test copy = test;
  if (call_of(copy).on_second) {
    call_of(copy).on_second = false;
    simpler.push_back(copy);
  }
  for (std::size_t i = 0; i < kMaxArguments; ++i) {
    copy = test;
    if (call_of(copy).seeds[i] == 0) continue;
    call_of(copy).seeds[i] = 0;
    simpler.push_back(copy);
  }
}

}  // namespace

std::vector<Test> simpler_tests(const Test& test) {
  std::vector<Test> simpler;
  for (std::size_t thread = 0; test.suffixes.size() > 2 && thread < test.suffixes.size();
       ++thread) {
    Test copy = test;
    copy.suffixes.erase(copy.suffixes.begin() + static_cast<std::ptrdiff_t>(thread));
    simpler.push_back(std::move(copy));
  }
  if (!test.prefix.empty()) {
    Test copy = test;
    copy.prefix.clear();
    simpler.push_back(std::move(copy));
  }
  for (std::size_t thread = 0; thread < test.suffixes.size(); ++thread) {
    if (test.suffixes[thread].size() > 1) {
      without_one(
          test, [thread](Test & t) -> auto& { return t.suffixes[thread]; }, simpler);
    }
  }
  if (test.prefix.size() > 1)
    without_one(
        test, [](Test & t) -> auto& { return t.prefix; }, simpler);
  if (test.second) {
    Test copy = test;
    copy.second.reset();
    for (TestCall& call : copy.prefix) call.on_second = false;
    for (auto& suffix : copy.suffixes)
      for (TestCall& call : suffix) call.on_second = false;
    simpler.push_back(std::move(copy));
    simpler_call(
        test, [](Test& t) -> TestCall& { return *t.second; }, simpler);
  }
  simpler_call(
      test, [](Test& t) -> TestCall& { return t.constructor; }, simpler);
  for (std::size_t i = 0; i < test.prefix.size(); ++i)
    simpler_call(
        test, [i](Test& t) -> TestCall& { return t.prefix[i]; }, simpler);
  for (std::size_t thread = 0; thread < test.suffixes.size(); ++thread) {
    for (std::size_t i = 0; i < test.suffixes[thread].size(); ++i)
      simpler_call(
          test, [thread, i](Test& t) -> TestCall& { return t.suffixes[thread][i]; }, simpler);
  }
  return simpler;
}

Expected<Violation> minimize(Violation violation, const TryTests& try_tests,
                             const std::function<bool()>& should_stop) {
  for (bool found = true; found && !should_stop();) {
    found = false;
    const std::vector<Test> simpler = simpler_tests(violation.test);
    for (std::size_t at = 0; at < simpler.size() && !found && !should_stop(); at += kTestsAtATime) {
      const std::vector<Test> some(simpler.begin() + static_cast<std::ptrdiff_t>(at),
                                   simpler.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                         simpler.size(), at + kTestsAtATime)));
      auto tried = try_tests(some);
      if (!tried) return tl::unexpected(tried.error());
      for (std::optional<Violation>& smaller : *tried) {
        if (!smaller || smaller->kind != violation.kind) continue;
        violation = std::move(*smaller);
        found = true;
        break;
      }
    }
  }
  return violation;
}

}  // namespace snag::gen
