// Measures what the passes of a program cover, for scripts/bench location-pairs.
//
//     measure [options] -- program arguments...
//       --iterations N   how often to begin anew, each time with another seed (1)
//       --passes N       give up after that many passes of an iteration (20000)
//       --keep-going     go on after passes that fail: an iteration is always --passes long
//       --seed N         of the first iteration (1)
//       --curve          also how many locations had been executed after how many calls
//
// A pass is one run under control, at random. An iteration is one fork server with a store of its
// own, so that each pair of the store has the pass that covered it first. Prints JSON: `locations`
// by their program counter, and `iterations` with `passes`, `failed` (numbers of passes and how
// they failed), `pairs` ([metric, first, second, pass, calls, flags]) and `executed`.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <charconv>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/coverage.h"
#include "tool/base/text.h"
#include "tool/binary/symbolizer.h"
#include "tool/session/failed_run.h"
#include "tool/session/session.h"

namespace snag {
namespace {

using milliseconds;
using nlohmann::json;
using session::Event;

constexpr const char* kMetricNames[] = {"LP", "DU", "MP"};

struct Options {
  std::uint64_t iterations = 1, passes = 20'000, seed = 1;
  bool keep_going = false, curve = false;
  Program program;
};

[[noreturn]] void give_up(const std::string& why) {
  fmt::print(stderr, "measure: {}\n", why);
  std::exit(2);
}

std::optional<Options> parse(int argc, char** argv) {
  Options options;
  int i = 1;
  for (; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    const std::string_view name = argv[i];
    if (name == "--keep-going") {
      options.keep_going = true;
    } else if (name == "--curve") {
      options.curve = true;
    } else {
      std::uint64_t* value = name == "--iterations" ? &options.iterations
                             : name == "--passes"   ? &options.passes
                             : name == "--seed"     ? &options.seed
                                                    : nullptr;
      if (!value || ++i == argc) return std::nullopt;
      const std::string_view text = argv[i];
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
      if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    }
  }
  if (i + 1 >= argc) return std::nullopt;
  options.program.path = argv[i + 1];
  options.program.argv.assign(argv + i + 1, argv + argc);
  return options;
}

// What the program shares with us; the descriptor is inherited.
class Store {
 public:
  Store() : fd_(memfd_create("snag-cover", 0)) {
    if (fd_ < 0 || ftruncate(fd_, sizeof(CoverStore)) != 0) give_up("no memory for the coverage");
    void* memory = mmap(nullptr, sizeof(CoverStore), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_NORESERVE, fd_, 0);
    if (memory == MAP_FAILED) give_up("no memory for the coverage");
    store_ = static_cast<CoverStore*>(memory);
    store_->magic = kCoverMagic;
    store_->version = kCoverVersion;
    store_->config.metrics = metric_bit(Metric::kLocationPairs) | metric_bit(Metric::kDefUse) |
                             metric_bit(Metric::kMethodPairs) | metric_bit(Metric::kLines);
    store_->config.target = 1;
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    store_->begin_ns = static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
                       static_cast<std::uint64_t>(now.tv_nsec);
  }
  Store(const Store&) = delete;
  ~Store() {
    munmap(store_, sizeof(CoverStore));
    close(fd_);
  }

  int fd() const { return fd_; }
  const CoverStore& operator*() const { return *store_; }
  const CoverStore* operator->() const { return store_; }

 private:
  int fd_;
  CoverStore* store_;
};

class Study {
 public:
  explicit Study(const Options& options) : options_(options) {}

  json run() {
    json iterations = json::array();
    for (std::uint64_t i = 0; i < options_.iterations; ++i)
      iterations.push_back(iteration(options_.seed + i));
    json locations = json::object();
    for (auto& [pc, place] : locations_) locations[std::to_string(pc)] = std::move(place);
    return {{"locations", locations}, {"iterations", iterations}};
  }

 private:
  json iteration(std::uint64_t seed) {
    const Store store;
    session::SessionOptions session_options;
    Config& config = session_options.config;
    config.settings = without_checks();
    config.settings.strategy = StrategyKind::kRandom;
    config.run_stride = 1;
    config.settings.seed = seed;
    config.max_runs = options_.passes;
    config.cover_fd = store.fd();
    auto session = session::Session::start(options_.program, session_options);
    if (!session) give_up(session.error().message);

    json failed = json::array(), curve = json::array();
    while (true) {
      const Event event = (*session)->wait(milliseconds(options_.curve ? 1 : 50));
      if (options_.curve) note_progress(*store, curve);
      if (event == Event::kFailed) {
        const Run& run = (*session)->shared().run;
        failed.push_back({run.number, failure_name(run.failure.kind)});
        if (!options_.keep_going) break;
        (*session)->resume();
      }
      if (event == Event::kDied) give_up((*session)->error().message);
      if (event == Event::kFinished) break;
    }
    if (store->message[0] != 0) give_up(store->message);

    json result{{"seed", seed}, {"failed", failed}, {"pairs", pairs(*store, (*session)->shared())}};
    result["passes"] = (*session)->shared().live.runs.load();
    result["calls"] = store->calls.load();
    result["lost"] =
        store->lost_pairs + store->lost_locations + store->lost_threads + store->lost_variables;
    json& executed = result["executed"] = json::array();
    for (std::uint32_t i = 1; i < store->location_count; ++i) {
      if (!store->locations[i].ready) continue;
      describe(store->locations[i].pc, (*session)->shared());
      executed.push_back(store->locations[i].pc);
    }
    if (options_.curve) result["curve"] = curve;
    return result;
  }

  // Locations are numbered in the order in which they were executed first.
  static void note_progress(const CoverStore& store, json& curve) {
    const std::uint32_t locations = store.location_count;
    if (curve.empty() || curve.back()[1] != locations)
      curve.push_back({store.calls.load(), locations});
  }

  json pairs(const CoverStore& store, const Shared& shared) {
    json result = json::array();
    for (std::uint32_t i = 0; i < store.pair_count && i < kMaxCoverPairs; ++i) {
      const CoverPair& pair = store.pairs[i];
      const auto metric = static_cast<std::size_t>(pair.metric);
      if (!pair.ready || metric >= std::size(kMetricNames)) continue;
      const ModulePc first = store.locations[pair.first].pc;
      const ModulePc second = store.locations[pair.second].pc;
      describe(first, shared);
      describe(second, shared);
      result.push_back(
          {kMetricNames[metric], first, second, pair.run, pair.calls, pair.flags.load()});
    }
    return result;
  }

  void describe(ModulePc pc, const Shared& shared) {
    if (locations_.contains(pc)) return;
    json& frames = locations_[pc] = json::array();
    for (const binary::Frame& frame :
         symbolizer_.lookup(session::copy_modules(shared), absolute(pc, shared)))
      frames.push_back({{"function", frame.function},
                        {"file", base_name(frame.file)},
                        {"line", frame.line},
                        {"column", frame.column}});
  }

  static std::uint64_t absolute(ModulePc pc, const Shared& shared) {
    return shared.modules[module_of(pc)].base + offset_of(pc);
  }

  const Options options_;
  binary::Symbolizer symbolizer_;
  std::map<ModulePc, json> locations_;
};

}  // namespace
}  // namespace snag

int main(int argc, char** argv) {
  const auto options = snag::parse(argc, argv);
  if (!options) snag::give_up("see the head of bench/papers/location-pairs/measure.cc");
  fmt::print("{}\n", snag::Study(*options).run().dump());
}
