# SPDX-License-Identifier: Apache-2.0
"""One run, and many in parallel."""
import concurrent.futures
import itertools
import multiprocessing
import os
import signal
import statistics

from . import _errors, _plots
from ._configuration import config_of
from ._errors import Error, needed
from ._network import Network


def run(topology=None, *, allow_deadlock=False, **parameters):
    """One run from warm-up to drain; topology and parameters as for Network, traffic is a pattern or a section.

    >>> import toriscope
    >>> toriscope.run("hypercube:4", rate=0.2, packet=4, warmup=200, cycles=1000, seed=2).stable
    True
    """
    with Network(config_of(topology, parameters), allow_deadlock=allow_deadlock) as network:
        return network.run()


# What may vary within a curve, by option and by path.
_RATE = {"rate", "traffic.rate_flits_per_node_cycle"}
_SEED = {"seed", "traffic.seed"}


def _mean(values):
    known = [value for value in values if value is not None]
    return statistics.mean(known) if known else None


def _run_point(config, allow_deadlock):
    return run(config, allow_deadlock=allow_deadlock)


class Sweep:
    """The results of many runs: `points` has what varies in each, `results` its Results."""

    def __init__(self, points, results):
        self.points, self.results = points, results

    def __len__(self):
        return len(self.results)

    def __iter__(self):
        return iter(self.results)

    def frame(self):
        """A pandas.DataFrame with a row for each run: what varies, then all figures. A figure with the name of what
        varies, such as cycles, is the column results.NAME."""
        pandas = needed("pandas", "pandas", "Sweep.frame()")
        rows = []
        for point, results in zip(self.points, self.results):
            figures = {f"results.{name}" if name in point else name: value
                       for name, value in results.figures.items() if name != "latency.histogram.counts"}
            rows.append({**point, **figures})
        return pandas.DataFrame(rows)

    def curves(self):
        """{label: [(offered load, mean latency, stable)]}: a curve for each combination of what varies but for load
        and seed; the means over seeds, stable where all are. The load is that which was asked for, or where it does
        not vary, the mean of what was offered. Of equal labels (graphs without a name) the second is "LABEL (2)"."""
        gathered, labels = {}, {}
        for point, results in zip(self.points, self.results):
            varies = [value for name, value in point.items() if name not in _RATE | _SEED]
            key = tuple(id(value) if hasattr(value, "nodes") else repr(value) for value in varies)
            labels.setdefault(key, ", ".join(map(str, varies)) or "latency")
            rate = next((point[name] for name in _RATE if name in point), None)
            gathered.setdefault(key, {}).setdefault(rate, []).append(results)
        lines = {}
        for key, by_rate in gathered.items():
            label, copies = labels[key], 1
            while label in lines:
                copies += 1
                label = f"{labels[key]} ({copies})"
            for rate, runs in by_rate.items():
                load = _mean([r["offered"] for r in runs]) if rate is None else rate
                point = load, _mean([r["latency.mean"] for r in runs]), all(r.stable for r in runs)
                lines.setdefault(label, []).append(point)
        return lines

    def plot_latency(self, axes=None):
        """Latency by offered load, the stable points. Returns the matplotlib axes."""
        return _plots.curves(self.curves(), axes)


def sweep(topology=None, *, jobs=None, allow_deadlock=False, **parameters):
    """Runs all combinations of the values of the parameters that are lists (or NumPy arrays, or ranges), in as many
    processes as there are processors. A tuple is one value that is a list.

    >>> import toriscope
    >>> found = toriscope.sweep(topology=["mesh:4x4", "torus:4x4"], rate=[0.05, 0.1], packet=4, warmup=200, cycles=1000)
    >>> [(point["topology"], point["rate"]) for point in found.points]
    [('mesh:4x4', 0.05), ('mesh:4x4', 0.1), ('torus:4x4', 0.05), ('torus:4x4', 0.1)]
    >>> all(results.stable for results in found)
    True
    """
    given = {"topology": topology, **parameters}
    varied = {name: list(values) for name, values in given.items()
              if isinstance(values, (list, range)) or hasattr(values, "tolist") and getattr(values, "ndim", 0) == 1}
    for name, values in varied.items():
        if not values:
            raise Error(f"sweep: the list of {name} is empty; expected one value at least")
    fixed = {name: value for name, value in given.items() if name not in varied and name != "topology"}
    points = [dict(zip(varied, values)) for values in itertools.product(*varied.values())]
    configs = []
    for point in points:
        of_point = {name: value for name, value in point.items() if name != "topology"}
        configs.append(config_of(point.get("topology", topology), {**fixed, **of_point}))
    if jobs is not None and _errors.whole(jobs, "jobs") < 1:
        raise Error(f"jobs: {jobs}; expected a whole number from 1")
    jobs = min(jobs or len(os.sched_getaffinity(0)), len(configs))
    if jobs == 1:
        results = [_run_point(config, allow_deadlock) for config in configs]
    else:
        context = multiprocessing.get_context("fork")
        with concurrent.futures.ProcessPoolExecutor(  # Ctrl-C ends them at once
                jobs, mp_context=context, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_DFL)) as pool:
            results = list(pool.map(_run_point, configs, itertools.repeat(allow_deadlock)))
    return Sweep(points, results)
