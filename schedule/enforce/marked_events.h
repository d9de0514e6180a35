// The names of all events that the program marks by SNAG_EVENT, as its modules list them.
#pragma once

#include <memory>
#include <set>
#include <string>

namespace snag::schedule {

// In the form of normal_name(), rebuilt only when modules were loaded or unloaded.
std::shared_ptr<const std::set<std::string>> marked_events();

}  // namespace snag::schedule
