// Reads the text of a schedule.
//
//   Schedule  ::= [ Chain { "," Chain } [","] ]
//   Chain     ::= Condition "->" Event { "->" Event }        a -> b -> c is a -> b, b -> c
//   Condition ::= Disjunct { "||" Disjunct }
//   Disjunct  ::= Conjunct { "&&" Conjunct }
//   Conjunct  ::= "!" Conjunct | "(" Condition ")" | Block | Event
//   Block     ::= "[" Event "]" [ "@" Thread ]
//   Event     ::= Name [ "@" Thread ] [ "#" Occurrence ]
//               | ("start" | "end" | "block" | "unblock") "@" Thread [ "#" Occurrence ]
//   Name      ::= { Id ("." | "::") } Id
#pragma once

#include <string_view>
#include <variant>

#include "schedule/language/language.h"

namespace snag::schedule {

using ParseError = Fault;

std::variant<Schedule, ParseError> parse(std::string_view text);

}  // namespace snag::schedule
