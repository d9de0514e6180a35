// See stack_switch.h. The frame that a switch leaves, from the saved stack pointer (gdb/snag_arch.py
// reads it): mxcsr (4), x87 control word (2), r15, r14, r13, r12, rbx, rbp, return address. The
// control registers are only loaded when they differ: programs that never call fesetround pay
// nothing.
//
// The order of instructions is worth a sixth of the time of a switch: wrfsbase waits for everything
// before it, so it comes first and the rest as late as possible. In between, a signal finds the
// stack of one thread and the FS base of another, as it would the other way round: handlers use
// neither before they have looked up the current thread.

.macro save_registers
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  subq $8, %rsp
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
.endm

.text
.globl snag_switch_stacks
.hidden snag_switch_stacks
.type snag_switch_stacks, @function
snag_switch_stacks:
  .cfi_startproc
  prefetcht0 (%rsi)
  wrfsbase %rdx
  save_registers
  movl (%rsp), %eax
  movzwl 4(%rsp), %ecx
  movq %rsp, (%rdi)
  movq (%rsi), %rsp
  cmpl (%rsp), %eax
  jne 2f
  cmpw 4(%rsp), %cx
  jne 2f
1:
  addq $8, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
2:
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
  jmp 1b
  .cfi_endproc
.size snag_switch_stacks, .-snag_switch_stacks

.globl snag_park_and_exit
.hidden snag_park_and_exit
.type snag_park_and_exit, @function
snag_park_and_exit:
  .cfi_startproc
  save_registers
  movq %rsp, (%rdi)
  movl $60, %eax  // SYS_exit
  xorl %edi, %edi
  syscall
  hlt
  .cfi_endproc
.size snag_park_and_exit, .-snag_park_and_exit

.section .note.GNU-stack, "", @progbits
