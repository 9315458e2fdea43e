# SPDX-License-Identifier: Apache-2.0
"""The results of a run, as `toriscope run --json` writes them."""
import difflib
import json

from . import _plots
from ._errors import needed


def _leaves(tree, path=""):
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{path}{key}.")
        else:
            yield path + key, value


class Results:
    """Figures by name (docs/figures.md), None where there is no value.

    >>> import toriscope
    >>> results = toriscope.run("mesh:4x4", rate=0.1, warmup=200, cycles=1000)
    >>> results["latency.zero_load_model"] < results["latency.mean"]
    True
    """

    def __init__(self, text, wiring_text):
        self.text = text  # the JSON as it is
        self._tree = json.loads(text)
        self._wiring_text = wiring_text
        self.figures = dict(_leaves(self._tree["results"]))

    def __reduce__(self):
        return Results, (self.text, self._wiring_text)

    def __getitem__(self, name):
        if name not in self.figures:
            near = difflib.get_close_matches(str(name), self.figures)
            raise KeyError(f"there is no figure {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        return self.figures[name]

    def __repr__(self):
        state = "failed" if self.failure else "stable" if self.stable else "not stable"
        return f"Results({self.config['topology']['spec']!r}, {state}, accepted {self['accepted']})"

    @property
    def config(self):
        """The effective configuration, as a tree."""
        return self._tree["config"]

    @property
    def parameters(self):
        """The effective configuration by path, {"router.vcs": 4}."""
        return dict(_leaves(self.config))

    @property
    def wiring(self):
        """As Network.wiring."""
        return json.loads(self._wiring_text)

    @property
    def units(self):
        """Units by name."""
        return {name[len("results."):]: unit for name, unit in self._tree["units"].items()
                if name.startswith("results.")}

    @property
    def stable(self):
        """The run was in a steady state to the end of its window."""
        return self["stable"] is True

    @property
    def failure(self):
        """Why the run stopped: one line; None: it did not."""
        return self.figures.get("failure")

    @property
    def histogram(self):
        """(latencies, packets): NumPy arrays; each latency is the least of its bin."""
        numpy = needed("numpy", "numpy", "Results.histogram")
        bins = self._tree["results"]["latency"]["histogram"]
        counts = numpy.array(bins["counts"], dtype=numpy.int64)
        return bins["first"] + bins["bin_width"] * numpy.arange(len(counts)), counts

    @property
    def links(self):
        """Flits per cycle over each link in the measured cycles: a NumPy array by number."""
        return needed("numpy", "numpy", "Results.links").array(self._tree.get("links", []), dtype=float)

    @property
    def links_busy(self):
        """The share of cycles in which each link was in use."""
        return needed("numpy", "numpy", "Results.links_busy").array(self._tree.get("links_busy", []), dtype=float)

    def link_frame(self):
        """A pandas.DataFrame with a row for each link: where it leads, and how much it was used."""
        frame = needed("pandas", "pandas", "Results.link_frame()").DataFrame(self.wiring["links"])
        return frame.assign(utilisation=self.links, busy=self.links_busy)

    def frame(self):
        """A pandas.DataFrame with one row: the parameters and figures of the run."""
        values = {**self.parameters, **self.figures}
        values.pop("latency.histogram.counts", None)
        return needed("pandas", "pandas", "Results.frame()").DataFrame([values])

    def plot_links(self, axes=None):
        """Draws the network with each link in the colour of its busy share. Returns the matplotlib axes."""
        return _plots.link_map(self.wiring, self.links_busy, axes)

    def plot_histogram(self, axes=None):
        """Packets by latency. Returns the matplotlib axes."""
        return _plots.histogram(*self.histogram, axes)
