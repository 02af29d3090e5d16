"""A replica of the set that a Winnow Subscription selects, kept true from its SQS queue."""

from .dynamodb_store import DynamodbStore
from .http_subscription import HttpSubscription
from .kept_set import Listing, OvertakenError
from .memory_store import MemoryStore
from .message import Delivery, UnreadableMessageError
from .position import Position
from .proof import UnprovenError
from .queue import Queue, QueueGoneError, Received, SqsQueue
from .replica import Replica
from .sqlite_store import SqliteStore
from .store import Entry, ReplicaStore, Version

__all__ = [
    "Delivery",
    "DynamodbStore",
    "Entry",
    "HttpSubscription",
    "Listing",
    "MemoryStore",
    "OvertakenError",
    "Position",
    "Queue",
    "QueueGoneError",
    "Received",
    "Replica",
    "ReplicaStore",
    "SqliteStore",
    "SqsQueue",
    "UnprovenError",
    "UnreadableMessageError",
    "Version",
]
