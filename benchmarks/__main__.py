"""`make bench`: every measurement that takes minutes at most; each prints ratios against a named peer."""

from benchmarks import overhead, timings

timings.main()
overhead.main()
