# SPDX-License-Identifier: Apache-2.0
"""What calls raise, and packages that are needed by some."""
import importlib
import operator


class Error(Exception):
    """A call that is not obeyed: one line with what is wrong, where, and what would be right.

    >>> import toriscope
    >>> toriscope.Network("meh:4x4")
    Traceback (most recent call last):
    ...
    toriscope.Error: unknown topology 'meh'; did you mean 'mesh'?
    """
    __module__ = "toriscope"


class NetworkFailure(Error):
    """A deadlock or a broken invariant. `details` has a line for each part of it."""
    __module__ = "toriscope"

    def __init__(self, message, details=()):
        super().__init__(message)
        self.details = list(details)

    def __reduce__(self):
        return NetworkFailure, (str(self), self.details)


def shown(number):
    """The whole number as text, which Python refuses of a very long one."""
    return str(number) if number.bit_length() <= 100 else f"a number of {number.bit_length()} bits"


def whole(value, what):
    """The value as an int."""
    try:
        return operator.index(value)
    except TypeError:
        raise Error(f"{what}: {value!r}; expected a whole number") from None


def needed(module, package, what):
    """The module, or one line on how to get it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise Error(f"{what} needs {package}, which is not installed (Debian: apt-get install python3-{package})"
                    ) from None
