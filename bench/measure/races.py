"""Data races: the programs of tests/programs/races, by Snag and by ThreadSanitizer."""
from measure.detectors import Suite


def measure(bench):
    return Suite(bench, "races", "thread", "ThreadSanitizer", ["--races=report"]).measure()
