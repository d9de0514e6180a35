// setjmp and its variants: call snag_note_setjmp (runtime/interpose/jump.cc), then jump to libc's
// own, whose addresses are in snag_real_setjmp. They must not have a frame of their own when libc's
// function saves the registers: the frame would be gone at the time of the longjmp.

.macro setjmp_stub name, index
.globl \name
.type \name, @function
\name:
  pushq %rdi
  pushq %rsi
  subq $8, %rsp
  call snag_note_setjmp
  addq $8, %rsp
  popq %rsi
  popq %rdi
  leaq snag_real_setjmp(%rip), %rax
  jmp *8*\index(%rax)
.size \name, .-\name
.endm

.text
setjmp_stub _setjmp, 0
setjmp_stub setjmp, 1
setjmp_stub __sigsetjmp, 2

.section .note.GNU-stack, "", @progbits
