# SPDX-License-Identifier: Apache-2.0
"""From what a user names - a topology, a dict, a graph, parameters - to the JSON of `toriscope run --config`."""
import hashlib
import json
import math
import os
import re
import tempfile

from ._errors import Error, needed

_files = None


def plain(value, place, otherwise):
    """The same as what JSON has; what it does not have is otherwise(value, place)."""
    if isinstance(value, dict):
        return {str(key): plain(v, f"{place}.{key}" if place else str(key), otherwise) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v, f"{place}[{i}]", otherwise) for i, v in enumerate(value)]
    if hasattr(value, "tolist") and not isinstance(value.tolist(), type(value)):  # of NumPy
        return plain(value.tolist(), place, otherwise)
    if value is None or isinstance(value, (str, int)) or isinstance(value, float) and math.isfinite(value):
        return value
    return otherwise(value, place)


def _rejected(value, place):
    what = value if isinstance(value, float) else f"a value of type {type(value).__name__}"
    raise Error(f"configuration: {place}: {what} is not JSON; expected numbers, texts and lists of them")


def file_of_graph(graph):
    """A file that has the graph: the same for the same graph, until the process ends."""
    global _files
    networkx = needed("networkx", "networkx", "a network from a graph")
    names = {node: str(node) for node in graph.nodes}
    if len(set(names.values())) < len(names):
        raise Error("two nodes of the graph have the same name as text; expected names that differ")
    data = networkx.node_link_data(networkx.relabel_nodes(graph, names))
    text = json.dumps(plain(data, "", lambda value, _: str(value)))  # as a text: an error where it has a meaning
    if _files is None:
        _files = tempfile.TemporaryDirectory(prefix="toriscope-")
    path = os.path.join(_files.name, hashlib.sha256(text.encode()).hexdigest()[:16] + ".json")
    if not os.path.exists(path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return path


def _object(pairs):
    found = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key!r} is given twice")
        found[key] = value
    return found


def without_files(message):
    """The message, which names the graph where it names its file."""
    if _files is None:
        return message
    return re.sub(rf"(network file |file:)?{re.escape(_files.name)}/\w+\.json", "the graph", message)


def config_of(topology, parameters):
    """A dict as the C interface takes it. topology: "torus:8x8", a configuration as dict or JSON, a graph, or None."""
    config = {}
    if isinstance(topology, dict):
        config.update(topology)
    elif isinstance(topology, str) and topology.lstrip().startswith("{"):
        try:
            config.update(json.loads(topology, object_pairs_hook=_object))
        except (ValueError, RecursionError) as error:
            raise Error(f"configuration: {error}") from None
    elif isinstance(topology, str):
        config["topology"] = topology
    elif hasattr(topology, "nodes") and hasattr(topology, "edges"):
        config["topology"] = "file:" + file_of_graph(topology)
    elif topology is not None:
        raise Error(f"topology: {type(topology).__name__}; expected a text such as 'torus:8x8', a dict, or a graph of "
                    "networkx")
    config.update(parameters)
    try:
        return plain(config, "", _rejected)
    except RecursionError:
        raise Error("configuration: it contains itself, or is nested too deeply") from None


def options_of(config):
    """The same as options of the program."""
    options = []
    for name, value in config.items():
        option = "--" + name.replace("_", "-")
        if isinstance(value, dict):
            raise Error(f"{name}: a section; expected options such as vcs=4")
        if value is True:
            options.append(option)
        elif isinstance(value, list):
            options += [option, ",".join(str(v) for v in value)]
        elif value is not False and value is not None:
            options += [option, str(value)]
    return options
