// Plays a trace that is written as text against a schedule.
#pragma once

#include <map>
#include <sstream>
#include <string>
#include <string_view>

#include "schedule/language/parser.h"
#include "schedule/monitor/monitor.h"

namespace snag::schedule {

// Plays a trace such as "start@t a@t block@t b@u". Each thread has its name from the beginning,
// unless that is a number: "a@7" is an event of a thread without one. "7=t" names it.
class Play {
 public:
  explicit Play(std::string_view text) : monitor_(std::get<Schedule>(parse(text))) {}

  // The first action that violates the schedule, or "".
  std::string violation_in(const std::string& trace) { return first_wrong(trace, false); }
  // The first one that may not happen, or "": then all have happened.
  std::string forbidden_in(const std::string& trace) { return first_wrong(trace, true); }

  bool may(const std::string& word) { return monitor_.may_happen(action(word)); }

 private:
  std::string first_wrong(const std::string& trace, bool active) {
    std::istringstream words(trace);
    for (std::string word; words >> word;) {
      if (const std::size_t sign = word.find('='); sign != std::string::npos) {
        monitor_.thread_named(thread(word.substr(0, sign)), word.substr(sign + 1));
      } else if ((active && !may(word)) || monitor_.happened(action(word))) {
        return word;
      }
    }
    return "";
  }

  int thread(const std::string& name) {
    const auto [place, is_new] = threads_.try_emplace(name, static_cast<int>(threads_.size()));
    if (is_new && (name[0] < '0' || name[0] > '9')) monitor_.thread_named(place->second, name);
    return place->second;
  }

  Action action(const std::string& word) {
    const std::size_t at = word.find('@');
    const std::string name = word.substr(0, at);
    const int by = thread(at == std::string::npos ? "main" : word.substr(at + 1));
    if (name == "start") return Action::start(by);
    if (name == "end") return Action::end(by);
    if (name == "block") return Action::block(by);
    if (name == "unblock") return Action::unblock(by);
    return Action::event(monitor_.mentions(name), by);
  }

  Monitor monitor_;
  std::map<std::string, int> threads_;
};

}  // namespace snag::schedule
