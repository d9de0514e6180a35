// Copies, compares and removes whole folders; by system calls only, because the process in which
// this runs belongs to the program under test.
#pragma once

#include <cstdint>

namespace snag::rt {

// More than this is not copied again and again.
inline constexpr std::uint64_t kMostCopiedFiles = 10'000;
inline constexpr std::uint64_t kMostCopiedBytes = std::uint64_t{256} << 20;

enum class CopyEnd : std::uint8_t { kDone, kTooBig, kFailed };

// Into a folder that exists and is empty. Shares the data where the file system can. Leaves out
// sockets and devices, and the folder `except` with all that is in it.
CopyEnd copy_folder(const char* from, const char* to, const char* except);

// Changes with every change of a file in the folder.
std::uint64_t state_of_folder(const char* path);

// Whether all that is in it, and the folder itself, belongs to this user and group.
bool is_owned_by(const char* path, unsigned user, unsigned group);

// With all that is in it.
void remove_folder(const char* path);

}  // namespace snag::rt
