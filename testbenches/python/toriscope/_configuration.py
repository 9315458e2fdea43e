# SPDX-License-Identifier: Apache-2.0
"""From what a user names - a topology, a dict, a graph, parameters - to the JSON of `toriscope run --config`."""
import hashlib
import json
import os
import tempfile

from ._errors import Error, needed

_files = None


def file_of_graph(graph):
    """A file that has the graph: the same for the same graph, until the process ends."""
    global _files
    networkx = needed("networkx", "networkx", "a network from a graph")
    names = {node: str(node) for node in graph.nodes}
    if len(set(names.values())) < len(names):
        raise Error("two nodes of the graph have the same name as text; expected names that differ")
    text = json.dumps(networkx.node_link_data(networkx.relabel_nodes(graph, names)))
    if _files is None:
        _files = tempfile.TemporaryDirectory(prefix="toriscope-")
    path = os.path.join(_files.name, hashlib.sha256(text.encode()).hexdigest()[:16] + ".json")
    if not os.path.exists(path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return path


def config_of(topology, parameters):
    """A dict as the C interface takes it. topology: "torus:8x8", a configuration as dict or JSON, a graph, or None."""
    config = {}
    if isinstance(topology, dict):
        config.update(topology)
    elif isinstance(topology, str) and topology.lstrip().startswith("{"):
        try:
            config.update(json.loads(topology))
        except ValueError as error:
            raise Error(f"configuration: {error}") from None
    elif isinstance(topology, str):
        config["topology"] = topology
    elif hasattr(topology, "nodes") and hasattr(topology, "edges"):
        config["topology"] = "file:" + file_of_graph(topology)
    elif topology is not None:
        raise Error(f"topology: {type(topology).__name__}; expected a text such as 'torus:8x8', a dict, or a graph of "
                    "networkx")
    for name, value in parameters.items():
        config[name] = list(value) if isinstance(value, tuple) else value
    return config


def json_of(config):
    try:
        return json.dumps(config, default=_plain).encode()
    except (TypeError, ValueError) as error:
        raise Error(f"configuration: {error}; expected numbers, texts and lists of them") from None


def _plain(value):
    """Numbers of NumPy."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"a {type(value).__name__} is not JSON")


def options_of(config):
    """The same as options of the program."""
    options = []
    for name, value in config.items():
        option = "--" + name.replace("_", "-")
        if isinstance(value, dict):
            raise Error(f"{name}: a section; expected options such as vcs=4")
        if value is True:
            options.append(option)
        elif isinstance(value, (list, tuple)):
            options += [option, ",".join(str(v) for v in value)]
        elif value is not False and value is not None:
            options += [option, str(value)]
    return options
