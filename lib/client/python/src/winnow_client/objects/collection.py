"""The objects of one kind."""

from __future__ import annotations

import random
import re
import time
import urllib.parse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal

from .changes import changed
from .codec import decode, encode
from .errors import ConflictError, ExpiredError, NotFoundError
from .events import Events
from .live import LiveSet
from .resource import Metadata, Model, kind_of
from .selector import LabelSelector, field_selector_text, label_selector_text
from .transport import Request, Transport
from .wire import Stop

Target = str | Metadata
"""The object that a request is about: its name, or its `metadata`."""

_UPDATES = 5
"""The most times that an update reads an object anew because another writer was faster."""
_FIRST_PAUSE = 0.02
_MERGE_PATCH, _APPLY_PATCH = "application/merge-patch+json", "application/apply-patch+yaml"
_SET_BY_SERVER = ("uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp")


@dataclass(frozen=True)
class Event(Generic[Model]):
    """A change of a selected set.

    type: an object that leaves the set is `DELETED`. A `BOOKMARK` has no object, and only says how far the watch has come.
    """

    type: Literal["ADDED", "MODIFIED", "DELETED", "BOOKMARK"]
    resource_version: str
    object: Model | None


class Watch(Generic[Model]):
    """The events of one watch request, as `watch` returns it: an iterator, and a context manager that closes it."""

    def __init__(self, events: Events, decode: Callable[[Any], Model]) -> None:
        self._events, self._iterator = events, (_event(each, decode) for each in events)

    def __iter__(self) -> Iterator[Event[Model]]:
        return self

    def __next__(self) -> Event[Model]:
        """Raises UnavailableError: the connection broke; ExpiredError: the resourceVersion is older than the journal."""
        return next(self._iterator)

    def close(self) -> None:
        """Ends the watch, so also its iteration. Any thread may call it."""
        self._events.close()

    def __enter__(self) -> Watch[Model]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Objects(Generic[Model]):
    """The objects of one kind: in one namespace, or in all namespaces if there is none. Several threads may use it."""

    def __init__(self, transport: Transport, model: type[Model], namespace: str | None) -> None:
        self._transport, self._model, self._namespace = transport, model, namespace
        self._kind = kind_of(model)
        if namespace is not None and self._kind.scope == "Cluster":
            raise ValueError(f'{self._kind.plural} are in no namespace; leave out the namespace "{namespace}"')

    def get(self, target: Target) -> Model:
        """Raises NotFoundError if there is no such object."""
        return self._decode(self._send("GET", self._path_of(target)))

    def list(
        self, selector: LabelSelector = "", *, fields: Mapping[str, object] | None = None, page_size: int = 500
    ) -> Iterator[Model]:
        """Yields the selected objects of all pages, sorted by namespace and name. All pages show the same state.

        fields: values that selectable fields must have. Raises ExpiredError if the iteration takes so long that the server
        no longer has that state.
        """
        # A wrong selector is an error of this call, not of the first step.
        query = {**_selection(selector, fields), "limit": str(page_size)}
        return (self._decode(item) for items, _ in self._pages(query, Stop()) for item in items)

    def watch(
        self,
        selector: LabelSelector = "",
        *,
        fields: Mapping[str, object] | None = None,
        resource_version: str = "",
        timeout_seconds: int | None = None,
        silence: float = 90,
    ) -> Watch[Model]:
        """Sends one watch request, and returns an iterator over the changes of the selected set. Close it if the iteration
        does not reach the end. The server ends a watch after some minutes; `live` follows a set for longer.

        resource_version: the state that the watch begins after. Without it, the watch first adds every object there is.
        silence: the longest time without a byte, in s.
        """
        query = _watching(_selection(selector, fields), resource_version, timeout_seconds)
        return Watch(self._open(query, silence, Stop()), self._decode)

    def live(self, selector: LabelSelector = "", *, fields: Mapping[str, object] | None = None) -> LiveSet[Model]:
        """Follows the selected set in a thread of its own, until `stop`: lists it, watches it from there on, and does so
        again after a failure."""
        selection, stop = _selection(selector, fields), Stop()
        return LiveSet(
            self._decode,
            lambda: self._all({**selection, "limit": "500"}, stop),
            # The selection may be all that the caller is allowed to list.
            lambda version: self._page({**selection, "limit": "1", "resourceVersion": version}, stop),
            lambda version, seconds, silence: self._open(_watching(selection, version, seconds), silence, stop),
            stop,
            self._namespace or "",
        )

    def create(self, thing: Model) -> Model:
        """Creates an object. A create whose answer is lost is not repeated.

        Raises AlreadyExistsError, InvalidError, or OutcomeUnknownError: the answer is lost, so the object may exist.
        """
        path = self._collection(self._namespace_of(thing.metadata.namespace))
        return self._decode(self._send("POST", path, query=self._writer, body=self._written(thing)))

    def update(self, target: Target, change: Callable[[Model], object], *, status: bool = False) -> Model:
        """Reads an object, calls `change`, which changes it in place or returns another one, and writes it. If another
        writer was faster, this happens again with the new state, five times at most. So `change` must do nothing else.

        status: writes the `status` instead of the other fields. Fields that the class does not have stay as they are.
        Given the `metadata` of an object, it writes only that object and no successor of the same name. Raises ValueError:
        it is not clear which items of a list are gone, so fields that the class does not have would be lost.
        """
        path = self._path_of(target)
        for tries in range(1, _UPDATES + 1):
            stored = self._send("GET", path)
            self._expect_same(target, stored)
            thing = self._decode(stored)
            before = encode(thing)
            result = change(thing)
            body = changed(stored, before, encode(result if isinstance(result, self._model) else thing))
            try:
                return self._decode(self._send("PUT", f"{path}/status" if status else path, query=self._writer, body=body))
            except ConflictError:
                if tries == _UPDATES:
                    raise
                # Writers that were refused together come back one after the other.
                time.sleep(random.random() * _FIRST_PAUSE * 2**tries)
        raise AssertionError("unreachable")

    def apply(self, thing: Model, *, force: bool = False) -> Model:
        """Creates the object, or sets its given fields (server-side apply). Fields that this manager applied before, and
        that are not given any more, are removed.

        force: takes over fields that other managers own. Without it, ConflictError names them.
        """
        query = {**self._writer, "force": "true" if force else None}
        path = self._path_of(thing.metadata)
        written = self._written(thing)
        return self._decode(
            self._send("PATCH", path, query=query, body=written, content_type=_APPLY_PATCH, is_repeatable=True)
        )

    def patch(self, target: Target, patch: Mapping[str, Any]) -> Model:
        """Changes parts of an object (JSON merge patch): None removes a field, and a list replaces the whole list."""
        return self._decode(
            self._send("PATCH", self._path_of(target), query=self._writer, body=encode(patch), content_type=_MERGE_PATCH)
        )

    def relabel(self, target: Target, labels: Mapping[str, str | None]) -> Model:
        """Sets labels of an object; None removes a label."""
        return self.patch(target, {"metadata": {"labels": labels}})

    def delete(self, target: Target, *, propagation: Literal["Background", "Foreground", "Orphan"] | None = None) -> None:
        """Deletes an object. Given the `metadata` of an object, it deletes only that object and no successor of the same
        name. Only such a delete is repeated if its answer is lost.

        Raises NotFoundError, or ConflictError: the object of this name is another one.
        """
        uid = "" if isinstance(target, str) else target.uid
        body = {"kind": "DeleteOptions", "apiVersion": "v1"}
        options = {"propagationPolicy": propagation, "preconditions": {"uid": uid} if uid else None}
        body.update({name: each for name, each in options.items() if each is not None})  # type: ignore[misc]
        try:
            self._send("DELETE", self._path_of(target), body=body, is_repeatable=uid != "")
        except (NotFoundError, ConflictError) as error:
            # With lost answers, an earlier attempt deleted the object.
            if error.lost_answers == 0:
                raise

    def _expect_same(self, target: Target, stored: Mapping[str, Any]) -> None:
        uid = "" if isinstance(target, str) else target.uid
        if uid and uid != stored["metadata"]["uid"]:
            name = stored["metadata"]["name"]
            message = f'{self._kind.plural} "{name}" is another object: its uid is {stored["metadata"]["uid"]}, not {uid}'
            raise ConflictError(message, audit_id="")

    def _all(self, query: Mapping[str, str], stop: Stop) -> tuple[Sequence[Any], str]:
        """All objects of a list and its resourceVersion. If the list expires between two pages, it begins anew, once."""
        try:
            return self._gather(query, stop)
        except ExpiredError:
            return self._gather(query, stop)

    def _gather(self, query: Mapping[str, str], stop: Stop) -> tuple[Sequence[Any], str]:
        pages = [*self._pages(query, stop)]
        return [item for items, _ in pages for item in items], pages[-1][1]

    def _pages(self, query: Mapping[str, str], stop: Stop) -> Iterator[tuple[Sequence[Any], str]]:
        token = ""
        while True:
            page = self._page({**query, "continue": token}, stop)
            yield page.get("items") or [], page["metadata"]["resourceVersion"]
            token = page["metadata"].get("continue", "")
            if not token:
                return

    def _page(self, query: Mapping[str, str], stop: Stop) -> Any:
        return self._send("GET", self._collection(self._namespace), query=query, stop=stop)

    def _open(self, query: Mapping[str, str | None], silence: float, stop: Stop) -> Events:
        return self._transport.watch(Request("GET", self._collection(self._namespace), query, stop=stop), silence)

    def _send(self, method: str, path: str, **options: Any) -> Any:
        return self._transport.send(Request(method, path, **options))

    def _decode(self, stored: Any) -> Model:
        return decode(self._model, stored)

    def _written(self, thing: Model) -> dict[str, Any]:
        """An object as a create or an apply gives it."""
        body = encode(thing)
        metadata = {
            name: each for name, each in body["metadata"].items() if each not in ("", {}, []) and name not in _SET_BY_SERVER
        }
        return {**body, "apiVersion": self._kind.api_version, "kind": self._kind.kind, "metadata": metadata}

    @property
    def _writer(self) -> dict[str, str | None]:
        return {"fieldManager": self._transport.manager}

    def _collection(self, namespace: str | None) -> str:
        version = self._kind.api_version
        where = "" if namespace is None else f"/namespaces/{_segment(namespace)}"
        return f"/{'apis' if '/' in version else 'api'}/{version}{where}/{_segment(self._kind.plural)}"

    def _path_of(self, target: Target) -> str:
        name, namespace = (target, "") if isinstance(target, str) else (target.name, target.namespace)
        return f"{self._collection(self._namespace_of(namespace))}/{_segment(name)}"

    def _namespace_of(self, given: str) -> str | None:
        if self._kind.scope == "Cluster":
            return None
        namespace = given or self._namespace
        if namespace is None:
            raise ValueError(f"{self._kind.plural} are in namespaces; give the collection or the object a namespace")
        if self._namespace not in (None, namespace):
            raise ValueError(f'the namespace "{namespace}" is not "{self._namespace}", that of the collection')
        return namespace


def _event(stored: Mapping[str, Any], decode: Callable[[Any], Model]) -> Event[Model]:
    thing = None if stored["type"] == "BOOKMARK" else decode(stored["object"])
    return Event(stored["type"], stored["object"]["metadata"]["resourceVersion"], thing)


def _selection(selector: LabelSelector, fields: Mapping[str, object] | None) -> dict[str, str]:
    return {"labelSelector": label_selector_text(selector), "fieldSelector": field_selector_text(fields or {})}


def _watching(selection: Mapping[str, str], version: str, seconds: int | None) -> dict[str, str | None]:
    timeout = None if seconds is None else str(seconds)
    return {
        **selection,
        "watch": "true",
        "allowWatchBookmarks": "true",
        "resourceVersion": version,
        "timeoutSeconds": timeout,
    }


def _segment(name: str) -> str:
    """A part of a path. Raises ValueError: the name is empty or dots only, so the path would be that of something else."""
    if re.fullmatch(r"\.*", name):
        raise ValueError(f'"{name}" is not a name')
    return urllib.parse.quote(name, safe="")
