// Measures the coverage of a program into a data file, with the kernel's scheduling or under
// control.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "tool/base/error.h"
#include "tool/base/process.h"
#include "tool/coverage/data/data_file.h"
#include "tool/coverage/measure/collector.h"
#include "tool/coverage/measure/cover_store.h"
#include "tool/session/session.h"

namespace snag::coverage {

struct MeasureOptions {
  Program program;
  std::uint64_t program_hash = 0;
  std::string file = kDefaultCoverFile;
  std::uint32_t metrics = metric_bit(Metric::kLocationPairs) | metric_bit(Metric::kLines);
  std::uint32_t context = 0;
  std::set<std::string> ignored;
  std::uint64_t runs = 1;                // 0: no limit
  std::chrono::duration<double> time{};  // 0: no limit
  // For runs under control: what Session needs, without the number of runs. Empty: no control.
  std::optional<session::SessionOptions> control;
};

struct MeasureProgress {
  std::chrono::duration<double> elapsed{};
  std::uint64_t runs = 0, failed = 0;
  Collector::Counts location_pairs;  // of this measurement
};

struct MeasureHooks {
  std::function<void(const MeasureProgress&)> progress = [](const MeasureProgress&) {};
  std::function<int()> interrupted_by = [] { return 0; };  // the signal, or 0
};

struct MeasureResult {
  MeasureProgress totals;
  std::map<std::string, std::uint64_t> failures;  // how failed runs ended
  std::size_t bad_lines = 0;                      // of the existing file
  bool is_interrupted = false;
  std::array<std::uint64_t, Shard::kCountCount> counts{};
  // Before and after, all that is in the file.
  Collector::Counts before, after;
};

Expected<MeasureResult> measure(const MeasureOptions& options, const MeasureHooks& hooks);

// The parts that both ways of running share.
class Measurement {
 public:
  static Expected<std::unique_ptr<Measurement>> begin(const MeasureOptions& options,
                                                      const MeasureHooks& hooks);

  // Collects new data and reports progress, if it is time to.
  Expected<void> look(const binary::ModuleMap& modules);
  // The same, immediately.
  Expected<void> take_over_now(const binary::ModuleMap& modules) {
    return take_over(modules, false);
  }
  // A process has ended: the addresses of the next one have other meanings.
  void end_process(const binary::ModuleMap& modules) {
    collector_.name_variables(store_.get(), modules);
  }
  // A run has ended; `failure` is empty if it succeeded.
  void count_run(const std::string& failure);
  // Collects for the last time, and writes everything.
  Expected<MeasureResult> finish(const binary::ModuleMap& modules);
  void set_runs(std::uint64_t runs) { result_.totals.runs = runs; }
  // Whether to make another run.
  bool goes_on() const;
  bool is_out_of_time() const;

  Store& store() { return store_; }
  const CoverData& data() const { return file_->data(); }
  const MeasureOptions& options() const { return options_; }
  const MeasureHooks& hooks() const { return hooks_; }
  MeasureResult& result() { return result_; }

 private:
  Measurement(const MeasureOptions& options, const MeasureHooks& hooks,
              std::unique_ptr<DataFile> file, Store store);
  Expected<void> take_over(const binary::ModuleMap& modules, bool is_last);
  Error damage() const;

  const MeasureOptions& options_;
  const MeasureHooks& hooks_;
  std::unique_ptr<DataFile> file_;
  Store store_;
  binary::Symbolizer symbolizer_;
  ShardId shard_;
  Collector collector_;
  Clock::time_point begin_, last_look_;
  MeasureResult result_;
};

// The two ways of running.
Expected<void> run_freely(Measurement& measurement, binary::ModuleMap& modules);
Expected<void> run_under_control(Measurement& measurement, binary::ModuleMap& modules);

}  // namespace snag::coverage
