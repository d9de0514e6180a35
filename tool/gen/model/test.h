// The tests that are generated: calls of the driver's methods. The tool's side.
#pragma once

#include <snag/gen_flags.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocol/gen_worker.h"

namespace snag::gen {

struct MethodInfo {
  std::string name;  // "push(const int&)"
  std::string text;  // "{object}.push({0})"
  int arguments = 0;
  unsigned flags = 0;  // as in <snag/gen_flags.h>
};

// A driver that compiles.
struct DriverInfo {
  std::string executable;
  std::string class_name;
  std::vector<MethodInfo> constructors;
  std::vector<MethodInfo> methods;
  // For the test that is written.
  std::vector<std::string> headers;
  std::vector<std::string> flags;  // of the compiler, for a compilation in `directory`
  std::string directory;           // empty: unknown, and so are the flags
};

struct TestCall {
  std::uint16_t method = 0;
  bool on_second = false;
  std::array<std::uint8_t, kMaxArguments> seeds{};
  bool operator==(const TestCall&) const = default;
};

struct Test {
  TestCall constructor;
  std::optional<TestCall> second;  // constructor of the second object
  std::vector<TestCall> prefix;
  std::vector<std::vector<TestCall>> suffixes;  // one per thread
  bool operator==(const Test&) const = default;

  std::size_t suffix_calls() const;
  std::size_t calls() const { return prefix.size() + suffix_calls(); }
  // Of the suffixes, in the order of the records.
  const TestCall& suffix_call(std::size_t index) const;
};

// The thread of each call, in order.
using Order = std::vector<std::uint8_t>;

PlainTest to_plain(const Test& test);
PlainOrder to_plain(const Order& order);

// Identifies a sequence: objects, prefix, and the first `suffix_calls` calls of one suffix.
std::uint64_t sequence_hash(const Test& test, std::size_t thread, std::size_t suffix_calls);
std::uint64_t test_hash(const Test& test);

}  // namespace snag::gen
