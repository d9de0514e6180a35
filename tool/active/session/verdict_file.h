// The file that keeps verdicts, so that the next call goes on where this one stopped.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "tool/base/error.h"

namespace snag::active {

// Change it with every change that an older reader would misunderstand.
inline constexpr std::uint64_t kVerdictFileVersion = 1;

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

// A failure that was not predicted, or that follows from a race.
struct StoredFailure {
  std::string text, trace;
};

struct Stored {
  std::uint64_t program_hash = 0;
  std::string arguments;
  std::map<std::string, StoredVerdict> verdicts;  // by Candidate::key
  std::map<std::string, StoredFailure> failures;  // by signature
};

// Checks that verdicts can be written to this path: fail early, not after hours of work.
Expected<void> check_verdict_file(const std::string& path);

// Returns the file's verdicts: none if it does not exist, or if it belongs to another program,
// build or arguments. A file in another format is an error, so that it is not overwritten.
Expected<Stored> read_verdicts(const std::string& path, std::uint64_t program_hash,
                               const std::string& arguments);
Expected<void> write_verdicts(const std::string& path, const Stored& stored);

}  // namespace snag::active
