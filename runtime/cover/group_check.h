// Groups of accesses (protocol/access_groups.h) in a program that runs freely and is measured.
#pragma once

#include "protocol/access_groups.h"
#include "runtime/cover/shadow_cells.h"

namespace snag::rt {

// One or more members were reported by their own hook, at `pc`. Once all of them were, the group is
// known.
void know_members(GroupMember* first, std::uint64_t count, std::uint64_t pc);

// This member and those after it, of a known group: the check in the program's code missed.
void cover_members(const GroupMember* next, const std::uint64_t* bases);

// For threads that are not known yet.
[[gnu::visibility("hidden")]] extern char no_memos[kCoverMemos];

}  // namespace snag::rt
