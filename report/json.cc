#include "report/json.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/names.h"

namespace snag::report {
namespace {

using Json = nlohmann::ordered_json;

double rounded(double value) { return std::round(value * 1000) / 1000; }

Json frame_json(const FrameView& frame) {
  return {{"function", frame.function}, {"file", frame.file}, {"line", frame.line}};
}

Json thread_json(const ThreadView& thread) {
  Json json = {{"thread", thread.thread},
               {"name", thread.name},
               {"status", engine::name_of(thread.status)},
               {"op", op_name(thread.op)}};
  if (!thread.object.empty()) json["object"] = thread.object;
  if (thread.held_by) json["held_by"] = *thread.held_by;
  json["in_cycle"] = thread.in_cycle;
  json["stack"] = Json::array();
  for (const FrameView& frame : thread.stack) json["stack"].push_back(frame_json(frame));
  if (thread.missed_signal) json["missed_signal"] = frame_json(*thread.missed_signal);
  return json;
}

Json failure_json(const FailureView& failure) {
  Json json = {{"kind", engine::name_of(failure.kind)},
               {"detail", failure.detail},
               {"message", failure.message},
               {"trace", failure.trace_path},
               {"confirmed", failure.confirmed},
               {"count", failure.count},
               {"runs", failure.runs},
               {"run", failure.run},
               {"seed", failure.seed},
               {"strategy", engine::name_of(failure.strategy)},
               {"steps", failure.steps},
               {"switches", failure.switch_count},
               {"event_hash", fmt::format("{:016x}", failure.event_hash)}};
  if (failure.shrunk_from) json["shrunk_from"] = *failure.shrunk_from;
  if (failure.shrink_attempts > 0) {
    json["shrink_attempts"] = failure.shrink_attempts;
    json["shrink_seconds"] = rounded(failure.shrink_seconds);
  }
  if (failure.thread) json["thread"] = *failure.thread;
  if (!failure.replay_problem.empty()) json["replay_problem"] = failure.replay_problem;
  json["threads"] = Json::array();
  for (const ThreadView& thread : failure.threads) json["threads"].push_back(thread_json(thread));
  return json;
}

// Program output and names need not be UTF-8.
std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string run_json(const RunReport& report) {
  const engine::Totals& totals = report.totals;
  const double seconds = totals.elapsed.count();
  Json json = {
      {"version", kReportVersion}, {"exit", report.exit_code}, {"program", report.program}};
  json["runs"] = totals.runs;
  json["seconds"] = rounded(seconds);
  json["runs_per_second"] = seconds > 0 ? rounded(static_cast<double>(totals.runs) / seconds) : 0;
  json["seed"] = report.seed;
  json["strategy"] = engine::name_of(report.strategy);
  json["points_mode"] = engine::name_of(report.points);
  json["backend"] = engine::name_of(totals.backend);
  json["steps"] = totals.steps;
  json["distinct_orders"] = totals.distinct_orders;
  json["max_threads"] = totals.max_threads;
  json["points"] = totals.points;
  json["space_exhausted"] = totals.space_exhausted;
  json["bound_hit"] = totals.bound_hit;
  json["uncontrolled"] = Json::object();
  for (std::size_t i = 0; i < totals.uncontrolled.size(); ++i) {
    if (totals.uncontrolled[i] > 0)
      json["uncontrolled"][kUncontrolledNames[i]] = totals.uncontrolled[i];
  }
  json["interrupted"] = report.interrupted;
  if (!report.error.empty()) json["error"] = report.error;
  json["failures"] = Json::array();
  for (const FailureView& failure : report.failures)
    json["failures"].push_back(failure_json(failure));
  return dump(json);
}

std::string replay_json(const ReplayReport& report) {
  Json json = {{"version", kReportVersion},
               {"exit", report.exit_code},
               {"program", report.program},
               {"verdict", report.verdict},
               {"runs", report.runs},
               {"identical", report.identical},
               {"by_position", report.by_position}};
  json["failures"] = Json::array();
  if (report.failure) json["failures"].push_back(failure_json(*report.failure));
  return dump(json);
}

std::string shrink_json(const ShrinkReport& report) {
  Json json = {{"version", kReportVersion},
               {"exit", report.exit_code},
               {"program", report.program},
               {"verdict", report.verdict},
               {"switches_before", report.switches_before},
               {"switches_after", report.switches_after},
               {"attempts", report.attempts},
               {"seconds", rounded(report.seconds)},
               {"smallest", report.smallest}};
  json["failures"] = Json::array({failure_json(report.failure)});
  return dump(json);
}

}  // namespace snag::report
