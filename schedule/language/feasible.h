// What is wrong with a schedule before anything runs: events that nobody marks, cycles, and
// conditions that no run can meet.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "schedule/language/language.h"

namespace snag::schedule {

// `marked`: the names of all SNAG_EVENTs, as they are written there. The first unknown one of the
// schedule is told, with those of the marked ones that are near.
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
