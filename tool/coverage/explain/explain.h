// Explains why pairs of a data file are not covered: traces some controlled runs of the program and
// examines what they say about the pairs (see tool/coverage/explain/proposals.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tool/coverage/data/data_file.h"
#include "tool/coverage/data/wording.h"
#include "tool/coverage/explain/proposals.h"
#include "tool/coverage/measure/traced_runs.h"

namespace snag::coverage {

struct ExplainOptions {
  std::uint64_t program_hash = 0;
  std::string file = kDefaultCoverFile;
  TracedRunsOptions runs;
};

struct ExplainedPair {
  std::uint32_t pair = 0;  // in the data
  PairFacts facts;
  std::string reason;                    // why it cannot be covered; empty: not known
  std::vector<std::string> both_locks;   // "mutex, taken at q.cc:12 and at q.cc:30"
  std::vector<std::string> first_locks;  // all that were held there, by their places
  std::vector<std::string> second_locks;
};

struct Explanation {
  std::unique_ptr<DataFile> file;  // with the proposals in it, not written yet
  std::vector<ExplainedPair> pairs;
  std::vector<std::uint32_t> possible;  // pairs of the data that a run showed to be possible
  std::uint64_t uncovered = 0;          // location pairs in the file
  std::uint64_t now_covered = 0;        // of them: by the traced runs
  std::uint64_t unseen = 0;             // of them: no traced run had both accesses
  std::uint64_t runs = 0, failed = 0;
  bool is_cut = false;  // the trace was full: it does not have all of the runs
};

Expected<Explanation> explain(const ExplainOptions& options);

// The explanation as text: one paragraph for each pair.
std::string explanation_text(const Explanation& explanation, const CoverData& data);

}  // namespace snag::coverage
