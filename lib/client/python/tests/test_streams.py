"""The streams that the package in TypeScript is held to as well: test/fixtures/streams."""

from __future__ import annotations

import json
import os
import unittest
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from winnow_client import DynamodbStore, MemoryStore, Replica, ReplicaStore, SqliteStore

FOLDER = Path(__file__).parents[4] / "test/fixtures/streams"
STREAMS = [stream for file in sorted(FOLDER.glob("*.json")) for stream in json.loads(file.read_text())]
STORES: dict[str, Callable[[], ReplicaStore]] = {
    "memory": MemoryStore,
    "SQLite": lambda: SqliteStore(":memory:"),
}
# A table for the test, where there is one: test/integration/client gives one, and so boto3 is not needed without it.
if TABLE := os.environ.get("WINNOW_TEST_TABLE"):
    STORES["DynamoDB"] = lambda: DynamodbStore(TABLE, uuid.uuid4().hex)


def listening(store: ReplicaStore, told: list[str]) -> Replica:
    replica = Replica(store=store)

    def tell(what: str) -> Callable[..., None]:
        return lambda obj, *_: told.append(f"{what} {obj['metadata']['name']} {obj['metadata']['resourceVersion']}")

    for event in ("add", "update", "delete"):
        replica.on(event, tell(event))
    replica.on("synced", lambda: told.append("synced"))
    replica.on("error", lambda _: None)
    return replica


def record_of(step: dict[str, Any], queue: str) -> dict[str, Any]:
    return {
        "messageId": step["id"],
        "body": step.get("body") or json.dumps(step["event"]),
        "eventSourceARN": f"arn:aws:sqs:eu-central-1:111122223333:{step.get('queue', queue)}",
        "messageAttributes": {"edit": {"stringValue": str(step["edit"])}} if "edit" in step else {},
    }


def follow(stream: dict[str, Any], store: ReplicaStore) -> dict[str, Any]:
    """Hands a stream to replicas over one store: a new one after each crash."""
    told: list[str] = []
    failed: list[str] = []
    replica = listening(store, told)
    for step in stream["steps"]:
        if step.get("crash"):
            replica = listening(store, told)
            continue
        answer = replica.handle({"Records": [record_of(step, stream.get("queue", "pods.fifo"))]})
        failed += [one["itemIdentifier"] for one in answer["batchItemFailures"]]
    held = (obj["metadata"] for obj in replica.values())
    shown = {f"{one.get('namespace', '')}/{one['name']}": one["resourceVersion"] for one in held}
    return {"told": told, "set": shown, "synced": replica.is_synced, "failed": failed}


class StreamsTest(unittest.TestCase):
    def test_every_stream_ends_as_it_must(self) -> None:
        self.assertGreater(len(STREAMS), 20)
        for kind, open_store in STORES.items():
            for stream in STREAMS:
                with self.subTest(f"{kind}: {stream['title']}"):
                    expected = {name: stream.get(name, []) for name in ("told", "set", "synced", "failed")}
                    self.assertEqual(follow(stream, open_store()), expected)


if __name__ == "__main__":
    unittest.main()
