#include "tool/coverage/measure/measure.h"

#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>

#include "protocol/damage.h"
#include "tool/base/number_text.h"
#include "tool/coverage/measure/ignore.h"

namespace snag::coverage {
namespace {

// At most this much is lost if the tool itself is killed.
constexpr milliseconds kLookInterval{1'000};

Shard new_shard(const MeasureOptions& options) {
  Shard shard;
  if (getrandom(&shard.id, sizeof(shard.id), 0) != sizeof(shard.id))
    shard.id =
        static_cast<std::uint64_t>(getpid()) << 32 ^ static_cast<std::uint64_t>(time(nullptr));
  shard.begin_ms = static_cast<std::uint64_t>(
      std::chrono::duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch())
          .count());
  shard.is_controlled = options.control.has_value();
  shard.metrics = options.metrics;
  return shard;
}

Collector::Counts location_pairs_of(const CoverData& data) {
  Collector::Counts counts;
  for (const Pair& pair : data.pairs()) {
    if (pair.metric != Metric::kLocationPairs) continue;
    ++counts.target;
    counts.covered += pair.is_covered() ? 1 : 0;
  }
  return counts;
}

Expected<std::vector<ModulePc>> find_ignored(const MeasureOptions& options) {
  if (options.ignored.empty()) return std::vector<ModulePc>();
  binary::Symbolizer symbolizer;
  CoverData data;
  Places places(data, symbolizer);
  return Ignored(data, places, options.ignored).find(options.program.path);
}

}  // namespace

Expected<std::unique_ptr<Measurement>> Measurement::begin(const MeasureOptions& options,
                                                          const MeasureHooks& hooks) {
  auto ignored = find_ignored(options);
  if (!ignored) return tl::unexpected(ignored.error());
  CoverConfig config{};
  config.metrics = options.metrics;
  config.context = options.context;
  config.target = 1;
  auto store = Store::create(config, *ignored);
  if (!store) return tl::unexpected(store.error());
  auto file = DataFile::open(
      options.file, {options.program.path, options.program_hash, options.context, options.ignored});
  if (!file) return tl::unexpected(file.error());
  if (!(*file)->data().add_module(options.program.path, options.program_hash, false))
    return internal_error("the program is in the data file with another hash");
  return std::unique_ptr<Measurement>(
      new Measurement(options, hooks, std::move(*file), std::move(*store)));
}

Measurement::Measurement(const MeasureOptions& options, const MeasureHooks& hooks,
                         std::unique_ptr<DataFile> file, Store store)
    : options_(options),
      hooks_(hooks),
      file_(std::move(file)),
      store_(std::move(store)),
      shard_(file_->data().add_shard(new_shard(options))),
      collector_(file_->data(), shard_, symbolizer_),
      begin_(Clock::now()),
      last_look_(begin_) {
  result_.bad_lines = file_->bad_lines();
  result_.before = location_pairs_of(file_->data());
}

bool Measurement::is_out_of_time() const {
  return options_.time.count() > 0 && Clock::now() - begin_ >= options_.time;
}

bool Measurement::goes_on() const {
  if (hooks_.interrupted_by() != 0 || is_out_of_time() || store_.is_overwritten()) return false;
  return options_.runs == 0 || result_.totals.runs < options_.runs;
}

void Measurement::count_run(const std::string& failure) {
  ++result_.totals.runs;
  if (failure.empty()) return;
  ++result_.totals.failed;
  ++result_.failures[failure];
}

Expected<void> Measurement::take_over(const binary::ModuleMap& modules, bool is_last) {
  if (store_.is_overwritten()) return tl::unexpected(damage());
  const CoverStore& from = store_.get();
  if (auto collected = collector_.collect(from, modules); !collected)
    return tl::unexpected(collected.error());
  if (is_last) {
    collector_.add_unexecuted();
    file_->data().is_complete = true;
  }
  Shard shard = file_->data().shards()[shard_];
  shard.counts = {static_cast<std::uint64_t>(result_.totals.elapsed.count() * 1e6),
                  result_.totals.runs,
                  result_.totals.failed,
                  from.calls.load(),
                  from.lost_locations.load(),
                  from.lost_pairs.load(),
                  from.lost_threads.load(),
                  from.lost_variables.load()};
  file_->data().add_shard(shard);
  result_.totals.location_pairs = collector_.location_pairs();
  return file_->append(is_last);
}

Error Measurement::damage() const {
  std::string message = kDamaged;
  for (const auto& [what, count] : result_.failures)
    message += fmt::format("; besides, the program {} in {}", what, counted(count, "run", "runs"));
  return {ErrorKind::kNothingRan, message};
}

Expected<void> Measurement::look(const binary::ModuleMap& modules) {
  const auto now = Clock::now();
  result_.totals.elapsed = now - begin_;
  if (now - last_look_ >= kLookInterval) {
    if (auto taken = take_over(modules, false); !taken) return taken;
    // A program with much new data is not polled again immediately.
    last_look_ = Clock::now();
  }
  hooks_.progress(result_.totals);
  return {};
}

Expected<MeasureResult> Measurement::finish(const binary::ModuleMap& modules) {
  result_.totals.elapsed = Clock::now() - begin_;
  if (store_.is_overwritten()) {
    file_->abandon();
    return tl::unexpected(damage());
  }
  const CoverStore& from = store_.get();
  if (from.location_count.load() <= 1) {
    file_->abandon();
    const std::string reason = session::bounded_string(from.message, sizeof(from.message));
    if (!reason.empty()) return nothing_ran(reason);
    return nothing_ran(fmt::format(
        "nothing of '{}' was measured: was it built with this version of snag c++, and does its "
        "own code run?",
        options_.program.path));
  }
  if (auto taken = take_over(modules, true); !taken) return tl::unexpected(taken.error());
  result_.counts = file_->data().shards()[shard_].counts;
  result_.after = location_pairs_of(file_->data());
  return std::move(result_);
}

Expected<MeasureResult> measure(const MeasureOptions& options, const MeasureHooks& hooks) {
  auto measurement = Measurement::begin(options, hooks);
  if (!measurement) return tl::unexpected(measurement.error());
  binary::ModuleMap modules;
  const auto run = options.control ? run_under_control : run_freely;
  const Expected<void> ran = run(**measurement, modules);
  // Data that was measured before something went wrong also counts.
  auto result = (*measurement)->finish(modules);
  if (!ran) return tl::unexpected(ran.error());
  return result;
}

}  // namespace snag::coverage
