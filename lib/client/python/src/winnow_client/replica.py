"""A replica of the set that a Subscription selects."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

from .kept_set import KeptSet, Listing, OvertakenError
from .memory_store import MemoryStore
from .message import Delivery, KubernetesObject, UnreadableMessageError, read_message
from .proof import UnprovenError
from .queue import Queue, Received, SqsQueue, queue_name
from .store import ReplicaStore

EventName = Literal["add", "update", "delete", "synced", "error"]

_TRIES = 5
_logger = logging.getLogger(__name__)


class Replica:
    """Kept true from the queue of a Subscription: by `run` in a process that lives on, by `handle` in a Lambda function.

    A listener is told before the change is stored and before its message is deleted. So it is told at least once, and when
    it raises the message goes back to the queue.

    queue_url: the Subscription's `status.queueUrl`, or what asks for it: a lost queue is made anew under another URL.
    list_objects: lists the set, once changes are sent as they happen. With it an empty store begins with a LIST, and a
      message that cannot be read is mended by one; without it such a message goes back to the queue.
    store: in memory where nothing is said. queue: over boto3 where nothing is said. now: seconds, other than the clock's.

    Where messages bear `sequence` and `set`, `run` checks them: an error is told, and the set listed anew.
    """

    def __init__(
        self,
        queue_url: str | Callable[[], str] | None = None,
        list_objects: Callable[[], Listing] | None = None,
        store: ReplicaStore | None = None,
        queue: Queue | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._queue_url, self._list, self._queue = queue_url, list_objects, queue
        self._listeners: dict[str, list[Callable[..., object]]] = {}
        self._set = KeptSet(MemoryStore() if store is None else store, self._tell, now)
        self._stopping = threading.Event()
        self._is_open = False

    @property
    def is_synced(self) -> bool:
        """Whether the set was complete once; a Subscription with `start: now` never says so of itself."""
        return self._set.position.is_synced

    def on(self, event: EventName, listener: Callable[..., object]) -> Callable[[], None]:
        """`add` and `delete` are told an object, `update` an object and the one before, `error` an exception. Returns what
        takes the listener away again."""
        listeners = self._listeners.setdefault(event, [])
        listeners.append(listener)
        return lambda: listeners.remove(listener)

    def get(self, name: str, namespace: str = "") -> KubernetesObject | None:
        self._open()
        return self._set.get(f"{namespace}/{name}")

    def values(self) -> Iterator[KubernetesObject]:
        """Every object of the set, by ascending namespace and name."""
        self._open()
        return self._set.values()

    def stop(self) -> None:
        """`run` ends what it has at hand. What was not taken stays in the queue. May be called from a signal handler."""
        self._stopping.set()

    def relist(self) -> None:
        """Shows what `list_objects` gives in place of what is held. While a fresh snapshot comes in nothing is done."""
        if self._list is None:
            raise ValueError("a replica lists through its list_objects, and there is none")
        list_objects = self._list
        self._open()
        self._decide(lambda: self._set.replace(list_objects))

    def handle(self, event: dict[str, Any], _context: object = None) -> dict[str, Any]:
        """The handler of a Lambda function; it needs a store that lasts. On a FIFO queue nothing overtakes what failed."""
        # Another instance of the function may have been at it.
        self._decide(self._set.open)
        self._is_open = True
        records = event["Records"]
        self._begin(records[0].get("eventSourceARN", "") if records else "")
        failed: list[str] = []
        for record in records:
            is_behind = bool(failed) and record.get("eventSourceARN", "").endswith(".fifo")
            if is_behind or not self._try_take(_delivery_of(record)):
                failed.append(record["messageId"])
        self._settle([_delivery_of(record) for record in records if record["messageId"] not in failed])
        return {"batchItemFailures": [{"itemIdentifier": one} for one in failed]}

    def run(self) -> None:
        """Receives from the queue until `stop`. After an error it waits for 1 to 30 s and tries again."""
        given = self._queue_url
        if given is None:
            raise ValueError("a replica receives from its queue_url, and there is none")
        queue = SqsQueue() if self._queue is None else self._queue
        self._set.verify()
        url: str | None = None
        failures = 0
        while not self._stopping.is_set():
            try:
                if url is None:
                    self._open()
                    url = given if isinstance(given, str) else given()
                    self._begin(url)
                self._take_all(queue, url, queue.receive(url))
                failures = 0
            except Exception as error:  # noqa: BLE001: whatever it is, it is told and tried again
                # The queue may have another URL, or another port, by then.
                url = None
                self._tell_error(error)
                failures += 1
                # 1 s, 2 s, 4 s … half a minute.
                self._stopping.wait(min(0.5 * 2**failures, 30))

    def _take_all(self, queue: Queue, url: str, messages: Sequence[Received]) -> None:
        """In a FIFO queue nothing may overtake a message that failed. What was taken is deleted all the same."""
        taken: list[Received] = []
        errors: list[Exception] = []
        for message in messages:
            if self._stopping.is_set() or (errors and url.endswith(".fifo")):
                break
            try:
                self._take(message)
                taken.append(message)
            except Exception as error:  # noqa: BLE001
                errors.append(error)
        if taken:
            self._settle(taken)
            queue.delete(url, taken)
        if errors:
            raise errors[0]

    def _open(self) -> None:
        if not self._is_open:
            self._decide(self._set.open)
            self._is_open = True

    def _begin(self, queue: str) -> None:
        """An empty store begins with a LIST. What is in the queue by then is in that too."""
        list_objects, position = self._list, self._set.position
        if list_objects is not None and not position.is_synced and not position.queue:
            self._decide(lambda: self._set.replace(list_objects, queue_name(queue)))

    def _try_take(self, delivery: Delivery) -> bool:
        try:
            self._take(delivery)
            return True
        except Exception as error:  # noqa: BLE001
            if self._listeners.get("error"):
                self._tell_error(error)
            else:
                _logger.exception("message %s goes back", delivery.id)
            return False

    def _take(self, delivery: Delivery) -> None:
        """What cannot be read, or proves that the set is not the right one, is mended by a LIST, where one can be had."""
        try:
            message = read_message(delivery)
            self._decide(lambda: self._set.take(message))
        except (UnreadableMessageError, UnprovenError) as error:
            if self._list is None and isinstance(error, UnreadableMessageError):
                raise
            self._tell_error(error)
            if self._list is not None:
                self.relist()

    def _settle(self, deliveries: Sequence[Delivery]) -> None:
        """Where another process showed a fresh snapshot meanwhile, what was taken went into the old one: take it again."""
        for _ in range(_TRIES):
            if self._set.is_current():
                return
            self._decide(self._set.open)
            for delivery in deliveries:
                self._take(delivery)

    def _decide(self, act: Callable[[], None]) -> None:
        for tries in range(1, _TRIES + 1):
            try:
                return act()
            except OvertakenError:
                if tries == _TRIES:
                    raise

    def _tell(self, event: EventName, *told: object) -> None:
        for listener in list(self._listeners.get(event, [])):
            listener(*told)

    def _tell_error(self, error: Exception) -> None:
        if not self._listeners.get("error"):
            _logger.warning("%s; trying again", error)
        self._tell("error", error)


def _delivery_of(record: dict[str, Any]) -> Delivery:
    attributes = {
        name: value["stringValue"]
        for name, value in (record.get("messageAttributes") or {}).items()
        if "stringValue" in value
    }
    return Delivery(record["messageId"], record["body"], attributes, queue_name(record.get("eventSourceARN", "")))
