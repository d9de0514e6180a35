// The names of all events that the program marks by SNAG_EVENT, as its modules list them.
#pragma once

#include <memory>
#include <set>
#include <string>

namespace snag::schedule {

// In the form of normal_name(), put together anew only when modules have come or gone.
std::shared_ptr<const std::set<std::string>> marked_events();

}  // namespace snag::schedule
