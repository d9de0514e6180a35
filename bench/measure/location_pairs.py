"""The studies of the location-pairs paper (its section 5), on the programs of bench/papers/location-pairs."""
import json
import subprocess

from measure import location_pairs_curves, location_pairs_ftp, location_pairs_table
from measure.common import read_tsv


class Study:
    """The programs, and what measures them."""

    def __init__(self, bench):
        self.bench = bench
        self.sources = bench.root / "bench" / "papers" / "location-pairs"
        self.folder = bench.build / "bench" / "papers" / "location-pairs"
        self.results = bench.build / "bench" / "location_pairs"
        self.results.mkdir(parents=True, exist_ok=True)

    def programs(self):
        return read_tsv(self.sources / "programs.tsv")

    def paper(self):
        return {row["row"]: row for row in read_tsv(self.sources / "table1.tsv")}

    def measure(self, program, *options, arguments=()):
        """What bench/papers/location-pairs/measure.cc prints, with the pairs that count (see Measured)."""
        command = [self.folder / "measure", *options, "--", self.folder / program, *arguments]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            raise RuntimeError(f"{program}: {done.stderr.strip()}")
        return Measured(json.loads(done.stdout), {path.name for path in self.sources.iterdir()})


class Measured:
    """Pairs of places instead of program counters. A place is a source position with the functions that it was
    inlined through. Those of the standard library do not count, nor do those in functions named Check...: that is
    the test, not the program."""

    COVERED, TARGET = 4, 8

    def __init__(self, data, own_files):
        self.own_files = own_files
        self.places = {int(pc): tuple((frame["function"], frame["file"], frame["line"], frame["column"])
                                      for frame in frames) for pc, frames in data["locations"].items()}
        self.iterations = data["iterations"]
        for iteration in self.iterations:
            iteration["covered"] = {"LP": {}, "DU": {}, "MP": {}}  # pair: the first pass
            iteration["calls_of"] = {"LP": {}, "DU": {}, "MP": {}}  # pair: calls until then
            iteration["target"] = {"LP": set(), "DU": set(), "MP": set()}
            for metric, first, second, number, calls, flags in iteration.pop("pairs"):
                pair = (self.place(metric, first), self.place(metric, second))
                if None in pair:
                    continue
                if flags & self.COVERED:
                    for known, value in ((iteration["covered"][metric], number), (iteration["calls_of"][metric], calls)):
                        known[pair] = min(known.get(pair, value), value)
                if flags & self.TARGET:
                    iteration["target"][metric].add(pair)

    def place(self, metric, pc):
        frames = self.places[pc]
        if metric == "MP":
            frames = frames[-1:]  # the function that was called
        if not frames or not any(frame[1] in self.own_files for frame in frames):
            return None
        if any(frame[0].rsplit("::")[-1].startswith("Check") for frame in frames):
            return None
        return tuple(frame[0] for frame in frames) if metric == "MP" else frames

    def coverable(self, metric):
        """All that any pass has covered."""
        return set().union(*(iteration["covered"][metric] for iteration in self.iterations))

    def target(self, metric):
        return set().union(*(iteration["target"][metric] for iteration in self.iterations))


def measure(bench):
    bench.make("bench_location_pairs")
    study = Study(bench)
    problems, results = [], {}
    for part in (location_pairs_table, location_pairs_curves, location_pairs_ftp):
        more, result = part.measure(study)
        problems += more
        results.update(result)
        print()
    bench.save("location_pairs", results)
    return problems
