#include "runtime/sched/sync_objects.h"

#include "runtime/base/arena.h"

namespace snag::rt {
namespace {

// Objects lie densely in chunks that never move (threads keep pointers to them); the index is
// rebuilt when it is half full. Starts small: each page that a run touches costs a page fault after
// the fork.
constexpr std::uint32_t kChunk = 1024;
constexpr std::uint32_t kMaxChunks = 4096;
constinit SyncObject* chunks[kMaxChunks];
constinit std::uint32_t object_count = 0;

constinit std::uint32_t first_index[1024];
constinit std::uint32_t* index_table = first_index;
constinit std::uint32_t index_mask = 1023;
constinit SyncObject* recent[64];  // by some bits of the address
constinit std::uint64_t ordinal_run = 0;
constinit std::uint32_t next_ordinal = 0;

std::uint32_t hash(std::uint64_t address) {
  return static_cast<std::uint32_t>((address * 0x9e3779b97f4a7c15) >> 40);
}
SyncObject* object_at(std::uint32_t number) { return &chunks[number / kChunk][number % kChunk]; }

void grow_index() {
  const std::uint32_t size = (index_mask + 1) * 4;
  static MmapVector<std::uint32_t> storage;
  storage.clear();
  storage.resize(size);
  index_table = storage.data();
  __builtin_memset(index_table, 0, size * sizeof(std::uint32_t));
  index_mask = size - 1;
  for (std::uint32_t i = 0; i < object_count; ++i) {
    std::uint32_t slot = hash(object_at(i)->address) & index_mask;
    while (index_table[slot] != 0) slot = (slot + 1) & index_mask;
    index_table[slot] = i + 1;
  }
}

void blank(SyncObject* object, std::uint64_t address) {
  if (ordinal_run != sched.run) {
    ordinal_run = sched.run;
    next_ordinal = 0;
  }
  *object = {};
  object->address = address;
  object->run = sched.run;
  object->ordinal = next_ordinal++;
  object->owner = object->hint_thread = kNoTid;
}

// Its slot in the index, or the empty one where it belongs.
[[gnu::always_inline]] inline std::uint32_t slot_of(std::uint64_t address) {
  std::uint32_t slot = hash(address) & index_mask;
  while (index_table[slot] != 0 && object_at(index_table[slot] - 1)->address != address)
    slot = (slot + 1) & index_mask;
  return slot;
}

SyncObject* find(std::uint64_t address) {
  const std::uint32_t slot = slot_of(address);
  if (index_table[slot] != 0) return object_at(index_table[slot] - 1);
  SNAG_CHECK(object_count / kChunk < kMaxChunks,
             "the program uses more than four million synchronisation objects");
  if (object_count % kChunk == 0 && !chunks[object_count / kChunk]) {
    chunks[object_count / kChunk] = map_private<SyncObject>(kChunk);
  }
  SyncObject* object = object_at(object_count);
  index_table[slot] = ++object_count;
  object->run = 0;
  object->address = address;
  if (object_count * 2 > index_mask) grow_index();
  return object;
}

}  // namespace

bool is_known(std::uint64_t address) { return index_table[slot_of(address)] != 0; }

SyncObject* sync_object(const void* address) {
  const auto key = reinterpret_cast<std::uint64_t>(address);
  SyncObject*& slot = recent[(key >> 3) % 64];
  SyncObject* object = slot;
  if (!object || object->address != key) slot = object = find(key);
  if (__builtin_expect(object->run != sched.run, 0)) blank(object, key);
  return object;
}

}  // namespace snag::rt
