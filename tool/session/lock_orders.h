// Locks that were taken in both orders (see runtime/detect/locks/lock_order.h), copied out of the
// shared memory in the same careful way as failures.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tool/binary/symbolizer.h"
#include "tool/session/failed_run.h"

namespace snag::session {

struct LockOrder {
  LockOrderReport report{};
  binary::ModuleMap modules;

  std::span<const LockOrderReport::Side> sides() const { return {report.sides, report.count}; }
};

std::vector<LockOrder> copy_lock_orders(const Shared& shared);

// Equal for lock orders that a person would call the same, even from different processes: the
// places where the locks were taken.
std::string lock_order_places(const LockOrder& order, binary::Symbolizer& symbolizer);
// Whether the deadlock is the one that this order warns of.
bool is_deadlock_of(const LockOrder& order, const FailedRun& run, binary::Symbolizer& symbolizer);

// The runtime writes places as @{pc,caller,...}: "taken at @{55e0}" becomes "taken at queue.cc:41
// in Queue::pop".
std::string with_places(const std::string& message, const binary::ModuleMap& modules,
                        binary::Symbolizer& symbolizer);

}  // namespace snag::session
