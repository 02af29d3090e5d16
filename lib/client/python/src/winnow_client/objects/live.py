"""A set of objects that follows the server."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Literal

from .errors import ExpiredError, UnavailableError, WinnowError
from .resource import Model
from .transport import Events

EventName = Literal["add", "update", "delete", "synced", "error"]
State = Literal["new", "starting", "live", "stale", "stopped"]

_FIRST_WATCH, _LATER_WATCHES, _POLL = 30, 240, 10
"""The seconds that a watch asks for. A deployed watch occupies a function until then, even if its client has left."""
_SILENCE = 90.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0
_SILENT_WATCHES = 2
"""After so many watches that brought nothing, a proxy buffers the answers. Then the set polls."""
_FINAL = (400, 401, 403)
_logger = logging.getLogger(__name__)


class LiveSet(Generic[Model]):
    """The selected objects as they are now. It holds all of them in memory.

    A listener is called in the thread of the set, after the set has the change. Any thread may call the methods.
    """

    def __init__(
        self,
        decode: Callable[[Any], Model],
        list_all: Callable[[], tuple[Sequence[Any], str]],
        confirm: Callable[[str], object],
        watch: Callable[[str, int, float], Events],
    ) -> None:
        """list_all: returns the stored objects and their resourceVersion. confirm: raises a WinnowError that `is_ahead` if
        the server does not have a resourceVersion yet. watch: opens a watch after a resourceVersion, for some seconds,
        with the longest time without a byte."""
        self._decode, self._list_all, self._confirm, self._watch = decode, list_all, confirm, watch
        self._listeners: dict[str, list[Callable[..., object]]] = {}
        self._objects: dict[tuple[str, str], Model] = {}
        self._version: str | None = None
        self._state: State = "new"
        self._events: Events | None = None
        self._lock = threading.Lock()
        self._stopping, self._decided = threading.Event(), threading.Event()
        self._error: Exception | None = None
        self._thread: threading.Thread | None = None

    def on(self, event: EventName, listener: Callable[..., object]) -> Callable[[], None]:
        """Adds a listener for `add` (object), `update` (object, before), `delete` (object in its last state in the set),
        `synced` or `error` (exception). Returns a function that removes it."""
        listeners = self._listeners.setdefault(event, [])
        listeners.append(listener)
        return lambda: listeners.remove(listener)

    def start(self) -> LiveSet[Model]:
        """Begins in a thread that ends with the program."""
        if self._thread is not None:
            raise RuntimeError("the live set was started before; a stopped set does not start again")
        self._state = "starting"
        self._thread = threading.Thread(target=self._follow, name="winnow live set", daemon=True)
        self._thread.start()
        return self

    def wait(self, timeout: float | None = None) -> LiveSet[Model]:
        """Waits until the set is complete at one resourceVersion. Raises TimeoutError, or the error that ended the set."""
        if not self._decided.wait(timeout):
            raise TimeoutError(f"the live set is not complete after {timeout:g} s")
        if self._version is None:
            raise self._error or RuntimeError("the live set was stopped before it was complete")
        return self

    def stop(self) -> None:
        """Ends the watch. The set keeps its objects. A listener may call it."""
        with self._lock:
            self._stopping.set()
            events = self._events
        if events is not None:
            events.close()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def __enter__(self) -> LiveSet[Model]:
        return self.start().wait()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def state(self) -> State:
        """`stale` means that the connection is lost; the set keeps its objects."""
        return self._state

    @property
    def resource_version(self) -> str | None:
        """The state of the server that the set shows; None before the first list is complete."""
        return self._version

    def __len__(self) -> int:
        return len(self._objects)

    def snapshot(self) -> Sequence[Model]:
        """The objects, sorted by namespace and name."""
        with self._lock:
            return [self._objects[key] for key in sorted(self._objects)]

    def get(self, name: str, namespace: str = "") -> Model | None:
        with self._lock:
            return self._objects.get((namespace, name))

    def _follow(self) -> None:
        version: str | None = None
        watches = failures = silent = 0
        is_broken = False
        while not self._stopping.is_set():
            began = time.monotonic()
            events = None
            try:
                if version is None:
                    version = self._list()
                elif is_broken:
                    # A server that began anew, without its data, would send no event for what is gone.
                    self._confirm(version)
                is_broken = False
                seconds = _POLL if silent >= _SILENT_WATCHES else _FIRST_WATCH if watches == 0 else _LATER_WATCHES
                watches += 1
                events = self._open(version, seconds)
                for event in events:
                    version, failures, silent = self._take(event), 0, 0
                # A server under load ends watches at once.
                if time.monotonic() - began < _FIRST_PAUSE:
                    self._stopping.wait(_FIRST_PAUSE)
            except WinnowError as error:
                if error.code in _FINAL:
                    return self._end(error)
                is_broken = True
                if isinstance(error, ExpiredError) or error.is_ahead:
                    version = None
                if isinstance(error, UnavailableError) and isinstance(error.__cause__, TimeoutError) and events is not None:
                    silent = silent if events.is_heard else min(silent + 1, _SILENT_WATCHES)
                self._state = "stale" if self._version is not None else "starting"
                failures += 1
                # After the first 410 the set lists at once.
                if version is None and failures == 1:
                    continue
                self._tell_error(error)
                self._stopping.wait(random.random() * min(_FIRST_PAUSE * 2**failures, _LONGEST_PAUSE))
            except Exception as error:  # such as an object that the class cannot hold
                return self._end(error)
        self._end(None)

    def _open(self, version: str, seconds: int) -> Events:
        events = self._watch(version, seconds, _SILENCE)
        with self._lock:
            self._events = events
            is_late = self._stopping.is_set()
        if is_late:
            events.close()
        self._state = "live"
        return events

    def _list(self) -> str:
        """Lists the set, and tells the difference. Returns the resourceVersion of the list."""
        items, version = self._list_all()
        fresh = {_key_of(item): self._decode(item) for item in items}
        with self._lock:
            before, self._objects = self._objects, fresh
            self._version = version
        for key, thing in before.items():
            if key not in fresh:
                self._tell("delete", thing)
        for key, thing in fresh.items():
            if key not in before:
                self._tell("add", thing)
            elif before[key].metadata.resource_version != thing.metadata.resource_version:
                self._tell("update", thing, before[key])
        self._state = "live"
        self._decided.set()
        self._tell("synced")
        return version

    def _take(self, event: Mapping[str, Any]) -> str:
        """Takes an event of the watch. Returns the resourceVersion after it."""
        stored = event["object"]
        version = str(stored["metadata"]["resourceVersion"])
        if event["type"] == "BOOKMARK":
            self._version = version
            return version
        key, thing = _key_of(stored), self._decode(stored)
        with self._lock:
            before = self._objects.pop(key, None)
            if event["type"] != "DELETED":
                self._objects[key] = thing
            self._version = version
        if event["type"] == "DELETED":
            if before is not None:
                self._tell("delete", thing)
        elif before is None:
            self._tell("add", thing)
        elif before.metadata.resource_version != version:
            self._tell("update", thing, before)
        return version

    def _end(self, error: Exception | None) -> None:
        self._error, self._state = error, "stopped"
        if error is not None:
            self._tell_error(error)
        self._decided.set()

    def _tell(self, event: EventName, *told: object) -> None:
        """A listener that raises does not keep the others from being called."""
        if self._stopping.is_set():
            return
        for listener in list(self._listeners.get(event, [])):
            try:
                listener(*told)
            except Exception as error:  # noqa: BLE001
                self._tell_error(error)

    def _tell_error(self, error: Exception) -> None:
        listeners = list(self._listeners.get("error", []))
        if not listeners:
            _logger.warning("live set: %s", error, exc_info=None if isinstance(error, WinnowError) else error)
        for listener in listeners:
            try:
                listener(error)
            except Exception:  # noqa: BLE001
                _logger.exception("live set: a listener for errors failed")


def _key_of(stored: Mapping[str, Any]) -> tuple[str, str]:
    metadata = stored["metadata"]
    return metadata.get("namespace", ""), metadata["name"]
