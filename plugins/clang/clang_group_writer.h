// Inserts the code that reports groups of hooks into an LLVM function.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <string>

#include "plugins/clang/clang_group_finder.h"

namespace snag::plugins {

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

  // Only if hooks are on. (The block is split behind the call: the debug records of the function's
  // arguments must stay in the first block, since they mean nothing anywhere else.)
  void guard(CallInst* call) {
    Instruction* next = call->getNextNode();
    IRBuilder<> builder(next);
    builder.SetCurrentDebugLocation(call->getDebugLoc());
    Value* on = builder.CreateICmpNE(load_mode(builder), number(snag::kHooksOff));
    call->moveBefore(SplitBlockAndInsertIfThen(on, next, false, mostly_));
  }

  // `quickly`: the program's own code checks the shadow.
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
      // At the last member, one call reports the whole group.
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

  // Returns the instruction before which the code of the other branch goes.
  Instruction* hook_apart(const Group::Member& member, Constant* record, Value* apart) {
    CallInst* old = member.hook.call;
    Instruction *alone, *otherwise;
    SplitBlockAndInsertIfThenElse(apart, old, &alone, &otherwise, rarely_);
    // Like the old one, with the record as an additional argument.
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

  // Checks the shadow of each member, and changes it as this thread did last time. If a shadow word
  // differs from last time, the runtime continues from that member.
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
        // (In this order: see cover_known in runtime/cover/shadow_cells.h.)
        Value* to = memo_at(offsetof(snag::MemberMemo, to));
        Value* from = memo_at(offsetof(snag::MemberMemo, from));
        // The word as it was before last time's change gets the new value; the new value itself
        // stays.
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

}  // namespace snag::plugins
