#include "tool/coverage/report/curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "tool/coverage/data/wording.h"

namespace snag::coverage {
namespace {

double position(const Moment& moment, CurveBy by) {
  switch (by) {
    case CurveBy::kTime:
      return static_cast<double>(moment.time_us) / 1e6;
    case CurveBy::kCalls:
      return static_cast<double>(moment.calls);
    default:
      return static_cast<double>(moment.run) + 1;
  }
}

double length_of(const Shard& shard, CurveBy by) {
  switch (by) {
    case CurveBy::kTime:
      return static_cast<double>(shard.counts[Shard::kDuration]) / 1e6;
    case CurveBy::kCalls:
      return static_cast<double>(shard.counts[Shard::kCalls]);
    default:
      return static_cast<double>(shard.counts[Shard::kRuns]);
  }
}

// The beginning of each measurement if they are put one after the other, then the end of the last
// one.
std::vector<double> begins(const CoverData& data, CurveBy by) {
  const auto& shards = data.shards();
  std::vector<std::size_t> order(shards.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(shards[a].begin_ms, shards[a].id) <
           std::pair(shards[b].begin_ms, shards[b].id);
  });
  std::vector<double> result(shards.size() + 1);
  double sum = 0;
  for (const std::size_t i : order) {
    result[i] = sum;
    sum += length_of(shards[i], by);
  }
  result.back() = sum;
  return result;
}

std::string_view axis_name(CurveBy by) {
  switch (by) {
    case CurveBy::kTime:
      return "seconds";
    case CurveBy::kCalls:
      return "calls";
    default:
      return "runs";
  }
}

std::string number(double value) {
  std::string text = fmt::format("{:.6f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace

std::vector<Curve> make_curves(const CoverData& data, CurveBy by, std::uint32_t metrics) {
  const std::vector<double> begin = begins(data, by);
  std::vector<std::vector<double>> xs(kMetricCount);
  std::vector<std::uint64_t> targets(kMetricCount);
  const auto add = [&](Metric metric, const Moment& moment) {
    if (moment.shard == kNoShard) return;
    const double x = begin[moment.shard] + position(moment, by);
    xs[static_cast<std::size_t>(metric)].push_back(std::max(0.0, x));
  };
  for (const Pair& pair : data.pairs()) {
    if (pair.is_covered()) add(pair.metric, pair.moment);
    if (pair.is_covered() || (pair.state & (kPairTarget | kStaticTarget)) != 0)
      ++targets[static_cast<std::size_t>(pair.metric)];
  }
  // A line is executed with the first of its locations.
  std::map<std::pair<TextId, int>, Moment> lines;
  for (const Location& location : data.locations()) {
    for (const Place& place : location.frames) {
      if (place.file == 0 || place.line == 0) continue;
      Moment& known = lines[{place.file, place.line}];
      if (data.is_before(location.moments[kExecuted], known)) known = location.moments[kExecuted];
    }
    if ((location.seen & kSeenLock) == 0) continue;
    targets[static_cast<std::size_t>(Metric::kSync)] += 2;
    add(Metric::kSync, location.moments[kBlocked]);
    add(Metric::kSync, location.moments[kBlocking]);
  }
  for (const auto& [line, moment] : lines) add(Metric::kLines, moment);
  targets[static_cast<std::size_t>(Metric::kLines)] = lines.size();

  std::vector<Curve> curves;
  for_each_metric(metrics & data.metrics(), [&](Metric metric) {
    const auto i = static_cast<std::size_t>(metric);
    Curve curve;
    curve.name = short_name(metric);
    curve.target = row_of(metric).has(kHasTarget) ? targets[i] : 0;
    curve.points.push_back({0, 0});
    std::sort(xs[i].begin(), xs[i].end());
    for (const double x : xs[i]) {
      if (x > curve.points.back().x) curve.points.push_back({x, curve.points.back().covered});
      ++curve.points.back().covered;
    }
    if (begin.back() > curve.points.back().x)
      curve.points.push_back({begin.back(), curve.points.back().covered});
    curves.push_back(std::move(curve));
  });
  return curves;
}

std::string curve_csv(const std::vector<Curve>& curves, CurveBy by) {
  std::string text(axis_name(by));
  std::vector<double> xs;
  for (const Curve& curve : curves) {
    text += "," + curve.name;
    for (const CurvePoint& point : curve.points) xs.push_back(point.x);
  }
  text += "\n";
  std::sort(xs.begin(), xs.end());
  xs.erase(std::unique(xs.begin(), xs.end()), xs.end());
  std::vector<std::size_t> at(curves.size());
  for (const double x : xs) {
    text += number(x);
    for (std::size_t i = 0; i < curves.size(); ++i) {
      const auto& points = curves[i].points;
      while (at[i] + 1 < points.size() && points[at[i] + 1].x <= x) ++at[i];
      text += fmt::format(",{}", points[at[i]].covered);
    }
    text += "\n";
  }
  return text;
}

}  // namespace snag::coverage
