# SPDX-License-Identifier: Apache-2.0
"""What the program does and the library does not: proofs and analyses."""
import json
import subprocess

from ._configuration import config_of, options_of, without_files
from ._errors import Error
from ._library import place_of


def _json_of(command, statuses, topology, parameters):
    program = place_of("PROGRAM", "TORISCOPE_PROGRAM", "toriscope")
    config = config_of(topology, parameters)
    if "json" in config:
        raise Error(f"json: {command}() returns what the program writes there; expected no such parameter")
    arguments = [program, command, "--json", "-", *options_of(config)]
    try:
        done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    except ValueError as error:  # U+0000, half a surrogate pair
        raise Error(f"{command}: {error}; expected texts that options may have") from None
    except OSError as error:
        raise Error(f"{program} cannot be run ({error.strerror}); set TORISCOPE_PROGRAM to where the program is"
                    ) from None
    if done.returncode not in statuses:
        message = done.stderr.strip().split("\n")[-1] or f"toriscope {command} left with status {done.returncode}"
        raise Error(without_files(message))
    try:
        return json.loads(done.stdout)
    except ValueError:
        raise Error(f"{program} {command} printed what is not JSON; set TORISCOPE_PROGRAM to where the program is"
                    ) from None


def prove(topology=None, **parameters):
    """Whether a routing is free of deadlock, as `toriscope prove` finds out (docs/proof.md): a dict.

    >>> import toriscope
    >>> toriscope.prove("torus:4x4")["verdict"]
    'proven'
    >>> proof = toriscope.prove("ttn:2,2,0", vc_rule="paper", vcs=2, no_witness=True)
    >>> proof["verdict"], len(proof["cycle"])
    ('cyclic', 10)
    """
    return _json_of("prove", (0, 1), topology, parameters)


def analyze(topology=None, **parameters):
    """Degree, distances, cuts, wires and channel loads, as `toriscope analyze` finds them (docs/analysis.md): a dict.

    >>> import toriscope
    >>> toriscope.analyze("torus:4x4")["shortest"]["diameter"]
    4
    """
    return _json_of("analyze", (0,), topology, parameters)
