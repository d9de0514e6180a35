#include "runtime/sched/observer.h"

#include "runtime/base/check.h"

namespace snag::rt {

constinit ActiveObservers active_observers{};
constinit EventMask observed_events = 0;

void ActiveObservers::add(Observer* observer) {
  SNAG_CHECK(count_ < kCapacity, "more observers than there is room for");
  list_[count_++] = observer;
}

void deactivate_observers() {
  active_observers.clear();
  observed_events = 0;
}

void activate_observer(Observer* observer, EventMask events) {
  active_observers.add(observer);
  observed_events |= events;
}

void raise_accessed(AccessKind kind, const volatile void* address, std::uint64_t size,
                    std::uint64_t pc) {
  for (Observer* observer : active_observers) observer->accessed(kind, address, size, pc);
}

void raise_allocated(const void* begin, std::uint64_t size, bool guarded) {
  for (Observer* observer : active_observers) observer->allocated(begin, size, guarded);
}

void raise_freed(const void* begin, std::uint64_t size, std::uint64_t pc, bool by_owner,
                 bool guarded) {
  for (Observer* observer : active_observers) observer->freed(begin, size, pc, by_owner, guarded);
}

void raise_locks(const SyncObject* lock, bool shared, std::uint64_t pc) {
  for (Observer* observer : active_observers) observer->locks(lock, shared, pc);
}

void raise_wants(const Thread* thread, OpKind kind, const SyncObject* lock, std::uint64_t pc) {
  for (Observer* observer : active_observers) observer->wants(thread, kind, lock, pc);
}

void raise_locked(const SyncObject* lock, std::uint32_t index, std::uint64_t pc) {
  for (Observer* observer : active_observers) observer->locked(lock, index, pc);
}

void raise_unlocked(const SyncObject* lock, std::uint32_t index) {
  for (Observer* observer : active_observers) observer->unlocked(lock, index);
}

void observe_step(const Thread* thread, const void* address, std::uint64_t size) {
  for (Observer* observer : active_observers) observer->step(thread, address, size);
}

void observe_knows_all(const Thread* thread) {
  for (Observer* observer : active_observers) observer->knows_all(thread);
}

void observe_entered(std::uint64_t pc, std::uint64_t caller) {
  for (Observer* observer : active_observers) observer->entered(pc, caller);
}

void observe_left(StackMemory left) {
  for (Observer* observer : active_observers) observer->left(left);
}

void observe_stack_left(StackMemory left) {
  for (Observer* observer : active_observers) observer->stack_left(left);
}

void observe_unwound() {
  for (Observer* observer : active_observers) observer->unwound();
}

void observe_thread_created(const Thread* child) {
  for (Observer* observer : active_observers) observer->thread_created(child);
}

void observe_thread_joined(const Thread* ended) {
  for (Observer* observer : active_observers) observer->thread_joined(ended);
}

void observe_thread_ended() {
  for (Observer* observer : active_observers) observer->thread_ended();
}

void observe_modules_loaded() {
  for (Observer* observer : active_observers) observer->modules_loaded();
}

void observe_failure(std::uint64_t fault_address) {
  for (Observer* observer : active_observers) observer->failed(fault_address);
}

}  // namespace snag::rt
