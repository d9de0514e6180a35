#include "tool/shrink/order_hash.h"

#include "protocol/random.h"

namespace snag::shrink {
namespace {

// Steps that do more than the log says: a wait on a condition variable releases a mutex, a timeout
// moves the clock, the outside world is not known.
bool depends_on_everything(OpKind kind) {
  switch (kind) {
    case OpKind::kCondWait:
    case OpKind::kBarrierWait:
    case OpKind::kSleep:
    case OpKind::kTimeout:
    case OpKind::kExternal:
    case OpKind::kCancel:
    case OpKind::kSignal:
    case OpKind::kEvent:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool depends(const Op& a, const Op& b) {
  if (depends_on_everything(a.kind) || depends_on_everything(b.kind)) return true;
  if (a.kind == OpKind::kThreadCreate && b.kind == OpKind::kThreadCreate) return true;
  return conflicts(a, b);
}

void OrderHash::add(const Step& step, std::span<const Choice> choices) {
  while (last_of_thread_.size() <= step.thread)
    last_of_thread_.push_back(mix64(last_of_thread_.size() + 1));
  std::uint64_t hash = mix64(last_of_thread_[step.thread] + step.pc * 7 + barrier_ * 3 +
                             static_cast<std::uint64_t>(step.kind));
  for (const Choice& choice : choices) hash = mix64(hash + choice.value + 1);
  if (depends_on_everything(step.kind)) {
    hash = mix64(hash ^ sum_);
    barrier_ = hash;
  } else if (step.kind == OpKind::kThreadCreate) {
    hash = created_ = mix64(hash + created_ * 5);
  } else if (step.object != 0 && op_access(step.kind) != '-') {
    Object& object = objects_[step.object];
    if (op_access(step.kind) == 'w') {
      hash = mix64(hash + object.changed * 5 + object.looked * 11);
      object = {hash, 0};
    } else {
      hash = mix64(hash + object.changed * 5);
      object.looked += hash;
    }
  }
  last_of_thread_[step.thread] = hash;
  sum_ += hash;  // a sum: the order in which independent steps were executed does not matter
}

}  // namespace snag::shrink
