// A plugin for clang that groups the hooks of -fsanitize=thread, as runtime/access_group.h says.
//
// When LLVM's own pass has inserted the hooks of a function, it looks for stretches of code with
// several of them.
#include <llvm/ADT/Any.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <cstddef>
#include <string>
#include <vector>

#include "runtime/access_group.h"

namespace {

using namespace llvm;

// A hook, and what it tells of.
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

// What is copied or filled is told of word by word if it is not more than this.
constexpr std::uint64_t kMaxBlock = 64;

std::optional<Hook> as_block_hook(CallInst* call, StringRef name) {
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

std::optional<Hook> as_hook(Instruction& instruction) {
  auto* call = dyn_cast<CallInst>(&instruction);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee) return std::nullopt;
  StringRef name = callee->getName();
  if (!name.consume_front("__tsan_")) return std::nullopt;
  if (name.starts_with("mem")) return as_block_hook(call, name);
  const bool writes = name.consume_front("write");
  if (!writes && !name.consume_front("read")) return std::nullopt;
  std::uint64_t size = 0;
  // (Not a range; and bytes and shorts have another kind of shadow.)
  if (name.getAsInteger(10, size) || size < 4) return std::nullopt;
  return Hook{call, {{call->getArgOperand(0), size, writes}}};
}

// Those that are never in a group: of functions, bytes and shorts, and of what is volatile or not
// aligned.
bool is_other_hook(const Instruction& instruction) {
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

// Other threads may learn of what was done before it, or this one of what they did.
bool may_order_threads(const Instruction& instruction) {
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

// Hooks that are told of together, word by word.
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

  // False: there is no room for it.
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

  // The block that comes after this one, once, whatever way is taken: if there is nothing to be
  // told on the ways there.
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

  // So many blocks are looked at; more may be anything.
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

class Rewriter {
 public:
  explicit Rewriter(Module& module)
      : module_(module),
        context_(module.getContext()),
        byte_(Type::getInt8Ty(context_)),
        int_(Type::getInt32Ty(context_)),
        long_(Type::getInt64Ty(context_)),
        pointer_(PointerType::getUnqual(context_)),
        thread_(StructType::get(pointer_, pointer_, long_)),
        mode_(module.getOrInsertGlobal("__snag_hook_mode", byte_)),
        thread_variable_(cast<GlobalVariable>(module.getOrInsertGlobal("__snag_thread", thread_))),
        member_(StructType::get(long_, int_, byte_, byte_, byte_, byte_)) {
    thread_variable_->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
    MDBuilder weights(context_);
    rarely_ = weights.createUnlikelyBranchWeights();
    mostly_ = weights.createLikelyBranchWeights();
  }

  // Only if anybody looks. (The block is split behind the call: what is said there for the debugger
  // of a function's arguments stays in the first block, where alone it means something.)
  void guard(CallInst* call) {
    Instruction* next = call->getNextNode();
    IRBuilder<> builder(next);
    builder.SetCurrentDebugLocation(call->getDebugLoc());
    Value* on = builder.CreateICmpNE(load_mode(builder), number(snag::kHooksOff));
    call->moveBefore(SplitBlockAndInsertIfThen(on, next, false, mostly_));
  }

  // `quickly`: the program's code is to look at the shadow itself.
  void rewrite(const Group& group, bool quickly) {
    if (group.members.size() == 1 && !group.members[0].hook.is_block)
      return guard(group.members[0].hook.call);
    GlobalVariable* data = data_of(group);
    IRBuilder<> builder(group.members[0].hook.call);
    Value* mode = load_mode(builder);
    Value* apart = builder.CreateICmpNE(builder.CreateLoad(byte_, data), mode);
    for (const Group::Member& member : group.members) {
      Instruction* otherwise = hook_apart(member, at(data, offset_of(member.first_record)), apart);
      if (&member != &group.members.back()) continue;
      // At the place of the last one the group stands for all of them.
      IRBuilder<> end(otherwise);
      end.SetCurrentDebugLocation(member.hook.call->getDebugLoc());
      Value* grouped = end.CreateICmpEQ(mode, number(snag::kHooksGrouped));
      Instruction* here = SplitBlockAndInsertIfThen(grouped, otherwise, false, mostly_);
      const DebugLoc& location = member.hook.call->getDebugLoc();
      if (quickly) {
        tell(group, data, here, location);
      } else {
        call_runtime(IRBuilder<>(here), group, at(data, offset_of(0)), location);
      }
    }
    for (const Group::Member& member : group.members) member.hook.call->eraseFromParent();
  }

 private:
  ConstantInt* number(std::uint8_t value) const {
    return ConstantInt::get(cast<IntegerType>(byte_), value);
  }
  Value* load_mode(IRBuilder<>& builder) { return builder.CreateLoad(byte_, mode_); }

  FunctionCallee function(const std::string& name, FunctionType* type) {
    const AttributeList attributes = AttributeList().addFnAttribute(context_, Attribute::NoUnwind);
    return module_.getOrInsertFunction(name, type, attributes);
  }

  static std::size_t offset_of(std::size_t record) {
    return sizeof(snag::AccessGroup) + record * sizeof(snag::GroupMember);
  }
  Constant* at(GlobalVariable* data, std::size_t offset) {
    return ConstantExpr::getInBoundsGetElementPtr(byte_, data, ConstantInt::get(long_, offset));
  }

  // Behind the branch that is taken otherwise is what the result stands before.
  Instruction* hook_apart(const Group::Member& member, Constant* record, Value* apart) {
    CallInst* old = member.hook.call;
    Instruction *alone, *otherwise;
    SplitBlockAndInsertIfThenElse(apart, old, &alone, &otherwise, rarely_);
    // As the old one, with the record as one more argument.
    StringRef name = old->getCalledFunction()->getName();
    name.consume_front("__tsan_");
    std::vector<Value*> arguments(old->args().begin(), old->args().end());
    arguments.push_back(record);
    std::vector<Type*> types;
    for (Value* argument : arguments) types.push_back(argument->getType());
    auto* type = FunctionType::get(old->getType(), types, false);
    auto* call = CallInst::Create(function(("__snag_" + name).str(), type), arguments, "",
                                  alone->getIterator());
    call->setDebugLoc(old->getDebugLoc());
    if (member.hook.is_block) {
      IRBuilder<> builder(otherwise);
      builder.SetCurrentDebugLocation(old->getDebugLoc());
      Value *to = old->getArgOperand(0), *from = old->getArgOperand(1);
      if (name == "memset") {
        builder.CreateMemSet(to, builder.CreateTrunc(from, byte_), old->getArgOperand(2), Align(1));
      } else if (name == "memcpy") {
        builder.CreateMemCpy(to, Align(1), from, Align(1), old->getArgOperand(2));
      } else {
        builder.CreateMemMove(to, Align(1), from, Align(1), old->getArgOperand(2));
      }
    }
    return otherwise;
  }

  Type* type_of(const Group::Record& record) { return record.size == 4 ? int_ : long_; }
  Value* times(IRBuilder<>& builder, Value* value, std::size_t factor) {
    return builder.CreateMul(value, ConstantInt::get(long_, snag::kGroupFactors[factor]));
  }
  Value* cell_of(IRBuilder<>& builder, const Group& group, const Group::Record& record) {
    Value* address = builder.CreatePtrToInt(group.bases[record.base], long_);
    address = builder.CreateAdd(address, ConstantInt::getSigned(long_, record.offset));
    address = builder.CreateXor(address, snag::kPlaneBit);
    address = builder.CreateAdd(address, ConstantInt::get(long_, snag::kPlaneOffset));
    return builder.CreateIntToPtr(address, pointer_);
  }

  // From this member on.
  template <class Builder>
  void call_runtime(Builder&& builder, const Group& group, Value* next, const DebugLoc& location) {
    std::vector<Value*> arguments{next};
    arguments.insert(arguments.end(), group.bases.begin(), group.bases.end());
    const std::vector<Type*> types(arguments.size(), pointer_);
    builder
        .CreateCall(function("__snag_group" + std::to_string(group.bases.size()),
                             FunctionType::get(Type::getVoidTy(context_), types, false)),
                    arguments)
        ->setDebugLoc(location);
  }

  // Looks at the shadow of each member, and changes it as this thread did the last time; if it is
  // not what it was then, the runtime goes on from there.
  void tell(const Group& group, GlobalVariable* data, Instruction* before,
            const DebugLoc& location) {
    BasicBlock* block = before->getParent();
    BasicBlock* end = SplitBlock(block, before);
    Function* function_here = block->getParent();
    BasicBlock* slow = BasicBlock::Create(context_, "", function_here);
    IRBuilder<> builder(slow);
    builder.SetCurrentDebugLocation(location);
    PHINode* next = builder.CreatePHI(pointer_, 4);
    call_runtime(builder, group, next, location);
    builder.CreateBr(end);

    block->getTerminator()->eraseFromParent();
    builder.SetInsertPoint(block);
    const auto go_on_if = [&](Value* condition, Constant* record) {
      BasicBlock* following = BasicBlock::Create(context_, "", function_here, slow);
      builder.CreateCondBr(condition, following, slow, mostly_);
      next->addIncoming(record, builder.GetInsertBlock());
      builder.SetInsertPoint(following);
    };
    Value* thread = builder.CreateThreadLocalAddress(thread_variable_);
    const auto of_thread = [&](Type* type, std::size_t offset) {
      return builder.CreateLoad(type, builder.CreateConstInBoundsGEP1_64(byte_, thread, offset));
    };
    Value* place = builder.CreateZExt(
        builder.CreateLoad(int_, at(data, offsetof(snag::AccessGroup, memo))), long_);
    Value* memo =
        builder.CreatePtrAdd(of_thread(pointer_, offsetof(snag::GroupThread, memos)), place);
    Value* state = builder.CreateLoad(long_, memo);
    BasicBlock* known = BasicBlock::Create(context_, "", function_here, slow);
    BasicBlock* otherwise = BasicBlock::Create(context_, "", function_here, slow);
    builder.CreateCondBr(builder.CreateICmpEQ(state, ConstantInt::get(long_, snag::kMemoKnown)),
                         known, otherwise);
    builder.SetInsertPoint(otherwise);
    if (group.only_reads()) {
      go_on_if(builder.CreateICmpEQ(state, ConstantInt::get(long_, snag::kMemoReads)),
               at(data, offset_of(0)));
      std::size_t factor = snag::kMaxGroupMembers;
      Value* sum = place;
      for (Value* base : group.bases) {
        Value* address = builder.CreatePtrToInt(base, long_);
        place = builder.CreateAdd(place, times(builder, address, factor++));
        sum = builder.CreateAdd(sum, address);
      }
      Value* reading =
          builder.CreateXor(place, of_thread(long_, offsetof(snag::GroupThread, epoch)));
      factor = 0;
      for (const Group::Record& record : group.records) {
        Value* found = builder.CreateLoad(type_of(record), cell_of(builder, group, record));
        reading =
            builder.CreateAdd(reading, times(builder, builder.CreateZExt(found, long_), factor++));
      }
      Value* read = builder.CreateGEP(
          long_, of_thread(pointer_, offsetof(snag::GroupThread, reads)),
          builder.CreateAnd(builder.CreateLShr(sum, 3), (1 << snag::kReadsBits) - 1));
      builder.CreateCondBr(builder.CreateICmpEQ(builder.CreateLoad(long_, read), reading), end,
                           slow, mostly_);
    } else {
      builder.CreateBr(slow);
    }
    next->addIncoming(at(data, offset_of(0)), builder.GetInsertBlock());
    builder.SetInsertPoint(known);
    Value* low_bits = nullptr;
    for (Value* base : group.bases) {
      Value* bits = builder.CreatePtrToInt(base, long_);
      low_bits = low_bits ? builder.CreateOr(low_bits, bits) : bits;
    }
    go_on_if(builder.CreateICmpEQ(builder.CreateAnd(low_bits, 3), ConstantInt::get(long_, 0)),
             at(data, offset_of(0)));
    for (std::size_t i = 0; i < group.records.size(); ++i) {
      {
        Type* type = type_of(group.records[i]);
        Value* cell = cell_of(builder, group, group.records[i]);
        const auto memo_at = [&](std::size_t offset) {
          return builder.CreateLoad(
              type,
              builder.CreateConstInBoundsGEP1_64(
                  byte_, memo, sizeof(snag::GroupMemo) + i * sizeof(snag::MemberMemo) + offset));
        };
        Value* found = builder.CreateLoad(type, cell);
        // (In this order: see cover_known in runtime/cover_cells.h.)
        Value* to = memo_at(offsetof(snag::MemberMemo, to));
        Value* from = memo_at(offsetof(snag::MemberMemo, from));
        // What was changed then, or what that became, which stays as it is.
        BasicBlock* change = BasicBlock::Create(context_, "", function_here, slow);
        BasicBlock* other = BasicBlock::Create(context_, "", function_here, slow);
        BasicBlock* done = BasicBlock::Create(context_, "", function_here, slow);
        builder.CreateCondBr(builder.CreateICmpEQ(found, from), change, other);
        builder.SetInsertPoint(change);
        builder.CreateStore(to, cell);
        builder.CreateBr(done);
        builder.SetInsertPoint(other);
        builder.CreateCondBr(builder.CreateICmpEQ(found, to), done, slow, mostly_);
        next->addIncoming(at(data, offset_of(i)), other);
        builder.SetInsertPoint(done);
      }
    }
    builder.CreateBr(end);
  }

  GlobalVariable* data_of(const Group& group) {
    std::vector<Constant*> members;
    for (const Group::Record& record : group.records) {
      const std::uint8_t flags =
          (record.writes ? snag::kMemberWrites : 0) | (record.size == 4 ? snag::kMemberIsHalf : 0);
      members.push_back(ConstantStruct::get(
          member_, {ConstantInt::get(long_, 0), ConstantInt::getSigned(int_, record.offset),
                    number(record.base), number(static_cast<std::uint8_t>(members.size())),
                    number(record.part), number(flags)}));
    }
    auto* array = ArrayType::get(member_, members.size());
    Constant* value = ConstantStruct::getAnon(
        {number(snag::kHooksOff), number(static_cast<std::uint8_t>(members.size())),
         number(static_cast<std::uint8_t>(group.bases.size())), number(0),
         ConstantInt::get(int_, 0), ConstantArray::get(array, members)});
    auto* data = new GlobalVariable(module_, value->getType(), false, GlobalValue::PrivateLinkage,
                                    value, "snag_group");
    data->setAlignment(Align(8));
    return data;
  }

  Module& module_;
  LLVMContext& context_;
  Type *byte_, *int_, *long_, *pointer_;
  StructType* thread_;
  Constant* mode_;
  GlobalVariable* thread_variable_;
  StructType* member_;
  MDNode *rarely_, *mostly_;
};

// The hook of the function's entry comes before its variables, which must stay in the first
// block: elsewhere each would be memory that is allocated at run time.
void keep_variables_in_front(BasicBlock& entry) {
  std::vector<AllocaInst*> variables;
  for (Instruction& instruction : entry) {
    auto* variable = dyn_cast<AllocaInst>(&instruction);
    if (variable && variable->isStaticAlloca()) variables.push_back(variable);
  }
  for (AllocaInst* variable : reverse(variables))
    variable->moveBefore(entry, entry.getFirstInsertionPt());
}

void group_hooks(Function& function) {
  const std::vector<Group> groups = Grouper(function).groups();
  Rewriter rewriter(*function.getParent());
  std::vector<CallInst*> others;
  for (Instruction& instruction : instructions(function)) {
    if (is_other_hook(instruction) && !as_hook(instruction))
      others.push_back(cast<CallInst>(&instruction));
  }
  keep_variables_in_front(function.getEntryBlock());
  std::size_t records = 0;
  for (const Group& each : groups) records += each.records.size();
  const bool is_small = records <= snag::kMaxSmallFunction;
  for (const Group& each : groups) rewriter.rewrite(each, is_small || each.is_in_loop);
  for (CallInst* call : others) rewriter.guard(call);
}

// Right after LLVM's own pass has inserted the hooks of a function. (A pass of a plugin comes
// before those of the sanitizers, so it cannot be one.)
void after_pass(StringRef pass, const Any& unit) {
  if (pass != "ThreadSanitizerPass") return;
  const auto* function = any_cast<const Function*>(&unit);
  if (!function || (*function)->hasOptNone() ||
      !(*function)->hasFnAttribute(Attribute::SanitizeThread))
    return;
  group_hooks(const_cast<Function&>(**function));
}

}  // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "snag-groups", "1", [](PassBuilder& builder) {
            PassInstrumentationCallbacks* callbacks = builder.getPassInstrumentationCallbacks();
            if (!callbacks) return;
            callbacks->registerAfterPassCallback(
                [](StringRef pass, Any unit, const PreservedAnalyses&) { after_pass(pass, unit); });
          }};
}
