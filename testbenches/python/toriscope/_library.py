# SPDX-License-Identifier: Apache-2.0
"""libtoriscope.so by ctypes: the functions of <toriscope/c_api.h>."""
import ctypes
import os
from ctypes import POINTER, c_char_p, c_int, c_size_t, c_uint, c_uint32, c_uint64, c_void_p

ABI = 1
OK, FAILED, BAD_INPUT = 0, 1, 2
WITH_TRAFFIC, ALLOW_DEADLOCK = 1, 2
NONE = 2**64 - 1
FATES = ("received", "discarded", "refused")

PACKET_FIELDS = ([(name, c_uint64) for name in ("number", "created", "head_sent", "ended")] +
                 [(name, c_uint32) for name in ("source", "destination", "flits", "hops", "message_class", "fate")])
STATISTICS_FIELDS = [(name, c_uint64) for name in (
    "cycles", "packets_created", "packets_received", "packets_discarded", "packets_refused", "flits_created",
    "flits_injected", "flits_ejected", "flits_discarded", "latency_sum", "latency_least", "latency_most",
    "network_latency_sum", "hops_sum", "under_way", "packet_hash")]


class CPacket(ctypes.Structure):
    _fields_ = PACKET_FIELDS


class CStatistics(ctypes.Structure):
    _fields_ = STATISTICS_FIELDS


WATCHER = ctypes.CFUNCTYPE(None, c_void_p, c_uint64, c_char_p, c_uint64)

FUNCTIONS = {
    "abi": (c_uint, []),
    "version": (c_char_p, []),
    "error": (c_char_p, []),
    "create": (c_void_p, [c_char_p, c_uint]),
    "create_around": (c_void_p, [c_char_p, c_uint, c_char_p]),
    "destroy": (None, [c_void_p]),
    "config": (c_char_p, [c_void_p]),
    "wiring": (c_char_p, [c_void_p]),
    "terminals": (c_uint32, [c_void_p]),
    "inject": (c_int, [c_void_p, c_uint32, c_uint32, c_uint32, c_uint32, POINTER(c_uint64)]),
    "step": (c_int, [c_void_p, c_uint64]),
    "cycle": (c_uint64, [c_void_p]),
    "idle": (c_int, [c_void_p]),
    "receive": (c_int, [c_void_p, POINTER(CPacket)]),
    "failure": (c_char_p, [c_void_p]),
    "find_node": (c_uint32, [c_void_p, c_char_p, c_uint32]),
    "ports": (c_uint32, [c_void_p, c_uint32]),
    "local_ports": (c_uint32, [c_void_p, c_uint32]),
    "shown": (c_int, [c_void_p, c_uint32, c_uint32, POINTER(c_uint64), POINTER(c_uint32)]),
    "sent": (c_int, [c_void_p, c_uint32, c_uint32, POINTER(c_uint64), POINTER(c_uint32)]),
    "compare": (c_int, [c_void_p, c_uint32, c_uint32, c_uint64, c_uint32]),
    "drive": (c_int, [c_void_p, c_uint32, c_uint32, c_uint64, c_uint32]),
    "get_statistics": (c_int, [c_void_p, POINTER(CStatistics)]),
    "clear_statistics": (None, [c_void_p]),
    "wire_flits": (c_size_t, [c_void_p, c_void_p, c_size_t]),
    "run": (c_int, [c_void_p]),
    "results": (c_char_p, [c_void_p]),
    "signals": (c_char_p, [c_void_p, c_char_p]),
    "find_signal": (c_void_p, [c_void_p, c_char_p]),
    "value": (c_uint64, [c_void_p]),
    "width": (c_uint, [c_void_p]),
    "watch": (c_int, [c_void_p, c_char_p, WATCHER, c_void_p]),
    "unwatch": (None, [c_void_p]),
    "wave_on": (c_int, [c_void_p, c_char_p, c_char_p]),
    "wave_off": (c_int, [c_void_p]),
}


def place_of(what, variable, otherwise):
    """Where the library and the program are: as the environment says, beside this package as installed, anywhere."""
    if variable in os.environ:
        return os.environ[variable]
    try:
        from . import _place  # written by cmake --install
    except ImportError:
        return otherwise
    path = os.path.normpath(os.path.join(os.path.dirname(__file__), getattr(_place, what)))
    return path if os.path.exists(path) else otherwise


def load():
    path = place_of("LIBRARY", "TORISCOPE_LIBRARY", f"libtoriscope.so.{ABI}")
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"{path} cannot be loaded ({error}); set TORISCOPE_LIBRARY to where libtoriscope.so is"
                          ) from None
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, "toriscope_" + name, None)
        if function is None:
            raise ImportError(f"{path} has no function toriscope_{name}; set TORISCOPE_LIBRARY to where "
                              "libtoriscope.so of this version is")
        function.restype, function.argtypes = result, arguments
    if library.toriscope_abi() != ABI:
        raise ImportError(f"{path} has ABI {library.toriscope_abi()}; expected {ABI}")
    return library


lib = load()


def version():
    """The version of the library, "0.1.0"."""
    return lib.toriscope_version().decode()


def abi():
    """The ABI of the C interface that is in use."""
    return lib.toriscope_abi()


def last_error():
    return lib.toriscope_error().decode()
