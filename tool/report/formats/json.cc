#include "tool/report/formats/json.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tool/base/json.h"
#include "tool/base/names.h"
#include "tool/report/formats/format.h"
#include "tool/report/view/run_report.h"

namespace snag::report {

double rounded(double value) { return std::round(value * 1000) / 1000; }

namespace {

Json frame_json(const FrameView& frame) {
  return {{"function", frame.function}, {"file", frame.file}, {"line", frame.line}};
}

Json thread_json(const ThreadView& thread) {
  Json json = {{"thread", thread.thread},
               {"name", thread.name},
               {"status", name_of(thread.status)},
               {"op", op_name(thread.op)}};
  if (!thread.object.empty()) json["object"] = thread.object;
  if (thread.held_by) json["held_by"] = *thread.held_by;
  json["in_cycle"] = thread.in_cycle;
  json["stack"] = Json::array();
  for (const FrameView& frame : thread.stack) json["stack"].push_back(frame_json(frame));
  if (thread.missed_signal) {
    const char* name = thread.status == ThreadStatus::kExternal ? "last_write" : "missed_signal";
    json[name] = frame_json(*thread.missed_signal);
  }
  return json;
}

const char* event_kind(Event::Kind kind) {
  switch (kind) {
    case Event::Kind::kStep:
      return "step";
    case Event::Kind::kWaits:
      return "waits";
    case Event::Kind::kPending:
      return "pending";
    case Event::Kind::kFolded:
      return "folded";
    case Event::Kind::kFailure:
      break;
  }
  return "failure";
}

Json event_json(const Event& event) {
  Json json = {{"event", event_kind(event.kind)}};
  if (event.thread != kNoTid) json["thread"] = event.thread;
  if (event.step != 0) json["step"] = event.step;
  if (event.kind == Event::Kind::kFolded) {
    json["folded"] = event.folded;
    if (event.rounds > 0) json["rounds"] = event.rounds;
    return json;
  }
  if (event.kind != Event::Kind::kFailure) json["op"] = op_name(event.op);
  if (!event.place.file.empty()) {
    json["file"] = event.place.file;
    json["line"] = event.place.line;
  }
  if (!event.place.function.empty()) json["function"] = event.place.function;
  if (!event.place.source.empty()) json["source"] = event.place.source;
  if (!event.object.empty()) json["object"] = event.object;
  if (event.value_before) json["value_before"] = *event.value_before;
  if (event.value_after) json["value_after"] = *event.value_after;
  if (event.held_by) json["held_by"] = *event.held_by;
  if (!event.note.empty()) json["note"] = event.note;
  json["switch"] = event.is_switch;
  if (event.is_accused) json["accused"] = true;
  if (event.is_undone) json["undone"] = true;
  return json;
}

Json stack_json(const std::vector<FrameView>& stack) {
  Json json = Json::array();
  for (const FrameView& frame : stack) json.push_back(frame_json(frame));
  return json;
}

Json access_json(const AccessView& access) {
  Json json = {{"thread", access.thread},
               {"access", access.is_free    ? "free"
                          : access.is_write ? "write"
                                            : "read"},
               {"atomic", access.is_atomic},
               {"size", access.size},
               {"stack", stack_json(access.stack)}};
  json["locks"] = Json::array();
  for (const HeldLockView& lock : access.locks)
    json["locks"].push_back({{"name", lock.name}, {"taken_at", frame_json(lock.taken_at)}});
  return json;
}

Json memory_json(const MemoryView& memory) {
  static constexpr const char* kKinds[] = {"unknown", "global", "heap", "stack", "thread-local"};
  Json json = {{"kind", kKinds[static_cast<int>(memory.kind)]}};
  if (memory.thread != kNoTid) json["thread"] = memory.thread;
  if (memory.kind != MemoryKind::kHeap) return json;
  json["size"] = memory.size;
  json["offset"] = memory.offset;
  json["alloc_stack"] = stack_json(memory.alloc_stack);
  if (memory.is_freed) {
    json["free_thread"] = memory.free_thread;
    json["free_stack"] = stack_json(memory.free_stack);
  }
  return json;
}

Json places_json(const RacePlacesView& places) {
  Json json = {{"variable", places.variable},          {"first", access_json(places.first)},
               {"second", access_json(places.second)}, {"trace", places.trace_path},
               {"confirmed", places.confirmed},        {"count", places.count}};
  if (!places.replay_problem.empty()) json["replay_problem"] = places.replay_problem;
  return json;
}

Json heap_json(const HeapView& heap) {
  static constexpr const char* kErrors[] = {"none", "use-after-free", "double-free",
                                            "out-of-bounds", "bad-free"};
  return {{"error", kErrors[static_cast<int>(heap.error)]},
          {"variable", heap.variable},
          {"distance", heap.distance},
          {"access", access_json(heap.access)},
          {"memory", memory_json(heap.memory)}};
}

Json warning_json(const LockOrderView& warning) {
  Json json = {{"kind", "lock-order"}, {"message", warning.message()}};
  json["sides"] = Json::array();
  for (const LockOrderView::Side& side : warning.sides) {
    Json entry = {{"thread", side.thread},
                  {"held", side.held},
                  {"held_at", frame_json(side.held_at)},
                  {"wanted", side.wanted}};
    entry["stack"] = Json::array();
    for (const FrameView& frame : side.stack) entry["stack"].push_back(frame_json(frame));
    json["sides"].push_back(std::move(entry));
  }
  return json;
}

Json warning_json(const LateWakeupView& warning) {
  Json json = {{"kind", "late-wakeup"},
               {"message", warning.message()},
               {"thread", warning.thread},
               {"condition", warning.condition},
               {"waited_seconds", rounded(warning.seconds)},
               {"stack", stack_json(warning.stack)},
               {"signalled_by", warning.signaller}};
  const auto add_place = [&](const char* name, const FrameView& frame) {
    if (!frame.file.empty() || !frame.function.empty()) json[name] = frame_json(frame);
  };
  add_place("signalled_at", warning.signalled_at);
  if (!warning.variable.empty()) json["variable"] = warning.variable;
  add_place("read_at", warning.read_at);
  add_place("written_at", warning.written_at);
  return json;
}

}  // namespace

Json changed_files_json(const session::FileChanges& changes) {
  Json json = Json::array();
  for (const session::FileChangeEntry& file : changes.files) {
    json.push_back(
        {{"path", file.path}, {"change", kFileChangeNames[static_cast<int>(file.change)]}});
  }
  return json;
}

Json failure_json(const FailureView& failure) {
  Json json = {{"kind", failure.covered ? kCoveredName : name_of(failure.kind)},
               {"detail", failure.detail},
               {"message", message_of(failure)},
               {"trace", failure.trace_path},
               {"confirmed", failure.confirmed},
               {"count", failure.count},
               {"runs", failure.runs},
               {"run", failure.run},
               {"seed", failure.seed},
               {"strategy", name_of(failure.strategy)},
               {"steps", failure.steps},
               {"switches", failure.switch_count},
               {"event_hash", fmt::format("{:016x}", failure.event_hash)}};
  if (failure.untimely_end) {
    const UntimelyEndView& end = *failure.untimely_end;
    const char* const names[] = {"early_end", "late_end", "overtaking_end"};
    json[names[static_cast<std::size_t>(end.how)]] = {{"thread", end.thread},
                                                      {"sleep", end.is_sleep},
                                                      {"place", frame_json(end.place)},
                                                      {"count", end.count}};
  }
  if (failure.used_changes.any())
    json["used_changed_files"] = changed_files_json(failure.used_changes);
  if (failure.shrunk_from) json["shrunk_from"] = *failure.shrunk_from;
  if (failure.shrink_attempts > 0) {
    json["shrink_attempts"] = failure.shrink_attempts;
    json["shrink_seconds"] = rounded(failure.shrink_seconds);
  }
  if (failure.thread) json["thread"] = *failure.thread;
  if (!failure.replay_problem.empty()) json["replay_problem"] = failure.replay_problem;
  json["threads"] = Json::array();
  for (const ThreadView& thread : failure.threads) json["threads"].push_back(thread_json(thread));
  json["interleaving"] = Json::array();
  for (const Event& event : failure.interleaving.events)
    json["interleaving"].push_back(event_json(event));
  if (failure.race) {
    json["race"] = {{"variable", failure.race->variable},
                    {"first", access_json(failure.race->first)},
                    {"second", access_json(failure.race->second)},
                    {"memory", memory_json(failure.race->memory)}};
  }
  if (!failure.other_places.empty() || failure.left_out_places > 0) {
    json["other_places"] = Json::array();
    for (const RacePlacesView& places : failure.other_places)
      json["other_places"].push_back(places_json(places));
    if (failure.left_out_places > 0) json["left_out_places"] = failure.left_out_places;
  }
  if (failure.heap) json["heap"] = heap_json(*failure.heap);
  return json;
}

Json failures_json(std::span<const FailureView> failures) {
  Json json = Json::array();
  for (const FailureView& failure : failures) json.push_back(failure_json(failure));
  return json;
}

std::string write_json(const Report& report, const TextStyle&) {
  Json json = {{"version", kReportVersion}, {"exit", report.exit_code}};
  const Json fields = report.fields();
  for (const auto& [name, value] : fields.items()) json[name] = value;
  // Program output and names need not be UTF-8.
  return json_text(json, 2) + "\n";
}

Json RunReport::fields() const {
  const double seconds = totals.elapsed.count();
  Json json = {{"program", program}};
  json["runs"] = totals.runs;
  json["cut_runs"] = totals.cut_runs;
  json["seconds"] = rounded(seconds);
  json["runs_per_second"] = seconds > 0 ? rounded(static_cast<double>(totals.runs) / seconds) : 0;
  json["seed"] = seed;
  json["strategy"] = name_of(strategy);
  json["points_mode"] = name_of(points);
  json["backend"] = name_of(totals.backend);
  json["timeouts"] = name_of(timeouts);
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
  json["changed_files"] = changed_files_json(changed_files);
  json["interrupted"] = interrupted;
  if (!error.empty()) json["error"] = error;
  json["failures"] = failures_json(failures);
  json["suppressions"] = Json::array();
  for (const suppress::Suppression& suppression : suppressions) {
    json["suppressions"].push_back({{"text", suppression.text()},
                                    {"line", suppression.line},
                                    {"matches", suppression.matches}});
  }
  json["warnings"] = Json::array();
  for (const LockOrderView& warning : lock_orders)
    json["warnings"].push_back(warning_json(warning));
  for (const LateWakeupView& warning : late_wakeups)
    json["warnings"].push_back(warning_json(warning));
  for (const Doubt& doubt : doubts())
    json["warnings"].push_back({{"kind", doubt.kind}, {"message", doubt.message}});
  return json;
}

Json ReplayReport::fields() const {
  Json json = {{"program", program},
               {"verdict", verdict},
               {"runs", runs},
               {"identical", identical},
               {"by_position", by_position}};
  if (searched != 0) json["searched"] = searched;
  json["failures"] = failures_json(failures);
  return json;
}

Json ShrinkReport::fields() const {
  return {{"program", program},
          {"verdict", verdict},
          {"switches_before", switches_before},
          {"switches_after", switches_after},
          {"attempts", attempts},
          {"seconds", rounded(seconds)},
          {"smallest", smallest},
          {"failures", failures_json(failures)}};
}

}  // namespace snag::report
