#include "schedule/enforce/marked_events.h"

#include <cstring>
#include <utility>
#include <vector>

#include "schedule/enforce/threads.h"
#include "schedule/language/language.h"
#include "snag/schedule_c.h"

namespace snag::schedule {
namespace {

struct Module {
  const char* begin;
  const char* end;
};
// Never destroyed: modules leave also at the end of the process.
std::vector<Module>& modules() {
  static auto* const list = new std::vector<Module>;
  return *list;
}

using Names = std::set<std::string>;
std::shared_ptr<const Names>& known_names() {
  static auto* const names = new std::shared_ptr<const Names>;
  return *names;
}

}  // namespace

std::shared_ptr<const Names> marked_events() {
  Critical critical;
  if (known_names()) return known_names();
  auto names = std::make_shared<Names>();
  for (const Module& module : modules()) {
    for (const char* at = module.begin; at < module.end; at += std::strlen(at) + 1) {
      if (*at != '\0') names->insert(normal_name(at));
    }
  }
  return known_names() = std::move(names);
}

}  // namespace snag::schedule

using namespace snag::schedule;

extern "C" void snag_schedule_add_events(const char* begin, const char* end) {
  Critical critical;
  modules().push_back({begin, end});
  known_names() = nullptr;
}

extern "C" void snag_schedule_remove_events(const char* begin) {
  Critical critical;
  auto& list = modules();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].begin != begin) continue;
    list[i] = list.back();
    list.pop_back();
    known_names() = nullptr;
    return;
  }
}
