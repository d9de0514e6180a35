// Implements protocol/access_groups.h: a plugin for clang that groups the hooks of
// -fsanitize=thread, as protocol/access_groups.h says, and tells weak exchanges from strong ones.
//
// Runs after LLVM's own pass has inserted the hooks of a function, and looks for stretches of code
// with several hooks.
#include <llvm/ADT/Any.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>

#include "plugins/clang/clang_group_writer.h"
#include "plugins/clang/clang_weak_exchange.h"

namespace {

using namespace snag::plugins;

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

// Right before it.
void before_pass(StringRef pass, const Any& unit) {
  if (pass != "ThreadSanitizerPass") return;
  const auto* function = any_cast<const Function*>(&unit);
  if (function && (*function)->hasFnAttribute(Attribute::SanitizeThread))
    call_weak_hooks(const_cast<Function&>(**function));
}

}  // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "snag-groups", "1", [](PassBuilder& builder) {
            PassInstrumentationCallbacks* callbacks = builder.getPassInstrumentationCallbacks();
            if (!callbacks) return;
            callbacks->registerBeforeNonSkippedPassCallback(before_pass);
            callbacks->registerAfterPassCallback(
                [](StringRef pass, Any unit, const PreservedAnalyses&) { after_pass(pass, unit); });
          }};
}
