#include "tool/gen/judge/linearize.h"

#include <algorithm>
#include <numeric>

namespace snag::gen {
namespace {

void extend(std::vector<std::size_t>& left, Order& order, std::size_t most,
            std::vector<Order>& all) {
  if (all.size() >= most) return;
  bool is_complete = true;
  for (std::size_t thread = 0; thread < left.size(); ++thread) {
    if (left[thread] == 0) continue;
    is_complete = false;
    --left[thread];
    order.push_back(static_cast<std::uint8_t>(thread));
    extend(left, order, most, all);
    order.pop_back();
    ++left[thread];
  }
  if (is_complete) all.push_back(order);
}

Order order_by(const Test& test, const TestOutcome& outcome, std::uint64_t CallResult::*time) {
  std::vector<std::pair<std::uint64_t, std::uint8_t>> times;
  std::size_t record = test.prefix.size();
  for (std::size_t thread = 0; thread < test.suffixes.size(); ++thread) {
    for (std::size_t i = 0; i < test.suffixes[thread].size(); ++i, ++record) {
      if (record < outcome.calls.size())
        times.emplace_back(outcome.calls[record].*time, static_cast<std::uint8_t>(thread));
    }
  }
  std::stable_sort(times.begin(), times.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  Order order;
  for (const auto& [when, thread] : times) order.push_back(thread);
  return order;
}

}  // namespace

std::vector<Order> all_orders(const std::vector<std::size_t>& calls, std::size_t most) {
  std::vector<std::size_t> left = calls;
  std::vector<Order> all;
  Order order;
  extend(left, order, most, all);
  return all;
}

std::vector<std::size_t> suffix_sizes(const Test& test) {
  std::vector<std::size_t> sizes;
  for (const auto& suffix : test.suffixes) sizes.push_back(suffix.size());
  return sizes;
}

std::uint64_t order_count(const std::vector<std::size_t>& calls, std::uint64_t most) {
  // The product of C(n1 + ... + ni, ni).
  unsigned __int128 count = 1;
  std::uint64_t placed = 0;
  for (const std::size_t n : calls) {
    for (std::uint64_t i = 1; i <= n; ++i) {
      count = count * (placed + i) / i;
      if (count > most * std::uint64_t{1'000'000}) return most;
    }
    placed += n;
  }
  return count > most ? most : static_cast<std::uint64_t>(count);
}

Order order_of_ends(const Test& test, const TestOutcome& outcome) {
  return order_by(test, outcome, &CallResult::end);
}

Order order_of_begins(const Test& test, const TestOutcome& outcome) {
  return order_by(test, outcome, &CallResult::begin);
}

}  // namespace snag::gen
