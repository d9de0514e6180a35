// Implements tool/gen/report/gen_report.h: the report as JSON.
#include <cmath>
#include <nlohmann/json.hpp>

#include "tool/gen/report/gen_report.h"
#include "tool/report/formats/json.h"

namespace snag::gen {
namespace {

using report::Json;
using report::rounded;

Json call_json(const CallText& call) {
  Json json = {{"text", call.expression}};
  if (!call.declarations.empty()) json["before"] = call.declarations;
  return json;
}

Json test_json(const TestText& text) {
  Json json = {{"object", call_json(text.object)}};
  if (text.second) json["other"] = call_json(*text.second);
  json["prefix"] = Json::array();
  for (const CallText& call : text.prefix) json["prefix"].push_back(call_json(call));
  json["threads"] = Json::array();
  for (const auto& suffix : text.suffixes) {
    json["threads"].push_back(Json::array());
    for (const CallText& call : suffix) json["threads"].back().push_back(call_json(call));
  }
  return json;
}

Json results_json(const TestOutcome& outcome) {
  Json json = Json::array();
  for (const CallResult& call : outcome.calls) json.push_back(call.text);
  return json;
}

Json violation_json(const FoundViolation& found, const DriverInfo& driver,
                    const report::FailureView* view) {
  const Violation& violation = found.violation;
  Json json = {{"kind", kViolationNames[static_cast<int>(violation.kind)]},
               {"failure", failure_name(violation.failure)},
               {"message", violation.message},
               {"count", found.count},
               {"tests", found.tests},
               {"seconds", rounded(found.seconds)},
               {"calls_at_first", found.calls_at_first},
               {"calls", violation.test.calls()}};
  json["methods"] = Json::array();
  for (const auto& suffix : violation.test.suffixes) {
    Json names = Json::array();
    for (const TestCall& call : suffix) names.push_back(driver.methods[call.method].name);
    json["methods"].push_back(names);
  }
  json["test"] = test_json(found.text);
  if (!violation.outcome.calls.empty()) json["results"] = results_json(violation.outcome);
  json["linearizations"] = Json::array();
  for (const Linearization& linearization : violation.linearizations) {
    Json order = {{"order", linearization.order}, {"finished", linearization.finished}};
    if (linearization.finished) {
      order["results"] = results_json(linearization.outcome);
    } else {
      order["failure"] = failure_name(linearization.failure);
      order["message"] = linearization.message;
    }
    json["linearizations"].push_back(order);
  }
  const auto path = [](const std::string& file) { return file.empty() ? Json() : Json(file); };
  json["test_file"] = path(found.test_file);
  json["gtest_file"] = path(found.gtest_file);
  json["trace"] = found.finding ? path(found.finding->trace_path) : Json();
  if (!found.unwritten.empty()) json["unwritten"] = found.unwritten;
  json["confirmed"] = found.finding && found.finding->confirmed();
  if (view != nullptr) json["finding"] = report::failure_json(*view);
  return json;
}

}  // namespace

Json GenReport::fields() const {
  const DriverInfo& driver = driver_;
  const GenSessionOptions& options = options_;
  const Outcome& outcome = outcome_;
  const GenTotals& totals = outcome.totals;
  Json json = {
      {"class", driver.class_name},
      {"policy", kPolicyNames[static_cast<int>(options.policy)]},
      {"schedules", options.system_schedules ? "system" : "controlled"},
      {"seed", options.run.seed},
      {"threads", options.threads},
      {"tests", totals.tests},
      {"runs", totals.runs},
      {"seconds", rounded(totals.seconds)},
      {"tests_per_second",
       totals.seconds > 0 ? rounded(static_cast<double>(totals.tests) / totals.seconds) : 0},
      {"sequences", totals.sequences},
      {"linearizations", totals.linearizations},
      {"unjudged", totals.unjudged},
      {"unconfirmed", totals.unconfirmed},
      {"beyond_limit", totals.beyond},
      {"workers", totals.restarts},
      {"interrupted", outcome.interrupted}};
  if (outcome.error) json["error"] = outcome.error->message;
  json["left_out"] = Json::array();
  for (const LeftOut& left : outcome.left_out)
    json["left_out"].push_back({{"method", left.name}, {"why", left.why}});
  json["not_compared"] = Json::array();
  for (const std::uint16_t method : outcome.ignored)
    json["not_compared"].push_back(driver.methods[method].name);
  json["violations"] = Json::array();
  std::size_t views = 0;  // one for each violation that has a finding
  for (const FoundViolation& found : outcome.violations) {
    const report::FailureView* view = found.finding ? &failures[views++] : nullptr;
    json["violations"].push_back(violation_json(found, driver, view));
  }
  json["coverage"] = {
      {"pairs", totals.pairs}, {"covered", totals.covered}, {"tried", totals.tried}};
  if (outcome.pairs) {
    Json pairs = Json::array();
    for (std::size_t i = 0; i < outcome.pairs->size(); ++i) {
      if (!outcome.pairs->is_usable_pair(i)) continue;
      const MethodPair pair = outcome.pairs->pair(i);
      pairs.push_back(
          {{"methods", {driver.methods[pair.first].name, driver.methods[pair.second].name}},
           {"tried", outcome.pairs->tried(i)},
           {"covered", outcome.pairs->covered(i)}});
    }
    json["coverage"]["each"] = pairs;
  }
  json["coverage"]["curve"] = Json::array();
  for (const CoveragePoint& point : outcome.curve)
    json["coverage"]["curve"].push_back(
        {rounded(point.seconds), point.tests, point.covered, point.tried});
  return json;
}

}  // namespace snag::gen
