// Implements tool/coverage/report/report_text.h: the report as JSON.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tool/base/json.h"
#include "tool/coverage/report/report_text.h"

namespace snag::coverage {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kJsonVersion = 1;

Json score_json(const Score& score, bool has_target) {
  Json json = {{"covered", score.covered}};
  if (!has_target) return json;
  json["target"] = score.target;
  if (score.target > 0) {
    json["percent"] =
        100.0 * static_cast<double>(score.covered) / static_cast<double>(score.target);
  }
  if (score.pruned > 0) json["pruned"] = score.pruned;
  if (score.contradicted > 0) json["pruned_but_covered"] = score.contradicted;
  return json;
}

Json scores_json(const std::array<Score, kMetricCount>& scores, const Score& functions,
                 const ReportInput& input) {
  Json json = Json::object();
  for_each_metric(shown_metrics(input), [&](Metric metric) {
    const auto i = static_cast<std::size_t>(metric);
    json[std::string(short_name(metric))] = score_json(scores[i], input.totals.has_target[i]);
    if (metric == Metric::kLines) json["functions"] = score_json(functions, true);
  });
  return json;
}

Json place_json(const Place& place, const CoverData& data) {
  Json json = {{"function", data.text(place.function)}};
  if (place.file != 0) {
    json["file"] = data.text(place.file);
    json["line"] = place.line;
    json["column"] = place.column;
  }
  return json;
}

Json chain_json(const Chain& chain, const CoverData& data) {
  Json json = Json::array();
  for (const Place& place : chain) json.push_back(place_json(place, data));
  return json;
}

Json location_json(LocationId id, std::string_view action, const CoverData& data) {
  const Location& location = data.locations()[id];
  Json json = place_json(location.place(), data);
  json["action"] = action;
  if (location.frames.size() > 1) json["inlined"] = chain_json(location.frames, data);
  if (!location.callers.empty()) {
    json["callers"] = Json::array();
    for (const Chain& caller : location.callers)
      json["callers"].push_back(chain_json(caller, data));
  }
  return json;
}

Json pair_json(std::size_t index, const ReportInput& input) {
  const CoverData& data = input.data;
  const Pair& pair = data.pairs()[index];
  Json json = {{"metric", short_name(pair.metric)},
               {"text", input.wording.pair(pair)},
               {"first", location_json(pair.first, input.wording.action(pair, true), data)},
               {"second", location_json(pair.second, input.wording.action(pair, false), data)}};
  if (pair.variable != 0) json["variable"] = data.text(pair.variable);
  if (row_of(pair.metric).has(kHasCounts))
    json["count"] = data.count_of(static_cast<std::uint32_t>(index));
  if (pair.is_covered() && pair.moment.shard != kNoShard) {
    json["seconds"] = static_cast<double>(pair.moment.time_us) / 1e6;
    json["run"] = pair.moment.run;
  }
  return json;
}

Json shard_json(const Shard& shard) {
  Json metrics = Json::array();
  for_each_metric(shard.metrics, [&](Metric metric) { metrics.push_back(short_name(metric)); });
  return {{"id", fmt::format("{:016x}", shard.id)},
          {"begin_ms", shard.begin_ms},
          {"controlled", shard.is_controlled},
          {"metrics", std::move(metrics)},
          {"seconds", static_cast<double>(shard.counts[Shard::kDuration]) / 1e6},
          {"runs", shard.counts[Shard::kRuns]},
          {"failed_runs", shard.counts[Shard::kFailed]},
          {"calls", shard.counts[Shard::kCalls]},
          {"lost_locations", shard.counts[Shard::kLostLocations]},
          {"lost_pairs", shard.counts[Shard::kLostPairs]},
          {"lost_threads", shard.counts[Shard::kLostThreads]},
          {"lost_variables", shard.counts[Shard::kLostVariables]}};
}

Json lock_json(LocationId id, const std::string& text, const CoverData& data) {
  Json json = {{"metric", short_name(Metric::kSync)},
               {"text", text},
               {"place", location_json(id, name_of(LocationKind::kLock), data)}};
  for (const auto& [bit, word] : kLockSeen)
    json[std::string(word)] = (data.locations()[id].seen & bit) != 0;
  return json;
}

Json lists_json(const ReportInput& input, Which which) {
  Json json = Json::array();
  for (std::size_t i = 0; i < input.data.pairs().size(); ++i) {
    if (is_listed(input, i, which)) json.push_back(pair_json(i, input));
  }
  for (LocationId id = 0; id < input.data.locations().size(); ++id) {
    const std::string text = lock_text(input, id, which);
    if (!text.empty()) json.push_back(lock_json(id, text, input.data));
  }
  return json;
}

}  // namespace

std::string report_json(const ReportInput& input, const JsonParts& parts) {
  const Totals& totals = input.totals;
  Json json = {{"version", kJsonVersion},
               {"program", input.data.build.program},
               {"build", fmt::format("{:016x}", input.data.build.hash)},
               {"context", input.data.build.context},
               {"ignored", input.data.build.ignored},
               {"all_code_known", totals.knows_all_code},
               {"totals", scores_json(totals.scores, totals.functions, input)},
               {"files", Json::array()},
               {"measurements", Json::array()}};
  for (const FileScore& file : totals.files) {
    Json entry = {{"file", file.path}, {"library", file.is_library}};
    entry.update(scores_json(file.scores, file.functions, input));
    json["files"].push_back(std::move(entry));
  }
  for (const Shard& shard : input.data.shards()) json["measurements"].push_back(shard_json(shard));
  if (parts.covered) json["covered"] = lists_json(input, Which::kCovered);
  if (parts.uncovered) json["uncovered"] = lists_json(input, Which::kUncovered);
  // Paths may be any bytes.
  return json_text(json, 2) + "\n";
}

}  // namespace snag::coverage
