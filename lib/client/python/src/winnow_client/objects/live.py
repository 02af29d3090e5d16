"""A set of objects that follows the server."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Literal

from .errors import ExpiredError, WinnowError
from .events import Events
from .resource import Model
from .wire import Stop

EventName = Literal["add", "update", "delete", "synced", "error"]
State = Literal["new", "starting", "live", "stale", "stopped"]

_FIRST_WATCH, _LATER_WATCHES, _POLL = 30, 240, 10
"""The seconds that a watch asks for. A deployed watch occupies a function until then, even if its client has left."""
_SILENCE = 90.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0
_SILENT_WATCHES = 2
"""After so many watches in a row that brought no byte before they broke, a proxy buffers the answers. Then the set polls."""
_POLLS = 60
"""After so many polls, one long watch is tried again: the answers may not be buffered any more."""
_LONGEST_JOIN = 5.0
_FINAL = (400, 401, 403)
_logger = logging.getLogger(__name__)


class Pace:
    """Decides how many seconds the next watch asks for."""

    def __init__(self) -> None:
        self._watches = self._silent = self._polls = 0

    def next_seconds(self) -> int:
        self._watches += 1
        if self._silent >= _SILENT_WATCHES:
            return _POLL
        return _FIRST_WATCH if self._watches == 1 else _LATER_WATCHES

    def ended(self) -> None:
        """A watch came to its end."""
        if self._silent < _SILENT_WATCHES:
            self._silent = 0
            return
        self._polls += 1
        if self._polls % _POLLS == 0:
            self._silent = _SILENT_WATCHES - 1

    def broke(self, is_silent: bool) -> None:
        """A request failed. is_silent: it was a watch that began and brought no byte."""
        if self._silent < _SILENT_WATCHES:
            self._silent = self._silent + 1 if is_silent else 0


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
        stop: Stop,
        namespace: str,
    ) -> None:
        """list_all: returns the stored objects and their resourceVersion. confirm: raises a WinnowError that `is_ahead` if
        the server does not have a resourceVersion yet. watch: opens a watch after a resourceVersion, for some seconds,
        with the longest time without a byte. stop: ends these requests. namespace: of the objects; empty for all."""
        self._decode, self._list_all, self._confirm, self._watch = decode, list_all, confirm, watch
        self._stopping, self._namespace = stop, namespace
        self._listeners: dict[str, dict[object, Callable[..., object]]] = {}
        self._objects: dict[tuple[str, str], Model] = {}
        self._version: str | None = None
        self._state: State = "new"
        self._lock = threading.Lock()
        self._decided = threading.Event()
        self._error: BaseException | None = None
        self._thread: threading.Thread | None = None

    def on(self, event: EventName, listener: Callable[..., object]) -> Callable[[], None]:
        """Adds a listener for `add` (object), `update` (object, before), `delete` (object in its last state in the set),
        `synced` or `error` (exception). Returns a function that removes it."""
        listeners, key = self._listeners.setdefault(event, {}), object()
        listeners[key] = listener

        def remove() -> None:
            listeners.pop(key, None)

        return remove

    def start(self) -> LiveSet[Model]:
        """Begins in a thread that ends with the program."""
        if self._thread is not None or self._stopping.is_set():
            raise RuntimeError("the live set was started before; a stopped set does not start again")
        self._state = "starting"
        self._thread = threading.Thread(target=self._follow, name="winnow live set", daemon=True)
        self._thread.start()
        return self

    def wait(self, timeout: float | None = None) -> LiveSet[Model]:
        """Waits until the set is complete at one resourceVersion. Raises TimeoutError, or the error that ended the set.

        A request that fails only delays this, also with 404: the kind may be defined later. `error` tells each failure.
        """
        if self._thread is None and not self._stopping.is_set():
            raise RuntimeError("the live set is not started; call start before wait")
        if not self._decided.wait(timeout):
            raise TimeoutError(f"the live set is not complete after {timeout:g} s")
        if self._version is None:
            raise self._error or RuntimeError("the live set was stopped before it was complete")
        return self

    def stop(self) -> None:
        """Ends the open request. The set keeps its objects, and calls no listener any more. A listener may call it."""
        self._stopping.set()
        if self._thread is None:
            self._end(None)
        elif self._thread is not threading.current_thread():
            # A token function, or the look-up of a host name, may take longer.
            self._thread.join(_LONGEST_JOIN)

    def __enter__(self) -> LiveSet[Model]:
        self.start()
        try:
            return self.wait()
        except BaseException:  # such as Ctrl-C
            self.stop()
            raise

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

    def get(self, name: str, namespace: str | None = None) -> Model | None:
        """An object of the set: in the namespace of the collection, unless another one is named."""
        with self._lock:
            return self._objects.get((self._namespace if namespace is None else namespace, name))

    def _follow(self) -> None:
        try:
            self._repeat()
            self._end(None)
        except BaseException as error:  # such as an object that the class cannot hold, or `sys.exit` in a listener
            self._end(None if self._stopping.is_set() else error)

    def _repeat(self) -> None:
        """Follows the server until `stop`. Raises the error that ends the set."""
        version: str | None = None
        failures, pace, is_cut = 0, Pace(), False
        while not self._stopping.is_set():
            began = time.monotonic()
            events = None
            try:
                if version is None:
                    version, is_cut = self._list(), False
                events = self._watch(version, pace.next_seconds(), _SILENCE)
                if is_cut:
                    # A server that began anew, without its data, would send no event for what is gone. It is asked when
                    # the watch is open: a server that begins anew later cuts the watch.
                    self._confirm(version)
                is_cut, self._state = True, "live"
                for event in events:
                    version, failures = self._take(event), 0
                is_cut = not events.is_whole
                pace.ended()
                # A server under load ends watches at once.
                if time.monotonic() - began < _FIRST_PAUSE:
                    self._stopping.wait(_FIRST_PAUSE)
            except WinnowError as error:
                is_cut = True
                if self._stopping.is_set():
                    return
                if error.code in _FINAL:
                    raise
                if isinstance(error, ExpiredError) or error.is_ahead:
                    version = None
                is_late = isinstance(error.__cause__, TimeoutError)
                pace.broke(is_late and events is not None and not events.is_heard)
                self._state = "stale" if self._version is not None else "starting"
                failures += 1
                # After the first 410 the set lists at once.
                if version is None and failures == 1:
                    continue
                self._tell_error(error)
                self._stopping.wait(random.random() * min(_FIRST_PAUSE * 2**failures, _LONGEST_PAUSE))
            finally:
                if events is not None:
                    events.release()

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

    def _end(self, error: BaseException | None) -> None:
        self._error, self._state = error, "stopped"
        if error is not None:
            self._tell_error(error)
        self._decided.set()

    def _tell(self, event: EventName, *told: object) -> None:
        """A listener that raises does not keep the others from being called."""
        if self._stopping.is_set():
            return
        for listener in list(self._listeners.get(event, {}).values()):
            try:
                listener(*told)
            except Exception as error:  # noqa: BLE001
                self._tell_error(error)

    def _tell_error(self, error: BaseException) -> None:
        listeners = list(self._listeners.get("error", {}).values())
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
