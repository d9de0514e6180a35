// The names of all events that the program marks by SNAG_EVENT, as its modules list them.
#pragma once

#include <string>
#include <vector>

namespace snag::schedule {

std::vector<std::string> marked_events();

}  // namespace snag::schedule
