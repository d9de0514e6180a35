#include "tool/gen/model/test.h"

#include <algorithm>

namespace snag::gen {
namespace {

PlainCall plain_call(const TestCall& call) {
  PlainCall plain{};
  plain.method = call.method;
  plain.on_second = call.on_second;
  std::copy(call.seeds.begin(), call.seeds.end(), plain.seeds);
  return plain;
}

class Hash {
 public:
  void add(std::uint64_t value) {
    state_ ^= value + 0x9e3779b97f4a7c15 + (state_ << 6) + (state_ >> 2);
    state_ *= 0xbf58476d1ce4e5b9;
    state_ ^= state_ >> 29;
  }
  void add(const TestCall& call) {
    add(call.method * 2u + call.on_second);
    std::uint64_t seeds = 0;
    for (const std::uint8_t seed : call.seeds) seeds = seeds << 8 | seed;
    add(seeds);
  }
  void add(const std::vector<TestCall>& calls, std::size_t count) {
    add(count);
    for (std::size_t i = 0; i < count; ++i) add(calls[i]);
  }
  void add_begin(const Test& test) {
    add(test.constructor);
    if (test.second) add(*test.second);
    add(test.prefix, test.prefix.size());
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 1;
};

}  // namespace

std::size_t Test::suffix_calls() const {
  std::size_t count = 0;
  for (const auto& suffix : suffixes) count += suffix.size();
  return count;
}

const TestCall& Test::suffix_call(std::size_t index) const {
  std::size_t thread = 0;
  while (index >= suffixes[thread].size()) index -= suffixes[thread++].size();
  return suffixes[thread][index];
}

PlainTest to_plain(const Test& test) {
  PlainTest plain{};
  plain.constructor = plain_call(test.constructor);
  plain.has_second = test.second.has_value();
  if (test.second) plain.second = plain_call(*test.second);
  plain.threads = static_cast<std::uint8_t>(test.suffixes.size());
  plain.prefix = static_cast<std::uint8_t>(test.prefix.size());
  std::size_t next = 0;
  const auto add = [&](const TestCall& call) {
    if (next < kMaxCalls) plain.calls[next++] = plain_call(call);
  };
  for (const TestCall& call : test.prefix) add(call);
  for (std::size_t i = 0; i < test.suffixes.size(); ++i) {
    plain.suffix[i] = static_cast<std::uint8_t>(test.suffixes[i].size());
    for (const TestCall& call : test.suffixes[i]) add(call);
  }
  return plain;
}

PlainOrder to_plain(const Order& order) {
  PlainOrder plain{};
  plain.length = static_cast<std::uint8_t>(std::min<std::size_t>(order.size(), kMaxCalls));
  std::copy_n(order.begin(), plain.length, plain.threads);
  return plain;
}

std::uint64_t sequence_hash(const Test& test, std::size_t thread, std::size_t suffix_calls) {
  Hash hash;
  hash.add_begin(test);
  if (thread < test.suffixes.size()) hash.add(test.suffixes[thread], suffix_calls);
  return hash.value();
}

std::uint64_t test_hash(const Test& test) {
  Hash hash;
  hash.add_begin(test);
  for (const auto& suffix : test.suffixes) hash.add(suffix, suffix.size());
  return hash.value();
}

}  // namespace snag::gen
