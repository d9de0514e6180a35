"""Heap errors: the programs of tests/programs/heap, by Snag and by AddressSanitizer."""
from measure.detectors import Suite


def measure(bench):
    return Suite(bench, "heap", "address", "AddressSanitizer", ["--races=off"]).measure()
