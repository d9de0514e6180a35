#include "tool/session/lock_orders.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "tool/binary/place.h"

namespace snag::session {
namespace {

std::string place(const binary::ModuleMap& modules, std::span<const std::uint64_t> stack,
                  binary::Symbolizer& symbolizer) {
  return binary::place_text(binary::user_frame(symbolizer, modules, stack));
}

std::string wanted_place(const LockOrder& order, const LockOrderReport::Side& side,
                         binary::Symbolizer& symbolizer) {
  return place(order.modules, {side.stack, side.depth}, symbolizer);
}

// The numbers of "55e0,55f0}"; empty if the text has another form.
std::vector<std::uint64_t> read_pcs(std::string_view text) {
  std::vector<std::uint64_t> pcs;
  while (pcs.size() < kStepFrames) {
    std::uint64_t pc = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pc, 16);
    if (error != std::errc{} || end == text.data() + text.size()) return {};
    pcs.push_back(pc);
    if (*end == '}') return pcs;
    if (*end != ',') return {};
    text.remove_prefix(static_cast<std::size_t>(end + 1 - text.data()));
  }
  return {};
}

}  // namespace

std::vector<LockOrder> copy_lock_orders(const Shared& shared) {
  std::vector<LockOrder> orders;
  const std::uint32_t count = std::min(shared.live.lock_order_count.load(), kMaxLockOrders);
  for (std::uint32_t i = 0; i < count; ++i) {
    LockOrder order;
    order.report = shared.lock_orders[i];
    if (order.report.count < 2 || order.report.count > kMaxLockCycle) continue;
    for (LockOrderReport::Side& side : order.report.sides)
      side.depth = std::min<std::uint16_t>(side.depth, kMaxStackDepth);
    order.modules = copy_modules(shared);
    orders.push_back(std::move(order));
  }
  return orders;
}

std::string lock_order_places(const LockOrder& order, binary::Symbolizer& symbolizer) {
  std::set<std::string> places;
  for (const LockOrderReport::Side& side : order.sides()) {
    places.insert(fmt::format("{} {}", place(order.modules, side.held_stack, symbolizer),
                              wanted_place(order, side, symbolizer)));
  }
  return fmt::format("{}", fmt::join(places, ", "));
}

bool is_deadlock_of(const LockOrder& order, const FailedRun& run, binary::Symbolizer& symbolizer) {
  if (run.kind != FailureKind::kDeadlock) return false;
  std::set<std::string> warned, waiting;
  for (const LockOrderReport::Side& side : order.sides())
    warned.insert(wanted_place(order, side, symbolizer));
  for (const ThreadReport& thread : run.threads) {
    if (thread.in_cycle != 0)
      waiting.insert(place(run.modules, {thread.stack, thread.depth}, symbolizer));
  }
  return warned == waiting;
}

std::string with_places(const std::string& message, const binary::ModuleMap& modules,
                        binary::Symbolizer& symbolizer) {
  std::string text;
  std::size_t at = 0;
  for (std::size_t found; (found = message.find("@{", at)) != std::string::npos;) {
    text.append(message, at, found - at);
    const auto pcs = read_pcs(std::string_view(message).substr(found + 2));
    at = pcs.empty() ? found + 2 : message.find('}', found) + 1;
    if (pcs.empty()) {
      text += "@{";
      continue;
    }
    text += binary::place_in_function(binary::user_frame(symbolizer, modules, pcs));
  }
  return text.append(message, at);
}

}  // namespace snag::session
