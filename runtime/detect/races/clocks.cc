#include "runtime/detect/races/clocks.h"

#include "protocol/random.h"
#include "runtime/base/arena.h"
#include "runtime/base/check.h"

namespace snag::rt {

constinit ThreadClock thread_clocks[kMaxThreads]{};
constinit std::uint32_t epoch_words[kMaxThreads]{};
constinit Epoch* epochs = nullptr;
constinit std::uint32_t run_epoch = kFirstEpoch;

namespace {

constinit std::uint64_t run = 0;
constinit std::uint32_t epoch_count = 0;  // in this run
constinit MmapVector<Epoch> epoch_table;

// ---- Memory for clocks: taken piece by piece, all given back with the run. ----

constexpr std::size_t kChunkTimes = 1 << 18;  // a mebibyte
constexpr std::size_t kMaxChunks = 1 << 14;
constinit Time* chunks[kMaxChunks]{};
constinit std::size_t chunk = 0, used_in_chunk = 0;

Time* take_times(std::uint32_t count) {
  if (used_in_chunk + count > kChunkTimes) {
    ++chunk;
    used_in_chunk = 0;
    SNAG_CHECK(chunk < kMaxChunks, "no room for more vector clocks: use --races=off");
  }
  if (!chunks[chunk]) chunks[chunk] = map_private<Time>(kChunkTimes);
  Time* result = chunks[chunk] + used_in_chunk;
  used_in_chunk += count;
  return result;
}

__attribute__((noinline)) void reserve_more(VectorClock& clock, std::uint32_t size) {
  if (clock.run != run) clock = {run, 0, 0, nullptr};
  if (clock.capacity < size) {
    std::uint32_t capacity = clock.capacity * 2;
    if (capacity < size) capacity = size;
    if (capacity < 8) capacity = 8;
    Time* at = take_times(capacity);
    for (std::uint32_t i = 0; i < clock.size; ++i) at[i] = clock.at[i];
    clock.at = at;
    clock.capacity = capacity;
  }
  while (clock.size < size) clock.at[clock.size++] = 0;
}

inline void reserve(VectorClock& clock, std::uint32_t size) {
  if (clock.run != run || clock.size < size) reserve_more(clock, size);
}

void join(VectorClock& to, const VectorClock& from) {
  if (from.run != run) return;
  reserve(to, from.size);
  for (std::uint32_t i = 0; i < from.size; ++i) {
    if (from.at[i] > to.at[i]) to.at[i] = from.at[i];
  }
}

void assign(VectorClock& to, const VectorClock& from) {
  if (from.run != run) {
    to.run = 0;
    return;
  }
  if (to.run == run) to.size = 0;
  reserve(to, from.size);
  for (std::uint32_t i = 0; i < from.size; ++i) to.at[i] = from.at[i];
}

bool is_empty(const VectorClock& clock) { return clock.run != run || clock.size == 0; }

void new_epoch(Tid thread) {
  const std::uint32_t number = run_epoch + epoch_count++;
  if (epoch_count > epoch_table.size()) {
    epoch_table.resize(epoch_table.size() * 2 + 4096);
    epochs = epoch_table.data();
  }
  SNAG_CHECK(number < kLastEpoch, "the run synchronises too often to be checked: use --races=off");
  epochs[epoch_count - 1] = {thread, thread_clocks[thread].now.at[thread]};
  thread_clocks[thread].epoch = number;
  epoch_words[thread] = number << 5;
}

// From now on, the thread's accesses are later than its release.
void tick(Tid thread) {
  ++thread_clocks[thread].now.at[thread];
  new_epoch(thread);
}

// Left by atomics of libraries, somewhere.
constinit VectorClock unseen{};

// ---- The clocks released at objects, by address. ----

struct Left {
  std::uint64_t address;
  VectorClock clock;
};
constinit MmapVector<Left> objects;         // in the order of first use in the process
constinit MmapVector<std::uint32_t> index;  // open addressing; number of the object plus one
constinit Left* recent[256]{};              // by some bits of the address

std::size_t slot_of(std::uint64_t address) { return mix64(address) & (index.size() - 1); }

void grow_index() {
  const std::size_t size = index.size() == 0 ? 1024 : index.size() * 4;
  index.resize(size);
  for (std::uint32_t& entry : index) entry = 0;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    std::size_t slot = slot_of(objects[i].address);
    while (index[slot] != 0) slot = (slot + 1) & (size - 1);
    index[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

void forget_objects() {
  objects.clear();
  for (std::uint32_t& entry : index) entry = 0;
  for (Left*& entry : recent) entry = nullptr;
}

__attribute__((noinline)) Left* find_left(std::uint64_t address) {
  if ((objects.size() + 1) * 2 > index.size()) grow_index();
  std::size_t slot = slot_of(address);
  while (index[slot] != 0) {
    Left* left = &objects[index[slot] - 1];
    if (left->address == address) return left;
    slot = (slot + 1) & (index.size() - 1);
  }
  if (objects.size() == objects.capacity()) {
    for (Left*& entry : recent) entry = nullptr;  // they are about to move
  }
  objects.push_back({address, {}});
  index[slot] = static_cast<std::uint32_t>(objects.size());
  return &objects.back();
}

VectorClock& left_at(const volatile void* object) {
  const auto address = reinterpret_cast<std::uint64_t>(object);
  Left*& slot = recent[(address ^ (address >> 8)) % 256];
  if (!slot || slot->address != address) slot = find_left(address);
  return slot->clock;
}

// Objects that earlier runs in this process used stay in the table; too many make it slow.
constexpr std::size_t kMaxKept = 1 << 16;

}  // namespace

bool reset_clocks() {
  ++run;
  run_epoch += epoch_count;
  // A run uses at most one epoch for each step, and hardly any run has this many.
  const bool restarts = run_epoch > kLastEpoch / 4 * 3;
  if (restarts) run_epoch = kFirstEpoch;
  epoch_count = 0;
  chunk = used_in_chunk = 0;
  if (objects.size() > kMaxKept) forget_objects();
  ThreadClock& main = thread_clocks[0];
  main = {};
  reserve(main.now, 1);
  main.now.at[0] = 1;
  new_epoch(0);
  main.stack_birth = run_epoch;
  return restarts;
}

void clock_thread_created(Tid child, Tid creator) {
  ThreadClock& clock = thread_clocks[child];
  clock = {};
  reserve(clock.now, std::uint32_t{child} + 1);
  join(clock.now, thread_clocks[creator].now);
  clock.now.at[child] = 1;
  tick(creator);
  new_epoch(child);
  clock.stack_birth = clock.epoch;
}

void clock_thread_joined(Tid ended, Tid joiner) {
  join(thread_clocks[joiner].now, thread_clocks[ended].now);
}

void clock_renew_epoch(Tid thread) { new_epoch(thread); }

void clock_acquire(Tid thread, const volatile void* object) {
  const VectorClock& left = left_at(object);
  if (!is_empty(left)) join(thread_clocks[thread].now, left);
}

void clock_release(Tid thread, const volatile void* object) {
  assign(left_at(object), thread_clocks[thread].now);
  tick(thread);
}

void clock_release_more(Tid thread, const volatile void* object) {
  join(left_at(object), thread_clocks[thread].now);
  tick(thread);
}

void clock_release_unseen(Tid thread) {
  join(unseen, thread_clocks[thread].now);
  tick(thread);
}

void clock_know_all(Tid thread, std::uint32_t threads) {
  for (std::uint32_t t = 0; t < threads; ++t) join(thread_clocks[thread].now, thread_clocks[t].now);
}

void clock_begin_knowing_all(Tid thread, std::uint32_t threads) {
  assign(thread_clocks[thread].kept, thread_clocks[thread].now);
  clock_know_all(thread, threads);
}

void clock_end_knowing_all(Tid thread) {
  ThreadClock& clock = thread_clocks[thread];
  const Time own = clock.now.at[thread];
  assign(clock.now, clock.kept);
  clock.now.at[thread] = own;
}

void clock_clear(const volatile void* object) { left_at(object).run = 0; }

void clock_atomic_load(Tid thread, const volatile void* address, int order) {
  if (acquires(order)) {
    if (__builtin_expect(!is_empty(unseen), 0)) join(thread_clocks[thread].now, unseen);
    return clock_acquire(thread, address);
  }
  const VectorClock& left = left_at(address);
  if (!is_empty(left)) join(thread_clocks[thread].fence_acquire, left);
}

void clock_atomic_store(Tid thread, const volatile void* address, int order) {
  if (releases(order)) return clock_release(thread, address);
  // Ends the release sequence of the old value. The new value carries what a fence released before.
  assign(left_at(address), thread_clocks[thread].fence_release);
}

void clock_atomic_modify(Tid thread, const volatile void* address, int order) {
  ThreadClock& clock = thread_clocks[thread];
  VectorClock& left = left_at(address);
  if (!is_empty(left)) {
    join(acquires(order) ? clock.now : clock.fence_acquire, left);
  }
  // Continues the release sequence, whatever its order.
  if (releases(order)) {
    join(left, clock.now);
    tick(thread);
  } else {
    join(left, clock.fence_release);
  }
}

void clock_fence(Tid thread, int order) {
  ThreadClock& clock = thread_clocks[thread];
  if (acquires(order)) join(clock.now, clock.fence_acquire);
  if (releases(order)) {
    assign(clock.fence_release, clock.now);
    tick(thread);
  }
}

}  // namespace snag::rt
