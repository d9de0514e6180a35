// A file of verdicts: the next call continues where this one stopped.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "tool/base/error.h"

namespace snag::active {

struct StoredVerdict {
  bool confirmed = false;
  bool harmful = false;
  bool explained = false;  // another candidate is the reason for the failure
  std::uint64_t runs = 0;
  std::uint32_t arrived = 0, together = 0, happened = 0;
  std::string trace;
  std::string consequences;
  std::string signature;  // of the failure that confirmed it
};

// A failure that no candidate predicted, or the consequence of a race.
struct StoredFailure {
  std::string text, trace;
};

struct Stored {
  std::uint64_t program_hash = 0;
  std::string arguments;
  std::map<std::string, StoredVerdict> verdicts;  // by Candidate::key
  std::map<std::string, StoredFailure> failures;  // by signature
};

// Checks that a file of verdicts can be written here: before hours of work, not after them.
Expected<void> check_verdict_file(const std::string& path);

// Reads the file. One that does not exist, or that is about another program, build or arguments,
// has no verdicts. A file of another format is an error: it must not be overwritten.
Expected<Stored> read_verdicts(const std::string& path, std::uint64_t program_hash,
                               const std::string& arguments);
Expected<void> write_verdicts(const std::string& path, const Stored& stored);

}  // namespace snag::active
