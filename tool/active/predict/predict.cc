#include "tool/active/predict/predict.h"

#include <algorithm>
#include <iterator>

namespace snag::active {

std::vector<Candidate> predict(Kind kind, const PredictInput& input) {
  switch (kind) {
#define SNAG_CASE(kind, word, ...) \
  case Kind::kind:                 \
    return predict_##word(input);
    SNAG_CANDIDATE_KINDS(SNAG_CASE)
#undef SNAG_CASE
  }
  return {};
}

std::vector<Candidate> predict(const KindSet& kinds, const PredictInput& input) {
  std::vector<Candidate> all;
  for (const KindRow& row : kKindRows) {
    if (!kinds.contains(row.kind)) continue;
    std::vector<Candidate> more = predict(row.kind, input);
    std::move(more.begin(), more.end(), std::back_inserter(all));
  }
  return united(std::move(all));
}

}  // namespace snag::active
