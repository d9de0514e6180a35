#include "runtime/record/step_values.h"

#include <sys/uio.h>

#include "arch/arch.h"

namespace snag::rt {
namespace {

// The value whose `after` is not known yet, and where it lies; null: none.
constinit StepValue* open_value = nullptr;
constinit std::uint64_t open_address = 0;

// Own memory, read by the kernel: false if it is not there. Changes no errno.
bool read_safely(std::uint64_t address, std::uint64_t size, std::uint64_t* value) {
  *value = 0;
  const iovec to{value, size};
  const iovec from{reinterpret_cast<void*>(address), size};
  // Asked each time: a fork has another number than its server.
  const long process = raw_syscall(SYS_getpid);
  return raw_syscall(SYS_process_vm_readv, process, as_arg(&to), 1, as_arg(&from), 1, 0) ==
         static_cast<long>(size);
}

void close_value() {
  if (open_value == nullptr) return;
  if (!read_safely(open_address, open_value->size, &open_value->after)) open_value->size = 0;
  open_value = nullptr;
}

bool only_reads(OpKind kind) { return kind == OpKind::kRead || kind == OpKind::kAtomicLoad; }

}  // namespace

void begin_step_value(StepValue* values, std::uint64_t number, OpKind kind, const void* address,
                      std::uint64_t size) {
  close_value();
  StepValue& value = values[number];
  value = {};
  if (size == 0 || size > sizeof(value.before)) return;
  const auto begin = reinterpret_cast<std::uint64_t>(address);
  if (!read_safely(begin, size, &value.before)) return;
  value.size = static_cast<std::uint8_t>(size);
  value.after = value.before;
  if (only_reads(kind)) return;
  open_value = &value;
  open_address = begin;
}

void end_step_values(std::uint64_t fault_address) {
  // A store that the processor refused has written nothing.
  if (open_value != nullptr && fault_address - open_address < open_value->size) {
    open_value->size = 0;
    open_value = nullptr;
  }
  close_value();
}

void reset_step_values() { open_value = nullptr; }

}  // namespace snag::rt
