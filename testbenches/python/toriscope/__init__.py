# SPDX-License-Identifier: Apache-2.0
"""Networks of routers, cycle by cycle (docs/python.md).

A network that is stepped:

>>> import toriscope
>>> net = toriscope.Network("mesh:4x4")
>>> net.inject(0, 5, flits=4)
0
>>> net.step_until_idle()
>>> [(p.destination, p.hops, p.latency) for p in net.receive()]
[(5, 2, 16)]

A run as `toriscope run` does it:

>>> results = toriscope.run("torus:4x4", rate=0.1, warmup=500, cycles=2000)
>>> results.stable, results["latency.p50"]
(True, 31)

NumPy, pandas, matplotlib and networkx are needed only by what returns or takes their objects.
"""
from ._errors import Error, NetworkFailure
from ._library import abi, version
from ._network import Network, Packet, Signal, Statistics
from ._program import analyze, prove
from ._results import Results
from ._sweep import Sweep, run, sweep

__version__ = version()
__all__ = ["Error", "Network", "NetworkFailure", "Packet", "Results", "Signal", "Statistics", "Sweep", "abi", "analyze",
           "prove", "run", "sweep", "version"]
