"""Time per draw of one of m values over m: the alias method of ``deciban.oracles.CategoricalSampler`` next to NumPy's.

Run as ``python -m benchmarks.categorical_sampler``.
"""

from __future__ import annotations

import time

import numpy as np

from deciban import oracles

DRAWS, REPEATS = 1_000_000, 5
SIZES = (10, 100, 1_000, 10_000, 100_000, 1_000_000)


def best_time(function: object) -> float:
    """Return the shortest of several run times, in seconds."""
    times = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        function()  # type: ignore[operator]
        times.append(time.perf_counter() - begin)
    return min(times)


def main() -> None:
    """Print a line for every number of values."""
    print(f"{'values':>10}  {'to prepare, ms':>14}  {'ns per draw':>11}  {'NumPy choice, ns per draw':>25}")
    for size in SIZES:
        weight = 1 / np.arange(1, size + 1) ** 1.1
        share = weight / weight.sum()
        rng = np.random.default_rng(0)
        sampler = oracles.CategoricalSampler(weight)
        prepare = best_time(lambda w=weight: oracles.CategoricalSampler(w))
        draw = best_time(lambda s=sampler, r=rng: s.draw(DRAWS, r))
        numpy = best_time(lambda n=size, p=share, r=rng: r.choice(n, DRAWS, p=p))
        print(f"{size:>10,}  {1e3 * prepare:>14.3f}  {1e9 * draw / DRAWS:>11.1f}  {1e9 * numpy / DRAWS:>25.1f}")


if __name__ == "__main__":
    main()
