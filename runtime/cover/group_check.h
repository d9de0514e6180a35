// Groups of accesses (protocol/access_groups.h) in a program that runs freely and is measured.
#pragma once

#include "protocol/access_groups.h"
#include "runtime/cover/shadow_cells.h"

namespace snag::rt {

// Some members are reported by their own hook, from the place `pc`. When all of them were, the
// group is known.
void know_members(GroupMember* first, std::uint64_t count, std::uint64_t pc);

// This member and those after it, of a group that is known: the program's code did not know what
// becomes of the shadow.
void cover_members(const GroupMember* next, const std::uint64_t* bases);

// Of threads that are not known yet.
[[gnu::visibility("hidden")]] extern char no_memos[kCoverMemos];

}  // namespace snag::rt
