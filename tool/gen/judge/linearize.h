// The orders in which the calls of a test can be made one after the other.
#pragma once

#include <cstdint>
#include <vector>

#include "tool/gen/model/test.h"
#include "tool/gen/worker/worker_process.h"

namespace snag::gen {

// All ways to merge calls[i] calls of each thread i; at most `most` of them.
std::vector<Order> all_orders(const std::vector<std::size_t>& calls, std::size_t most);
std::vector<std::size_t> suffix_sizes(const Test& test);
// How many there are, but at most `most`.
std::uint64_t order_count(const std::vector<std::size_t>& calls, std::uint64_t most);

// The orders in which the calls of this run ended and began. Usually one of them explains the
// outcome.
Order order_of_ends(const Test& test, const TestOutcome& outcome);
Order order_of_begins(const Test& test, const TestOutcome& outcome);

}  // namespace snag::gen
