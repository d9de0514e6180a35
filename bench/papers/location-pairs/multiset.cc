// A test of the multiset for each of its erroneous variants: four or five threads with one or two
// operations each, on one or two slots. What comes out is checked in the end, by conditions that
// hold for any multiset: what was inserted and not deleted is in it, and nothing else ever was.
#include "multiset.h"

#include <array>
#include <thread>
#include <vector>

namespace {

constexpr int kMaxThreads = 5;
constexpr int kMaxOperations = 2;
constexpr int kValues = 8;  // elements are 1 to 7

struct Operation {
  enum Kind { kNone, kInsert, kInsertPair, kDelete, kLookUp } kind = kNone;
  int x = 0, y = 0;
};

constexpr Operation Insert(int x) { return {Operation::kInsert, x}; }
constexpr Operation InsertPair(int x, int y) { return {Operation::kInsertPair, x, y}; }
constexpr Operation Delete(int e) { return {Operation::kDelete, e}; }
constexpr Operation LookUp(int e) { return {Operation::kLookUp, e}; }

struct Test {
  int capacity;
  std::array<int, 2> initially;  // what is in the slots; 0 is nothing
  Operation operations[kMaxThreads][kMaxOperations];
};

constexpr Test TestOf(Variant variant) {
  switch (variant) {
    case Variant::kMutant6:
      return {2,
              {7, 1},
              {{Insert(2)},
               {Insert(3)},
               {LookUp(2), LookUp(3)},
               {LookUp(3), LookUp(2)},
               {LookUp(5), Delete(1)}}};
    case Variant::kMutant9:
      return {2, {7, 0}, {{Delete(1)}, {Delete(1)}, {Insert(2)}, {LookUp(5), Insert(1)}}};
    case Variant::kMutant14:
      return {2,
              {1, 4},
              {{InsertPair(2, 3)},
               {LookUp(2)},
               {LookUp(3)},
               {LookUp(1), Delete(1)},
               {LookUp(5), Delete(4)}}};
    case Variant::kMutant15:
      return {2, {0, 7}, {{InsertPair(1, 2)}, {Insert(3)}, {LookUp(1)}, {Insert(4)}, {Delete(3)}}};
    case Variant::kSplitPair:
      return {2,
              {0, 0},
              {{InsertPair(1, 2)}, {LookUp(2), LookUp(1)}, {LookUp(1), LookUp(2)}, {LookUp(3)}}};
    case Variant::kSeeded1:
      return {
          2, {1, 7}, {{Insert(2), Insert(3)}, {Insert(4), Insert(5)}, {LookUp(2)}, {Delete(1)}}};
    case Variant::kSeeded2:
      return {2, {7, 1}, {{Delete(2)}, {Insert(2)}, {LookUp(1)}, {LookUp(5), Delete(1)}}};
    case Variant::kSeeded3:
      return {2,
              {1, 4},
              {{InsertPair(2, 3)}, {Delete(1)}, {LookUp(2)}, {LookUp(5), Delete(1)}, {Delete(4)}}};
    case Variant::kSeeded4:
      return {2, {0, 7}, {{InsertPair(1, 2)}, {Insert(3)}, {LookUp(1)}, {Insert(4)}, {Delete(3)}}};
  }
}

constexpr Test kTest = TestOf(kVariant);

Multiset multiset(kTest.capacity);
bool results[kMaxThreads][kMaxOperations];

bool Perform(const Operation& operation) {
  switch (operation.kind) {
    case Operation::kInsert:
      return multiset.Insert(operation.x);
    case Operation::kInsertPair:
      return multiset.InsertPair(operation.x, operation.y);
    case Operation::kDelete:
      return multiset.Delete(operation.x);
    case Operation::kLookUp:
      return multiset.LookUp(operation.x);
    case Operation::kNone:
      break;
  }
  return false;
}

void RunThread(int thread) {
  for (int i = 0; i < kMaxOperations; ++i)
    results[thread][i] = Perform(kTest.operations[thread][i]);
}

// How often each element was inserted and deleted, going by what the operations returned.
struct Counts {
  int inserted[kValues] = {};
  int deleted[kValues] = {};
};

[[gnu::noinline]] Counts CheckedCounts() {
  Counts counts;
  for (int x : kTest.initially) ++counts.inserted[x];
  for (int thread = 0; thread < kMaxThreads; ++thread) {
    for (int i = 0; i < kMaxOperations; ++i) {
      const Operation& operation = kTest.operations[thread][i];
      if (!results[thread][i]) continue;
      if (operation.kind == Operation::kDelete) ++counts.deleted[operation.x];
      if (operation.kind == Operation::kInsert || operation.kind == Operation::kInsertPair)
        ++counts.inserted[operation.x];
      if (operation.kind == Operation::kInsertPair) ++counts.inserted[operation.y];
    }
  }
  return counts;
}

[[gnu::noinline]] void CheckEndState(const Counts& counts) {
  int found[kValues] = {};
  for (int i = 0; i < multiset.capacity(); ++i) {
    const int element = multiset.slot(i).element;
    const bool valid = multiset.slot(i).valid;
    CHECK(valid == (element != Multiset::kNothing));
    if (valid) ++found[element];
  }
  for (int x = 1; x < kValues; ++x) CHECK(found[x] == counts.inserted[x] - counts.deleted[x]);
}

[[gnu::noinline]] void CheckReturnValues(const Counts& counts) {
  for (int thread = 0; thread < kMaxThreads; ++thread) {
    for (int i = 0; i < kMaxOperations; ++i) {
      const Operation& operation = kTest.operations[thread][i];
      if (operation.kind == Operation::kLookUp && results[thread][i])
        CHECK(counts.inserted[operation.x] > 0);
    }
  }
}

// Where nothing is deleted: whoever has seen one element of a pair sees the other.
[[gnu::noinline]] void CheckPairs() {
  if (kVariant != Variant::kSplitPair) return;
  for (int thread = 0; thread < kMaxThreads; ++thread) {
    const Operation* operations = kTest.operations[thread];
    if (operations[0].kind == Operation::kLookUp && operations[1].kind == Operation::kLookUp)
      CHECK(!results[thread][0] || results[thread][1]);
  }
}

}  // namespace

int main() {
  for (int i = 0; i < kTest.capacity; ++i)
    if (kTest.initially[i] != 0) multiset.Put(i, kTest.initially[i]);

  std::vector<std::thread> threads;
  for (int thread = 0; thread < kMaxThreads; ++thread)
    if (kTest.operations[thread][0].kind != Operation::kNone)
      threads.emplace_back(RunThread, thread);
  for (std::thread& thread : threads) thread.join();

  const Counts counts = CheckedCounts();
  CheckEndState(counts);
  CheckReturnValues(counts);
  CheckPairs();
}
