"""What the messages of a Subscription say."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .store import Version

KubernetesObject = dict[str, Any]
"""An object as Winnow sends it: the whole one, or a PartialObjectMetadata where the Subscription says so."""

_INTEGER = re.compile(r"[0-9]+")
_CHANGES = ("ADDED", "MODIFIED", "DELETED")


@dataclass(frozen=True)
class Delivery:
    """A message as it came from a queue, in a long poll or in a Lambda event."""

    id: str
    """SQS' id of the message: a message that is handed out again has the same."""
    body: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    queue: str = ""
    """The name of the queue; empty where it is not known."""


class UnreadableMessageError(Exception):
    """A message that no Subscription sends."""

    def __init__(self, delivery: Delivery, why: str) -> None:
        super().__init__(f"message {delivery.id} of {delivery.queue or 'a queue'} is no event: {why}")
        self.delivery = delivery


@dataclass(frozen=True)
class Proof:
    """What a Subscription with `verify: true` says of the set after a change."""

    sequence: int
    """One higher than that of the change before."""
    set: str | None
    """How many objects, and the digest of them."""


@dataclass(frozen=True)
class Message:
    """What a message says; the fields from `key` on are those of a change."""

    kind: Literal["change", "snapshot-end", "start-over", "silence"]
    id: str
    queue: str
    edit: int
    key: str = ""
    version: Version = Version(0, 0)
    object: KubernetesObject = field(default_factory=dict)
    is_gone: bool = False
    is_ordered: bool = True
    """Whether all messages of the queue come in the order in which they were sent."""
    proof: Proof | None = None
    omitted: str | None = None
    """Why the object has less than the Subscription requests: it does not fit a message."""


def key_of(obj: KubernetesObject) -> str:
    """By what a replica tells objects apart: `<namespace>/<name>`, the namespace empty where there is none."""
    metadata = obj["metadata"]
    return f"{metadata.get('namespace', '')}/{metadata['name']}"


def read_message(delivery: Delivery) -> Message:
    """Reads a watch event, or raises UnreadableMessageError."""
    kind, obj, omitted = _parse(delivery)
    edit = _integer(delivery.attributes.get("edit"))
    if kind == "ERROR":
        ordered = delivery.queue.endswith(".fifo") and delivery.attributes.get("ordering") != "Object"
        return Message("start-over", delivery.id, delivery.queue, edit, is_ordered=ordered)
    if kind == "TOKEN":
        return Message("silence", delivery.id, delivery.queue, edit)
    metadata = obj.get("metadata") or {}
    if kind == "BOOKMARK":
        ends = "k8s.io/initial-events-end" in (metadata.get("annotations") or {})
        return Message("snapshot-end" if ends else "silence", delivery.id, delivery.queue, edit)
    if kind not in _CHANGES:
        raise UnreadableMessageError(delivery, f"its type is {kind}")
    name, rv = metadata.get("name"), metadata.get("resourceVersion")
    if not isinstance(name, str) or not isinstance(rv, str) or not _INTEGER.fullmatch(rv):
        raise UnreadableMessageError(delivery, "its object has no name or no resourceVersion")
    version = Version(edit, int(rv))
    proof = _proof(delivery.attributes)
    gone = kind == "DELETED"
    key = key_of(obj)
    return Message(
        "change", delivery.id, delivery.queue, edit, key, version, obj, gone, proof=proof, omitted=omitted
    )


def _parse(delivery: Delivery) -> tuple[str, KubernetesObject, str | None]:
    try:
        event = json.loads(delivery.body)
    except ValueError:
        raise UnreadableMessageError(delivery, "its body is not JSON") from None
    kind = event.get("type") if isinstance(event, dict) else None
    obj = event.get("object") if isinstance(event, dict) else None
    if not isinstance(kind, str) or not isinstance(obj, dict):
        raise UnreadableMessageError(delivery, "its body has no type or no object")
    omitted = event.get("omitted")
    return kind, obj, omitted if isinstance(omitted, str) else None


def _proof(attributes: Mapping[str, str]) -> Proof | None:
    sequence = attributes.get("sequence", "")
    return Proof(int(sequence), attributes.get("set")) if _INTEGER.fullmatch(sequence) else None


def _integer(text: str | None) -> int:
    return int(text) if text is not None and _INTEGER.fullmatch(text) else 0
