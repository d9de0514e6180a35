// Calls a hook of Snag's for each weak compare-exchange of an LLVM function, before LLVM's own pass
// makes a call of them that is the same as for a strong one. So the runtime can let it fail without
// a reason.
#pragma once

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <string>
#include <vector>

namespace snag::plugins {

using namespace llvm;

// Those that LLVM's pass would report: sizes that its hooks have, and memory that threads share.
inline bool is_weak_exchange(const Instruction& instruction) {
  const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
  if (!exchange || !exchange->isWeak() || exchange->getPointerAddressSpace() != 0 ||
      exchange->getSyncScopeID() != SyncScope::System)
    return false;
  const std::uint64_t bits = exchange->getModule()->getDataLayout().getTypeStoreSizeInBits(
      exchange->getNewValOperand()->getType());
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128;
}

// int __snag_atomic<bits>_compare_exchange_weak(address, expected, new value, order, failure): as
// the hooks of g++ for __atomic_compare_exchange.
inline void call_weak_hook(AtomicCmpXchgInst* exchange) {
  Function& function = *exchange->getFunction();
  Module& module = *function.getParent();
  Type* type = exchange->getNewValOperand()->getType();
  const auto bits = static_cast<unsigned>(module.getDataLayout().getTypeStoreSizeInBits(type));
  IRBuilder<> entry(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
  AllocaInst* expected = entry.CreateAlloca(type);
  IRBuilder<> builder(exchange);
  Type* word = builder.getIntNTy(bits);
  Type* pointer = builder.getPtrTy();
  const auto order = [&](AtomicOrdering ordering) {
    return builder.getInt32(static_cast<std::uint32_t>(toCABI(ordering)));
  };
  const FunctionCallee hook = module.getOrInsertFunction(
      "__snag_atomic" + std::to_string(bits) + "_compare_exchange_weak",
      FunctionType::get(builder.getInt32Ty(),
                        {pointer, pointer, word, builder.getInt32Ty(), builder.getInt32Ty()},
                        false));
  builder.CreateStore(exchange->getCompareOperand(), expected)
      ->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(module.getContext(), {}));
  Value* done = builder.CreateCall(
      hook, {exchange->getPointerOperand(), expected,
             builder.CreateBitOrPointerCast(exchange->getNewValOperand(), word),
             order(exchange->getSuccessOrdering()), order(exchange->getFailureOrdering())});
  LoadInst* old = builder.CreateLoad(type, expected);
  old->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(module.getContext(), {}));
  Value* result = builder.CreateInsertValue(PoisonValue::get(exchange->getType()), old, 0);
  result = builder.CreateInsertValue(result, builder.CreateICmpNE(done, builder.getInt32(0)), 1);
  exchange->replaceAllUsesWith(result);
  exchange->eraseFromParent();
}

inline void call_weak_hooks(Function& function) {
  std::vector<AtomicCmpXchgInst*> exchanges;
  for (Instruction& instruction : instructions(function)) {
    if (is_weak_exchange(instruction)) exchanges.push_back(cast<AtomicCmpXchgInst>(&instruction));
  }
  for (AtomicCmpXchgInst* exchange : exchanges) call_weak_hook(exchange);
}

}  // namespace snag::plugins
