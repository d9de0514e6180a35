// Finds hooks that can be reported as a group, in an LLVM function.
#pragma once

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "protocol/access_groups.h"

namespace snag::plugins {

using namespace llvm;

// A hook, and the access that it reports.
struct Hook {
  struct Access {
    Value* address;
    std::uint64_t bytes;
    bool writes;
  };
  CallInst* call;
  std::vector<Access> accesses;
  bool is_block = false;  // of memory: the call also copies or fills it
};

// Copies and fills up to this size are reported word by word.
inline constexpr std::uint64_t kMaxBlock = 64;

inline std::optional<Hook> as_block_hook(CallInst* call, StringRef name) {
  const bool copies = name == "memcpy" || name == "memmove";
  if ((!copies && name != "memset") || !call->use_empty()) return std::nullopt;
  const auto* size = dyn_cast<ConstantInt>(call->getArgOperand(2));
  if (!size) return std::nullopt;
  const std::uint64_t bytes = size->getZExtValue();
  if (bytes == 0 || bytes > kMaxBlock || bytes % 4 != 0) return std::nullopt;
  Hook hook{call, {}, true};
  if (copies) hook.accesses.push_back({call->getArgOperand(1), bytes, false});
  hook.accesses.push_back({call->getArgOperand(0), bytes, true});
  return hook;
}

inline std::optional<Hook> as_hook(Instruction& instruction) {
  auto* call = dyn_cast<CallInst>(&instruction);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee) return std::nullopt;
  StringRef name = callee->getName();
  if (!name.consume_front("__tsan_")) return std::nullopt;
  if (name.starts_with("mem")) return as_block_hook(call, name);
  const bool writes = name.consume_front("write");
  if (!writes && !name.consume_front("read")) return std::nullopt;
  std::uint64_t size = 0;
  // (Not a range. Bytes and shorts have another kind of shadow.)
  if (name.getAsInteger(10, size) || size < 4) return std::nullopt;
  return Hook{call, {{call->getArgOperand(0), size, writes}}};
}

// Hooks that are never in a group: those of functions, of bytes and shorts, and of volatile or
// unaligned accesses.
inline bool is_other_hook(const Instruction& instruction) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  StringRef name = callee ? callee->getName() : "";
  if (!name.consume_front("__tsan_")) return false;
  if (name == "func_entry" || name == "func_exit") return true;
  name.consume_front("unaligned_");
  name.consume_front("volatile_");
  std::uint64_t size = 0;
  return (name.consume_front("read") || name.consume_front("write")) &&
         !name.getAsInteger(10, size);
}

// It may synchronise: publish what this thread did before it, or acquire what other threads did.
inline bool may_order_threads(const Instruction& instruction) {
  if (instruction.isAtomic()) return true;
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (!call) return false;
  if (call->isInlineAsm()) return true;
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(call)) {
    if (intrinsic->isAssumeLikeIntrinsic()) return false;
  }
  return !(call->doesNotAccessMemory() && call->doesNotThrow() &&
           call->hasFnAttr(Attribute::WillReturn));
}

// Hooks that are reported as a group, word by word.
struct Group {
  struct Member {
    Hook hook;
    std::size_t first_record;
  };
  struct Record {
    std::uint8_t base;
    std::int32_t offset;
    std::uint8_t size;  // 4 or 8
    bool writes;
    std::uint8_t part;  // see snag::GroupMember
  };
  std::vector<Member> members;
  std::vector<Record> records;
  std::vector<Value*> bases;
  bool is_in_loop = false;

  // Returns false if there is no room for it.
  bool add(const Hook& hook, ScalarEvolution& evolution) {
    const std::size_t old_records = records.size(), old_bases = bases.size();
    for (const Hook::Access& access : hook.accesses) {
      if (add(access, hook.is_block, evolution)) continue;
      records.resize(old_records);
      bases.resize(old_bases);
      return false;
    }
    members.push_back({hook, old_records});
    return true;
  }

  bool only_reads() const {
    return none_of(records, [](const Record& record) { return record.writes; });
  }

 private:
  bool add(const Hook::Access& access, bool is_block, ScalarEvolution& evolution) {
    const auto place = find_base(access.address, access.bytes, evolution);
    if (!place) return false;
    std::uint8_t part = 0;
    for (std::uint64_t done = 0; done < access.bytes;) {
      if (records.size() == snag::kMaxGroupMembers) return false;
      const std::uint8_t size = access.bytes - done >= 8 ? 8 : 4;
      if (is_block) ++part;
      records.push_back({place->first, static_cast<std::int32_t>(place->second + done), size,
                         access.writes, part});
      done += size;
    }
    return true;
  }

