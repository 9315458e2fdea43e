# SPDX-License-Identifier: Apache-2.0
"""Curves and maps with matplotlib."""
from ._errors import needed


def new_axes(axes):
    return axes if axes is not None else needed("matplotlib.pyplot", "matplotlib", "a picture").subplots()[1]


def link_map(wiring, shares, axes=None):
    axes = new_axes(axes)
    collections = needed("matplotlib.collections", "matplotlib", "a picture")
    places = [node["position"] for node in wiring["nodes"]]
    lines = []
    for link in wiring["links"]:
        (x0, y0), (x1, y1) = places[link["from"]], places[link["to"]]
        dx, dy = x1 - x0, y1 - y0
        length = (dx * dx + dy * dy) ** 0.5 or 1
        aside = 0.08 * min(length, 10)  # so that the two ways of a link stand beside each other
        shift = (-dy / length * aside, dx / length * aside)
        (x0, y0), (x1, y1) = (x0 + shift[0], y0 + shift[1]), (x1 + shift[0], y1 + shift[1])
        xb, yb = link["bend"] or ((x0 + x1) / 2, (y0 + y1) / 2)
        steps = [i / 12 for i in range(13)] if link["bend"] else [0, 1]
        lines.append([((1 - t) ** 2 * x0 + 2 * t * (1 - t) * xb + t * t * x1,
                       (1 - t) ** 2 * y0 + 2 * t * (1 - t) * yb + t * t * y1) for t in steps])
    drawn = collections.LineCollection(lines, array=shares, cmap="viridis_r", linewidths=2)
    drawn.set_clim(0, max(1e-9, float(max(shares, default=0))))
    axes.add_collection(drawn)
    axes.scatter(*zip(*places), s=12, color="black", zorder=2)
    axes.set_aspect("equal")
    axes.invert_yaxis()
    axes.set_axis_off()
    axes.figure.colorbar(drawn, ax=axes, label="share of cycles in use")
    return axes


def histogram(latencies, packets, axes=None):
    axes = new_axes(axes)
    axes.step(latencies, packets, where="post")
    axes.set_xlabel("latency in cycles")
    axes.set_ylabel("packets")
    return axes


def curves(lines, axes=None):
    """lines: {label: [(load, latency, stable)]}"""
    axes = new_axes(axes)
    for label, points in lines.items():
        steady = sorted((load, latency) for load, latency, stable in points if stable and latency is not None)
        axes.plot(*(zip(*steady) if steady else ((), ())), marker="o", label=label)
    axes.set_xlabel("offered load in flits per node and cycle")
    axes.set_ylabel("mean latency in cycles")
    axes.legend()
    return axes
