// System calls that a library makes directly, not through libc: finds the instructions, makes them
// trap, and in the handler does what the kernel would have done.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>

namespace snag {

inline constexpr std::size_t kSystemCallSize = 2;
inline constexpr std::uint8_t kSystemCall[kSystemCallSize] = {0x0f, 0x05};  // syscall
inline constexpr std::uint8_t kTrapCode[kSystemCallSize] = {0x0f, 0x0b};    // ud2: SIGILL

// The length of the instruction at `code`; 0 if there is none. Reads at most 15 bytes.
//
// It only decodes how many bytes follow the opcode. (The tables are in the manual, volume 2,
// appendix A.)
class InstructionLength {
 public:
  explicit constexpr InstructionLength(const std::uint8_t* code) : code_(code) {}

  // Where the displacement of four bytes is that counts from the end of the instruction: that of a
  // jump, a call or an operand in memory. 0: there is none. After get().
  constexpr std::size_t relative_at() const { return relative_at_; }
  // It jumps by a displacement of one byte, at the end of the instruction.
  constexpr bool jumps_shortly() const { return jumps_shortly_; }
  // A jump, and not an operand.
  constexpr bool is_branch() const { return is_branch_ || jumps_shortly_; }

  constexpr std::size_t get() {
    skip_prefixes();
    const std::uint8_t op = take();
    if (op == 0xc4 || op == 0xc5 || op == 0x62) return vector(op);
    if (op == 0x0f) return two_bytes();
    if (is_invalid(op)) return 0;
    if (has_modrm(op)) {
      const std::uint8_t modrm = take_modrm();
      // Of these two only "test" has an immediate operand.
      if ((op == 0xf6 || op == 0xf7) && (modrm >> 3 & 7) < 2) at_ += op == 0xf6 ? 1 : immediate();
    }
    if (op == 0xe8 || op == 0xe9) note_branch();
    jumps_shortly_ = (op >= 0x70 && op <= 0x7f) || (op >= 0xe0 && op <= 0xe3) || op == 0xeb;
    return at_ + immediate_of(op);
  }

 private:
  constexpr std::uint8_t take() { return code_[at_++]; }
  constexpr std::size_t immediate() const { return is_word_ && !is_wide_ ? 2 : 4; }

  constexpr void note_branch() {
    relative_at_ = at_;
    is_branch_ = true;
  }

  constexpr void skip_prefixes() {
    for (;; ++at_) {
      const std::uint8_t byte = code_[at_];
      if (byte == 0x66) {
        is_word_ = true;
      } else if (byte == 0x67) {
        has_short_address_ = true;
      } else if (byte != 0xf0 && byte != 0xf2 && byte != 0xf3 && byte != 0x2e && byte != 0x36 &&
                 byte != 0x3e && byte != 0x26 && byte != 0x64 && byte != 0x65) {
        break;
      }
      if (at_ == 14) break;
    }
    if ((code_[at_] & 0xf0) == 0x40) is_wide_ = (take() & 8) != 0;  // REX
  }

  constexpr std::uint8_t take_modrm() {
    const std::uint8_t modrm = take();
    const int mode = modrm >> 6;
    if (mode == 3) return modrm;
    const int base = (modrm & 7) == 4 ? take() & 7 : modrm & 7;  // with SIB
    if (mode == 1) at_ += 1;
    if (mode == 0 && (modrm & 7) == 5) relative_at_ = at_;
    if (mode == 2 || (mode == 0 && base == 5)) at_ += 4;
    return modrm;
  }

