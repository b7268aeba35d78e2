"""Loads the C libraries, declares their functions, and turns statuses into exceptions."""

import ctypes
import functools
import os
import threading
from pathlib import Path

from . import _declarations as c

ABI_VERSION = 1


class Error(ValueError):
    """Wrong input, a bad file, no memory, or a call that was stopped.

    Attributes: `index`, the position of the first bad element, or -1; `subject`, what the error is about, as "ray 17" or
    "scene.csv:17: sphere 15"; `reason`; `status`, the number of the C interface (SPHAERA_INVALID_ARGUMENT = 1, ...).
    """

    def __init__(self, reason, *, subject="", index=-1, status=c.SPHAERA_INVALID_ARGUMENT):
        super().__init__(f"{subject}: {reason}" if subject else reason)
        self.reason, self.subject, self.index, self.status = reason, subject, index, status


def _load(header, name, variable):
    """The library lib`name`.so.1 with the functions of a header."""
    file = f"lib{name}.so.1"
    beside = Path(__file__).with_name(file)  # in a wheel
    chosen = os.environ.get(variable) or (str(beside) if beside.exists() else file)
    try:
        loaded = ctypes.CDLL(chosen)
        for function, (result, parameters) in c.FUNCTIONS[header].items():
            declared = getattr(loaded, function)
            declared.restype, declared.argtypes = result, parameters
    except (OSError, AttributeError) as error:
        raise ImportError(f"sphaera needs the library lib{name}: {error}. Install the Debian package lib{name}1, "
                          f"or set {variable} to the file") from None
    return loaded


library = _load("sphaera", "sphaera-c", "SPHAERA_LIBRARY")
if library.sphaera_abi_version() != ABI_VERSION:
    raise ImportError(f"libsphaera-c has version {library.sphaera_abi_version()} of the interface; this package needs "
                      f"{ABI_VERSION}")


@functools.lru_cache(maxsize=None)
def scene_file_library():
    """Loaded when it is first needed: those who only ask need it not."""
    return _load("scene_file", "sphaera-scene-file-c", "SPHAERA_SCENE_FILE_LIBRARY")


def function_of(name):
    return getattr(scene_file_library() if name.startswith("sphaera_scene_file_") else library, name)


def _last_error(status):
    text = [getattr(library, f"sphaera_error_{part}")().decode(errors="replace") for part in ("reason", "subject")]
    return Error(text[0], subject=text[1], index=library.sphaera_error_element(), status=status)


def call(function, *arguments):
    """Calls a function of a library. Raises Error if its status is not SPHAERA_OK."""
    status = function_of(function)(*arguments)
    if status != c.SPHAERA_OK:
        raise _last_error(status)


class Owned:
    """An object of the library, which ends with this one; `_destroy` is the function that ends it."""

    pointer = None

    def __del__(self):
        if self.pointer:
            function_of(self._destroy)(self.pointer)

    @property
    def _as_parameter_(self):
        return self.pointer


class Handle(Owned):
    """One that a single call creates."""

    def __init__(self, create, destroy, *arguments):
        self._destroy, self.pointer = destroy, ctypes.c_void_p()
        call(create, *arguments, ctypes.byref(self.pointer))


def stop_handle():
    return Handle("sphaera_stop_create", "sphaera_stop_destroy")


def call_with_stop(function, stop, *arguments):
    """The same for a call that may take long. Python handles signals only between calls, so another thread makes the
    call: Ctrl-C then requests the stop that the call's options have."""
    if threading.current_thread() is not threading.main_thread():
        call(function, *arguments)
        return
    errors, finished = [], threading.Event()

    def work():
        try:
            call(function, *arguments)
        except BaseException as error:  # the caller raises it
            errors.append(error)
        finished.set()

    threading.Thread(target=work, daemon=True).start()
    while True:  # not Thread.join: once interrupted, it takes a thread that runs for one that has ended
        try:
            if finished.wait(0.1):
                break
        except BaseException as interruption:
            errors[:] = [interruption]
            library.sphaera_stop_request(stop)
    if errors:
        raise errors[0]
