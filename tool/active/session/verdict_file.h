// Verdicts that are kept in a file, so that the next call goes on where this one stopped.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "tool/base/error.h"

namespace snag::active {

struct StoredVerdict {
  bool confirmed = false;
  bool harmful = false;
  bool explained = false;  // it failed, but another candidate is the reason
  std::uint64_t runs = 0;
  std::uint32_t arrived = 0, together = 0, happened = 0;
  std::string trace;
  std::string consequences;
  std::string signature;  // of the failure that confirmed it
};

// One that was met on the way, or that follows from a race.
struct StoredFailure {
  std::string text, trace;
};

struct Stored {
  std::uint64_t program_hash = 0;
  std::string arguments;
  std::map<std::string, StoredVerdict> verdicts;  // by Candidate::key
  std::map<std::string, StoredFailure> failures;  // by signature
};

// Whether there can be a file of verdicts at this path: before hours of work, not after them.
Expected<void> check_verdict_file(const std::string& path);

// What the file has; nothing for one that is not there, or that is of another program, build or
// arguments. A file that is something else is an error: it is not to be overwritten.
Expected<Stored> read_verdicts(const std::string& path, std::uint64_t program_hash,
                               const std::string& arguments);
Expected<void> write_verdicts(const std::string& path, const Stored& stored);

}  // namespace snag::active
