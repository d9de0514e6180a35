"""What scripts/bench measures: one part a file, each with measure(bench) -> problems."""
