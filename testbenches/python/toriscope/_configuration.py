# SPDX-License-Identifier: Apache-2.0
"""From what a user names - a topology, a dict, a graph, parameters - to the JSON of `toriscope run --config`."""
import hashlib
import json
import math
import os
import re
import tempfile
import threading

from ._errors import Error, needed, shown

_files = None
_making_files = threading.Lock()


def plain(value, place, otherwise):
    """The same as what JSON has; what it does not have is otherwise(value, place)."""
    if isinstance(value, dict):
        return {str(key): plain(v, f"{place}.{key}" if place else str(key), otherwise) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v, f"{place}[{i}]", otherwise) for i, v in enumerate(value)]
    if hasattr(value, "tolist") and not isinstance(value.tolist(), type(value)):  # of NumPy
        return plain(value.tolist(), place, otherwise)
    if isinstance(value, int) and value.bit_length() > 64:
        return otherwise(value, place)
    if value is None or isinstance(value, (str, int)) or isinstance(value, float) and math.isfinite(value):
        return value
    return otherwise(value, place)


def _rejected(value, place):
    if isinstance(value, int):
        raise Error(f"configuration: {place}: {shown(value)}; expected 64 bits at most")
    what = value if isinstance(value, float) else f"a value of type {type(value).__name__}"
    raise Error(f"configuration: {place}: {what} is not JSON; expected numbers, texts and lists of them")


def _text(value):
    return shown(value) if isinstance(value, int) else str(value)


def file_of_graph(graph):
    """A file that has the graph: the same for the same graph, until the process ends."""
    global _files
    networkx = needed("networkx", "networkx", "a network from a graph")
    names = {node: str(node) for node in graph.nodes}
    if len(set(names.values())) < len(names):
        raise Error("two nodes of the graph have the same name as text; expected names that differ")
    data = networkx.node_link_data(networkx.relabel_nodes(graph, names))
    text = json.dumps(plain(data, "", lambda value, _: _text(value)))  # as a text: an error where it has a meaning
    try:
        with _making_files:
            if _files is None:
                _files = tempfile.TemporaryDirectory(prefix="toriscope-")
            path = os.path.join(_files.name, hashlib.sha256(text.encode()).hexdigest()[:16] + ".json")
            if not os.path.exists(path):
                with open(path + ".part", "w", encoding="utf-8") as file:
                    file.write(text)
                os.replace(path + ".part", path)
    except OSError as error:
        raise Error(f"the file of a graph: {error}") from None
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


def _with(config, parameters):
    """Both. What each sets of a section counts; of a value that both name, the parameter does."""
    both = {**config, **parameters}
    for name in parameters:
        given = [each[name] for each in (config, parameters) if name in each]
        if len(given) < 2 or not any(isinstance(each, dict) for each in given):
            continue
        if name == "traffic":  # a text is its pattern
            given = [{"pattern": each} if isinstance(each, str) else each for each in given]
        if not all(isinstance(each, dict) for each in given):
            raise Error(f"configuration: {name}: expected an object, {{...}}")
        for key in given[1]:
            if key in given[0]:
                raise Error(f"configuration: '{name}.{key}' and the parameter '{name}' set the same parameter; "
                            "keep one of them")
        both[name] = {**given[0], **given[1]}
    return both


def config_of(topology, parameters):
    """A dict as the C interface takes it. topology: "torus:8x8", a configuration as dict or JSON, the result of a run
    likewise, a graph, or None."""
    config = {}
    if isinstance(topology, str) and topology.lstrip().startswith("{"):
        try:
            topology = json.loads(topology, object_pairs_hook=_object)
        except (ValueError, RecursionError) as error:
            raise Error(f"configuration: {error}") from None
    if isinstance(topology, dict):
        config = topology["config"] if "config" in topology and "results" in topology else topology
        if not isinstance(config, dict):
            raise Error("configuration: config: expected an object, {...}")
    elif isinstance(topology, str):
        config["topology"] = topology
    elif hasattr(topology, "nodes") and hasattr(topology, "edges"):
        config["topology"] = "file:" + file_of_graph(topology)
    elif topology is not None:
        raise Error(f"topology: {type(topology).__name__}; expected a text such as 'torus:8x8', a dict, or a graph of "
                    "networkx")
    try:
        return plain(_with(config, parameters), "", _rejected)
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
