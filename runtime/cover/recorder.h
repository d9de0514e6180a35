// Applies an access to the shadow memory, byte by byte where necessary. Both ways to run share it.
#pragma once

#include <cstdint>

#include "runtime/cover/shadow_cells.h"

namespace snag::rt {

extern CoverStates cover_states;

// Reserves the shadow memory. Returns null, or why that is impossible.
const char* map_cover_planes();

// The memory is reused: it holds other variables from now on.
void cover_forget(const void* address, std::uint64_t size);

class CoverRecorder {
 public:
  CoverRecorder(CoverTransition* transitions, CoverAccess access)
      : transitions_(transitions), access_(access) {}

  void record(std::uint64_t address, std::uint64_t size);
  // As CoverStates::next.
  CoverWord next(CoverWord word, std::uint64_t address, CoverBytes bytes = kWholeWord);

 private:
  void record_bytes(std::uint64_t address, std::uint64_t count);

  CoverTransition* transitions_;
  CoverAccess access_;
  CoverWord from_ = kSplitWord, to_ = 0;  // the last answer
  CoverBytes bytes_ = 0;
};

}  // namespace snag::rt
