"""Saturation (section 5.2 of the location-pairs paper): coverage against calls of functions, as CSV and SVG."""
import bisect
import functools
import math

from measure.common import number, table

# Program, title, passes. The correct elevator: nothing ends the test early.
PROGRAMS = (("sor", "SOR", 20), ("moldyn", "moldyn", 20), ("elevator3_ok", "Elevator", 300), ("tsp", "TSP", 60))
# The paper's target, by static analysis, of the programs that it names (its Table 2).
PAPER_TARGET = {"SOR": 44, "Elevator": 697, "TSP": 587}
COLOURS = {"line": "#888888", "DU": "#1f77b4", "LP": "#d62728"}
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 360, 60, 36, 20, 50


def curves_of(measured):
    """For each metric the numbers of calls at which something new was covered, sorted."""
    iteration = measured.iterations[0]
    counts = [count for _, count in iteration["curve"]]
    lines = {}
    for index, pc in enumerate(iteration["executed"], start=1):
        place = measured.place("LP", pc)
        if place is None:
            continue
        line = next((frame[1], frame[2]) for frame in place if frame[1] in measured.own_files)
        # Locations are numbered from 1 in the order of their first execution.
        at = min(bisect.bisect_right(counts, index), len(counts) - 1)
        calls = iteration["curve"][at][0]
        lines[line] = min(lines.get(line, calls), calls)
    return {"line": sorted(lines.values()), "DU": sorted(iteration["calls_of"]["DU"].values()),
            "LP": sorted(iteration["calls_of"]["LP"].values())}


def share_at(calls, curve):
    return 100 * bisect.bisect_right(curve, calls) / max(1, len(curve))


def saturated_at(curve, share):
    """Calls until that share of what was covered in the end."""
    return curve[max(0, math.ceil(len(curve) * share / 100) - 1)] if curve else 0


def csv(curves):
    points = sorted(set().union(*curves.values()))
    rows = [f"{calls}," + ",".join(f"{share_at(calls, curve):.1f}" for curve in curves.values()) for calls in points]
    return "\n".join(["calls," + ",".join(curves), *rows]) + "\n"


def svg(title, curves, end):
    """Steps over a logarithmic axis of calls."""
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    begin = max(1, min(curve[0] for curve in curves.values() if curve))
    scale = lambda calls: LEFT + width * math.log(max(calls, begin) / begin) / max(1e-9, math.log(end / begin))
    level = lambda share: TOP + height * (1 - share / 100)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
           f'font-size="12"><rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           f'<text x="{LEFT}" y="20" font-size="14">{title}: coverage, in % of what was covered in the end</text>']
    for share in range(0, 101, 20):
        out.append(f'<path d="M{LEFT} {level(share):.1f}H{LEFT + width}" stroke="#ddd"/>'
                   f'<text x="{LEFT - 6}" y="{level(share) + 4:.1f}" text-anchor="end">{share}</text>')
    for power in range(math.ceil(math.log10(begin)), math.floor(math.log10(end)) + 1):
        x = scale(10 ** power)
        out.append(f'<path d="M{x:.1f} {TOP}V{TOP + height}" stroke="#ddd"/>'
                   f'<text x="{x:.1f}" y="{TOP + height + 16}" text-anchor="middle">{10 ** power:,}</text>')
    out.append(f'<text x="{LEFT + width / 2}" y="{HEIGHT - 10}" text-anchor="middle">calls of functions</text>')
    for index, (name, curve) in enumerate(curves.items()):
        path = f"M{LEFT} {level(0):.1f}"
        for calls in sorted(set(curve)):
            path += f"H{scale(calls):.1f}V{level(share_at(calls, curve)):.1f}"
        out.append(f'<path d="{path}H{LEFT + width}" fill="none" stroke="{COLOURS[name]}" stroke-width="2"/>'
                   f'<text x="{LEFT + width - 8}" y="{level(14 + 10 * index):.1f}" text-anchor="end" '
                   f'fill="{COLOURS[name]}">{name} ({len(curve)})</text>')
    return "\n".join([*out, "</svg>"]) + "\n"


def study_program(study, program, passes):
    return study.measure(program, "--passes", passes, "--keep-going", "--curve")


def measure(study):
    quick = study.bench.quick
    chosen = [row for row in PROGRAMS if (study.bench.options.programs or "") in row[0]]
    if not chosen:
        return [], {}
    measured = study.bench.in_parallel([functools.partial(study_program, study, program, 3 if quick else passes)
                                        for program, _, passes in chosen])
    problems, lines, results = [], [], {}
    for (program, title, passes), one in zip(chosen, measured):
        curves, calls = curves_of(one), one.iterations[0]["calls"]
        name = program.removesuffix("_ok").rstrip("0123456789")
        (study.results / f"{name}.csv").write_text(csv(curves))
        (study.results / f"{name}.svg").write_text(svg(title, curves, max(calls, 10)))
        all_lines = saturated_at(curves["line"], 100)
        lines.append([title, number(calls), *(text for curve in curves.values() for text in
                      (len(curve), number(saturated_at(curve, 90)), number(saturated_at(curve, 100)))),
                      *(f"{share_at(all_lines, curves[metric]):.0f} %" for metric in ("DU", "LP")),
                      f"{len(one.target('LP'))} ({PAPER_TARGET.get(title, '-')})"])
        results[name] = {"calls": calls, "target": len(one.target("LP")), "curves": curves}
        if one.iterations[0]["failed"]:
            problems.append(f"{title}: {one.iterations[0]['failed'][0][1]} in pass {one.iterations[0]['failed'][0][0]}")
    print(f"saturation: how many lines and pairs were covered in the end, and calls until 90 % and all of them; how many\n"
          f"pairs when all lines were covered; the target (paper's). Curves in {study.results}")
    table(["program", "calls", *(text for name in COLOURS for text in (name, "90 %", "all")), "DU then", "LP then",
           "LP target"], lines)
    return problems, {"saturation": results}
