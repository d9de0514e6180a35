#include "tool/shrink/order_hash.h"

#include "protocol/dependence.h"
#include "protocol/random.h"

namespace snag::shrink {
void OrderHash::add(const Step& step, std::span<const Choice> choices) {
  while (last_of_thread_.size() <= step.thread)
    last_of_thread_.push_back(mix64(last_of_thread_.size() + 1));
  std::uint64_t hash =
      fold(order_of_step(last_of_thread_[step.thread], step.pc, step.kind) + barrier_ * 3);
  for (const Choice& choice : choices) hash = fold(hash + choice.value + 1);
  if (has_hidden_effects(step.kind)) {
    hash = barrier_ = fold(hash ^ sum_);
  } else if (step.kind == OpKind::kThreadCreate) {
    hash = created_ = fold(hash + created_ * 5);
  } else if (step.object != 0 && op_access(step.kind) != '-') {
    hash = order_on_object(hash, step.kind, objects_[step.object]);
  }
  last_of_thread_[step.thread] = hash;
  sum_ += hash;
}

}  // namespace snag::shrink