  std::optional<std::pair<std::uint8_t, std::int64_t>> find_base(Value* address,
                                                                 std::uint64_t bytes,
                                                                 ScalarEvolution& evolution) {
    const SCEV* wanted = evolution.getSCEV(address);
    for (std::size_t i = 0; i < bases.size(); ++i) {
      const auto* distance =
          dyn_cast<SCEVConstant>(evolution.getMinusSCEV(wanted, evolution.getSCEV(bases[i])));
      if (!distance || !distance->getAPInt().isSignedIntN(31)) continue;
      const std::int64_t offset = distance->getAPInt().getSExtValue();
      if (offset % 4 == 0 && isInt<32>(offset + static_cast<std::int64_t>(bytes)))
        return std::pair(static_cast<std::uint8_t>(i), offset);
    }
    if (bases.size() == snag::kMaxGroupBases) return std::nullopt;
    bases.push_back(address);
    return std::pair(static_cast<std::uint8_t>(bases.size() - 1), std::int64_t{0});
  }
};

// Finds the groups of a function: hooks one after the other, in a block or in a chain of blocks
// each of which is always followed by the next, with nothing in between that may order threads.
class Grouper {
 public:
  explicit Grouper(Function& function)
      : function_(function),
        library_data_(Triple(function.getParent()->getTargetTriple())),
        library_(library_data_, &function),
        assumptions_(function),
        dominators_(function),
        post_dominators_(function),
        loops_(dominators_),
        evolution_(function, library_, assumptions_, dominators_, loops_) {}

  std::vector<Group> groups() {
    for (BasicBlock* block : ReversePostOrderTraversal<Function*>(&function_)) {
      if (!done_.contains(block)) chain(block);
    }
    return std::move(groups_);
  }

 private:
  void chain(BasicBlock* block) {
    while (block) {
      done_.insert(block);
      add(*block);
      block = group_.members.empty() ? nullptr : following(block);
    }
    finish();
  }

  void add(BasicBlock& block) {
    for (Instruction& instruction : block) {
      if (const auto hook = as_hook(instruction)) {
        if (!group_.add(*hook, evolution_)) {
          finish();
          group_.add(*hook, evolution_);
        }
      } else if (may_order_threads(instruction)) {
        finish();
      }
    }
  }

  void finish() {
    if (group_.members.empty()) return;
    const BasicBlock* block = group_.members[0].hook.call->getParent();
    group_.is_in_loop = loops_.getLoopFor(block) != nullptr;
    groups_.push_back(std::move(group_));
    group_ = {};
  }

  // The block that follows this one exactly once on every path, if no path to it reports anything.
  BasicBlock* following(BasicBlock* block) {
    const auto* node = post_dominators_.getNode(block);
    BasicBlock* next = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    if (!next || done_.contains(next) || !dominators_.dominates(block, next)) return nullptr;
    SmallPtrSet<BasicBlock*, kMaxBetween> between;
    SmallVector<BasicBlock*, kMaxBetween> to_do(successors(block));
    while (!to_do.empty()) {
      BasicBlock* one = to_do.pop_back_val();
      if (one == next || !between.insert(one).second) continue;
      if (one == block || between.size() > kMaxBetween || !is_quiet(*one)) return nullptr;
      to_do.append(succ_begin(one), succ_end(one));
    }
    return comes_back(next, block) ? nullptr : next;
  }

  // Whether the block may be executed again without the other one in between.
  static bool comes_back(BasicBlock* block, BasicBlock* without) {
    SmallPtrSet<BasicBlock*, 32> seen;
    SmallVector<BasicBlock*, 32> to_do{block};
    while (!to_do.empty()) {
      for (BasicBlock* one : successors(to_do.pop_back_val())) {
        if (one == block || seen.size() == kMaxAround) return true;
        if (one != without && seen.insert(one).second) to_do.push_back(one);
      }
    }
    return false;
  }

  static bool is_quiet(BasicBlock& block) {
    return none_of(block, [](Instruction& each) { return may_order_threads(each); });
  }

  // Examines at most this many blocks; beyond that it assumes the worst.
  static constexpr unsigned kMaxBetween = 16, kMaxAround = 256;
  Function& function_;
  TargetLibraryInfoImpl library_data_;
  TargetLibraryInfo library_;
  AssumptionCache assumptions_;
  DominatorTree dominators_;
  PostDominatorTree post_dominators_;
  LoopInfo loops_;
  ScalarEvolution evolution_;
  SmallPtrSet<BasicBlock*, 32> done_;
  std::vector<Group> groups_;
  Group group_;
};

}  // namespace snag::plugins
