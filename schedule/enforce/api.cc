// Implements <snag/schedule_c.h>: the C interface that the public headers call.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "schedule/enforce/enforcer.h"
#include "schedule/enforce/marked_events.h"
#include "schedule/enforce/schedule_failure.h"
#include "snag/schedule_c.h"

using namespace snag::schedule;

namespace {

constinit std::atomic<snag_schedule_handler> handler{nullptr};

char* copied(const std::string& text) { return text.empty() ? nullptr : strdup(text.c_str()); }

// What the environment says; a message if that makes no sense.
std::string apply_environment(Settings& settings, bool has_limit) {
  if (const char* mode = std::getenv("SNAG_SCHEDULE_MODE"); mode && *mode) {
    if (std::strcmp(mode, "active") == 0)
      settings.mode = Mode::kActive;
    else if (std::strcmp(mode, "passive") == 0)
      settings.mode = Mode::kPassive;
    else if (std::strcmp(mode, "off") == 0)
      settings.mode = Mode::kOff;
    else
      return std::string("SNAG_SCHEDULE_MODE is '") + mode + "': use active, passive or off";
  }
  if (const char* limit = std::getenv("SNAG_SCHEDULE_TIMEOUT"); limit && *limit && !has_limit) {
    char* end = nullptr;
    settings.time_limit = std::strtod(limit, &end);
    if (*end != '\0' || !(settings.time_limit > 0))
      return std::string("SNAG_SCHEDULE_TIMEOUT is '") + limit +
             "': use a number of seconds greater than 0";
  }
  return "";
}

}  // namespace

extern "C" {

void snag_schedule_reach(snag_event_site* site) { reach_event(site); }

char* snag_schedule_begin(const snag_schedule_options* options) {
  Settings settings;
  settings.text = options->text;
  settings.name = options->name ? options->name : "";
  settings.mode = options->mode == SNAG_SCHEDULE_PASSIVE ? Mode::kPassive
                  : options->mode == SNAG_SCHEDULE_OFF   ? Mode::kOff
                                                         : Mode::kActive;
  if (options->time_limit > 0) settings.time_limit = options->time_limit;
  const std::string wrong = apply_environment(settings, options->time_limit > 0);
  return copied(wrong.empty() ? begin_schedule(settings) : wrong);
}

char* snag_schedule_end() { return copied(end_schedule(false)); }
char* snag_schedule_abandon() { return copied(end_schedule(true)); }

void snag_schedule_name_thread(const char* name) { name_thread(this_thread(), name); }

snag_schedule_handler snag_schedule_set_handler(snag_schedule_handler to) {
  return handler.exchange(to);
}

void snag_schedule_fail(const char* message) {
  if (const snag_schedule_handler call = handler.load()) return call(message);
  die_of(message);
}

}  // extern "C"
