// Implements tool/coverage/report/curve.h: the curve as SVG.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tool/coverage/data/wording.h"
#include "tool/coverage/report/curve.h"

namespace snag::coverage {
namespace {

constexpr double kWidth = 720, kHeight = 420;
constexpr double kLeft = 60, kRight = 20, kTop = 40, kBottom = 50;
constexpr double kLegendRow = 18;
// Distinguishable without colour vision, too (after Okabe and Ito).
constexpr std::array<const char*, 6> kColours = {"#0072b2", "#d55e00", "#009e73",
                                                 "#cc79a7", "#e69f00", "#56b4e9"};

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

// A round distance that gives about five marks.
double mark_distance(double length) {
  if (length <= 0) return 1;
  const double rough = length / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power) return factor * power;
  }
  return 10 * power;
}

std::string_view axis_text(CurveBy by) {
  switch (by) {
    case CurveBy::kTime:
      return "measuring time, seconds";
    case CurveBy::kCalls:
      return "function calls";
    default:
      return "runs";
  }
}

std::string text_at(double x, double y, std::string_view anchor, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     text);
}

}  // namespace

std::string curve_svg(const std::vector<Curve>& curves, CurveBy by, const std::string& program) {
  const double legend = kLegendRow * static_cast<double>(curves.size());
  const double height = kHeight + legend;
  const double plot_width = kWidth - kLeft - kRight, plot_height = kHeight - kTop - kBottom;
  double end = 0;
  for (const Curve& curve : curves) end = std::max(end, curve.points.back().x);
  if (end <= 0) end = 1;
  const auto x_of = [&](double x) { return kLeft + plot_width * x / end; };
  const auto y_of = [&](double percent) { return kTop + plot_height * (1 - percent / 100); };

  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      kWidth, height);
  svg += text_at(kWidth / 2, kTop / 2, "middle", "coverage of " + escaped(program));
  for (int percent = 0; percent <= 100; percent += 20) {
    svg += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>\n", kLeft,
        y_of(percent), kWidth - kRight, y_of(percent));
    svg += text_at(kLeft - 6, y_of(percent) + 4, "end", fmt::format("{} %", percent));
  }
  const double distance = mark_distance(end);
  for (int i = 0; i * distance <= end * (1 + 1e-9); ++i) {
    const double x = i * distance;
    svg += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"#888\"/>\n",
        x_of(x), kHeight - kBottom, kHeight - kBottom + 4);
    svg += text_at(x_of(x), kHeight - kBottom + 18, "middle", fmt::format("{:g}", x));
  }
  svg += text_at(kLeft + plot_width / 2, kHeight - kBottom + 38, "middle", axis_text(by));

  for (std::size_t i = 0; i < curves.size(); ++i) {
    const Curve& curve = curves[i];
    const char* colour = kColours[i % kColours.size()];
    const std::uint64_t covered = curve.points.back().covered;
    const auto whole = static_cast<double>(std::max<std::uint64_t>({curve.target, covered, 1}));
    std::string path;
    double y = y_of(0);
    for (const CurvePoint& point : curve.points) {
      const double x = x_of(point.x);
      // What is covered once stays covered: steps, not slopes.
      path += fmt::format("{:.1f},{:.1f} ", x, y);
      y = y_of(100 * static_cast<double>(point.covered) / whole);
      path += fmt::format("{:.1f},{:.1f} ", x, y);
    }
    path.pop_back();
    svg += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n",
                       path, colour);
    const double row = kHeight + kLegendRow * static_cast<double>(i);
    svg += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
        "stroke-width=\"2\"/>\n",
        kLeft, row - 4, kLeft + 24, row - 4, colour);
    const auto metric = parse_metric(curve.name);
    const std::string name(metric ? long_name(*metric) : std::string_view(curve.name));
    svg += text_at(kLeft + 32, row, "start",
                   curve.target > 0
                       ? fmt::format("{}: {} of {}", name, grouped(covered), grouped(curve.target))
                       : fmt::format("{}: {}, in percent of these", name, grouped(covered)));
  }
  return svg + "</svg>\n";
}

}  // namespace snag::coverage
