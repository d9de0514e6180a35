// Errors of a schedule that are found before anything runs: events that are not marked anywhere,
// cycles, and conditions that no run can satisfy.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "schedule/language/language.h"

namespace snag::schedule {

// `marked`: the names of all SNAG_EVENTs, as they are written there. Reports the first unknown name
// in the schedule, with marked ones that are similar.
std::optional<Fault> check_names(const Schedule& schedule, const std::vector<std::string>& marked);
// The same for names in the form of normal_name().
std::optional<Fault> check_normal_names(const Schedule& schedule,
                                        const std::set<std::string>& marked);

// Whether there is an order of the events in which all that stand on the right of "->" can happen.
// Negations and [e] are taken for true where that is not excluded, so that a schedule that passes
// may still turn out to be infeasible in the test at hand.
std::optional<Fault> check_feasible(const Schedule& schedule);

// Both, in this order.
std::optional<Fault> check(const Schedule& schedule, const std::vector<std::string>& marked);

}  // namespace snag::schedule