  static constexpr bool is_invalid(std::uint8_t op) {
    return op == 0x06 || op == 0x07 || op == 0x0e || op == 0x16 || op == 0x17 || op == 0x1e ||
           op == 0x1f || op == 0x27 || op == 0x2f || op == 0x37 || op == 0x3f ||
           (op >= 0x60 && op <= 0x62) || op == 0x82 || op == 0x9a || op == 0xce ||
           (op >= 0xd4 && op <= 0xd6) || op == 0xea;
  }
  static constexpr bool has_modrm(std::uint8_t op) {
    if (op < 0x40) return (op & 7) < 4;
    return op == 0x63 || op == 0x69 || op == 0x6b || (op >= 0x80 && op <= 0x8f) || op == 0xc0 ||
           op == 0xc1 || op == 0xc6 || op == 0xc7 || (op >= 0xd0 && op <= 0xd3) ||
           (op >= 0xd8 && op <= 0xdf) || op == 0xf6 || op == 0xf7 || op == 0xfe || op == 0xff;
  }
  constexpr std::size_t immediate_of(std::uint8_t op) const {
    if (op < 0x40) return (op & 7) == 4 ? 1 : (op & 7) == 5 ? immediate() : 0;
    if (op >= 0xb8 && op <= 0xbf) return is_wide_ ? 8 : immediate();
    if (op >= 0xa0 && op <= 0xa3) return has_short_address_ ? 4 : 8;
    if (op == 0x68 || op == 0x69 || op == 0x81 || op == 0xa9 || op == 0xc7) return immediate();
    if (op == 0xe8 || op == 0xe9) return 4;
    if (op == 0xc2 || op == 0xca) return 2;
    if (op == 0xc8) return 3;
    const bool is_byte = op == 0x6a || op == 0x6b || (op >= 0x70 && op <= 0x7f) || op == 0x80 ||
                         op == 0x83 || op == 0xa8 || (op >= 0xb0 && op <= 0xb7) || op == 0xc0 ||
                         op == 0xc1 || op == 0xc6 || op == 0xcd || (op >= 0xe0 && op <= 0xe7) ||
                         op == 0xeb;
    return is_byte ? 1 : 0;
  }

  static constexpr bool vector_immediate(std::uint8_t op) {
    return (op >= 0x70 && op <= 0x73) || op == 0xc2 || (op >= 0xc4 && op <= 0xc6);
  }
  constexpr std::size_t two_bytes() {
    const std::uint8_t op = take();
    if (op == 0x38 || op == 0x3a) {
      take();
      take_modrm();
      return at_ + (op == 0x3a ? 1 : 0);
    }
    if (op >= 0x80 && op <= 0x8f) {
      note_branch();
      return at_ + 4;
    }
    const bool is_alone = (op >= 0x05 && op <= 0x09) || op == 0x0b || op == 0x0e ||
                          (op >= 0x30 && op <= 0x37) || op == 0x77 || (op >= 0xa0 && op <= 0xa2) ||
                          (op >= 0xa8 && op <= 0xaa) || (op >= 0xc8 && op <= 0xcf);
    if (is_alone) return at_;
    take_modrm();
    const bool has_byte =
        vector_immediate(op) || op == 0xa4 || op == 0xac || op == 0xba || op == 0x0f;
    return at_ + (has_byte ? 1 : 0);
  }
  // VEX and EVEX: the map of opcodes is in the prefix.
  constexpr std::size_t vector(std::uint8_t prefix) {
    int map = 1;
    if (prefix == 0xc4) {
      map = take() & 0x1f;
      take();
    } else if (prefix == 0xc5) {
      take();
    } else {
      map = take() & 7;
      take();
      take();
    }
    const std::uint8_t op = take();
    if (map == 1 && op == 0x77) return at_;  // vzeroupper
    take_modrm();
    return at_ + (map == 3 || (map == 1 && vector_immediate(op)) ? 1 : 0);
  }

  const std::uint8_t* code_;
  std::size_t at_ = 0, relative_at_ = 0;
  bool is_branch_ = false, jumps_shortly_ = false;
  bool is_word_ = false, is_wide_ = false, has_short_address_ = false;
};

// Calls found(address) for each instruction that enters the kernel. The code must begin with an
// instruction. The padding between functions is decoded as instructions, too, as a disassembler
// does.
template <class Found>
void for_each_system_call(const std::uint8_t* code, std::size_t size, Found found) {
  constexpr std::size_t kLongest = 16;
  for (std::size_t at = 0; at + kLongest <= size;) {
    const std::uint8_t* here = code + at;
    const std::size_t length = InstructionLength(here).get();
    if (length == kSystemCallSize && here[0] == kSystemCall[0] && here[1] == kSystemCall[1])
      found(here);
    at += length == 0 ? 1 : length;
  }
}

// The system call that the interrupted code was about to make.
struct WantedCall {
  long number;
  long arguments[6];
};
inline WantedCall wanted_call(const void* context) {
  const auto& r = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  return {r[REG_RAX], {r[REG_RDI], r[REG_RSI], r[REG_RDX], r[REG_R10], r[REG_R8], r[REG_R9]}};
}
// The interrupted code continues as if the kernel had returned this.
inline void answer_call(void* context, long result) {
  auto& r = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  r[REG_RAX] = result;
  r[REG_RIP] += kSystemCallSize;
}

}  // namespace snag
