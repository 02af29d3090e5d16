"""A long poll, a Lambda batch, a LIST, and a consumer that dies at any operation of its store."""

from __future__ import annotations

import json
import logging
import random
import tempfile
import unittest
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from test_streams import listening

from winnow_client import Listing, MemoryStore, QueueGoneError, Received, Replica, SqliteStore, UnreadableMessageError
from winnow_client.http_subscription import selector_text
from winnow_client.proof import digest_of
from winnow_client.queue import sqs_config_of

URL = "https://sqs.eu-central-1.amazonaws.com/111122223333/pods.fifo"
END = {"type": "BOOKMARK", "object": {"metadata": {"annotations": {"k8s.io/initial-events-end": "true"}}}}


def pod(name: str, rv: int) -> dict[str, Any]:
    return {"kind": "Pod", "metadata": {"namespace": "default", "name": name, "resourceVersion": str(rv)}}


def event(kind: str, name: str, rv: int) -> dict[str, Any]:
    return {"type": kind, "object": pod(name, rv)}


def record(number: int, body: Any, queue: str = "pods.fifo", edit: int | None = None) -> dict[str, Any]:
    return {
        "messageId": str(number),
        "body": body if isinstance(body, str) else json.dumps(body),
        "eventSourceARN": f"arn:aws:sqs:eu-central-1:111122223333:{queue}",
        "messageAttributes": {} if edit is None else {"edit": {"stringValue": str(edit)}},
    }


class FakeQueue:
    """Queues in memory, by URL; when nothing is left in the one that is asked, its replica is stopped."""

    def __init__(self, **queues: Sequence[Any]) -> None:
        self.queues: dict[str, list[Received]] = {}
        self.faults: list[Exception] = []
        self.replica: Replica | None = None
        for name, bodies in queues.items():
            self.put(f"https://sqs/{name}.fifo", *bodies)

    def put(self, url: str, *bodies: Any) -> None:
        queue = self.queues.setdefault(url, [])
        for body in bodies:
            text = body if isinstance(body, str) else json.dumps(body)
            number = str(len(queue))
            queue.append(Received(number, text, {"edit": "1"}, url.rsplit("/", 1)[-1], receipt=number))

    def receive(self, url: str) -> Sequence[Received]:
        if self.faults:
            raise self.faults.pop(0)
        if url not in self.queues:
            raise QueueGoneError(url)
        if not self.queues[url] and self.replica:
            self.replica.stop()
        return self.queues[url][:10]

    def delete(self, url: str, messages: Sequence[Received]) -> None:
        if url not in self.queues:
            raise QueueGoneError(url)
        receipts = {one.receipt for one in messages}
        self.queues[url] = [one for one in self.queues[url] if one.receipt not in receipts]


def follow(queue: FakeQueue, told: list[str], **options: Any) -> Replica:
    replica = Replica(**{"queue_url": "https://sqs/pods.fifo", "queue": queue, **options})
    queue.replica = replica
    replica.on("add", lambda obj: told.append(f"add {obj['metadata']['name']}"))
    replica.on("delete", lambda obj: told.append(f"delete {obj['metadata']['name']}"))
    replica.on("synced", lambda: told.append("synced"))
    return replica


class SqsConfigTest(unittest.TestCase):
    def test_a_queue_on_this_machine_needs_no_credentials(self) -> None:
        config = sqs_config_of("http://127.0.0.1:4566/000000000000/a.fifo")
        self.assertEqual(config["endpoint_url"], "http://127.0.0.1:4566")
        self.assertEqual(config["region_name"], "us-east-1")

    def test_the_url_of_a_queue_on_aws_names_its_region(self) -> None:
        self.assertEqual(sqs_config_of("https://sqs.eu-west-1.amazonaws.com/1/a"), {"region_name": "eu-west-1"})
        self.assertEqual(sqs_config_of("http://sqs.us-east-1.localhost.localstack.cloud:4566/0/a"), {})


class LongPollTest(unittest.TestCase):
    def test_it_tells_what_it_receives_and_takes_it_out_of_the_queue(self) -> None:
        queue, told = FakeQueue(pods=[event("ADDED", "a", 1), END, event("DELETED", "a", 2)]), []
        replica = follow(queue, told)
        replica.run()
        self.assertEqual(told, ["add a", "synced", "delete a"])
        self.assertEqual(queue.queues, {"https://sqs/pods.fifo": []})
        self.assertTrue(replica.is_synced)

    def test_it_begins_anew_in_another_queue_where_its_own_is_gone(self) -> None:
        queue, told = FakeQueue(pods=[event("ADDED", "a", 9), END], other=[event("ADDED", "b", 1), END]), []
        urls = ["https://sqs/pods.fifo", "https://sqs/other.fifo"]
        replica = follow(queue, told, queue_url=lambda: urls[0])
        replica.on("error", lambda error: told.append(type(error).__name__))

        def lose() -> None:
            if len(urls) == 2:
                del queue.queues[urls.pop(0)]

        replica.on("synced", lose)
        replica.run()
        self.assertEqual(told, ["add a", "synced", "QueueGoneError", "delete a", "add b", "synced"])

    def test_an_error_without_a_listener_is_logged_and_tried_again(self) -> None:
        queue, told = FakeQueue(pods=[event("ADDED", "a", 1)]), []
        queue.faults.append(PermissionError("no access"))
        replica = follow(queue, told)
        with self.assertLogs("winnow_client.replica", "WARNING") as logs:
            replica.run()
        self.assertEqual(told, ["add a"])
        self.assertIn("no access; trying again", logs.output[0])
        with self.assertRaises(ValueError):
            Replica().run()

    def test_a_listener_that_raises_gives_the_message_back(self) -> None:
        queue, told = FakeQueue(pods=[event("ADDED", "a", 1), event("ADDED", "b", 2)]), []
        replica = follow(queue, told)
        replica.on("error", lambda error: told.append(str(error)))
        refusals = [RuntimeError("not now")]

        def refuse(_: Any) -> None:
            if refusals:
                raise refusals.pop()

        replica.on("add", refuse)
        replica.run()
        self.assertEqual(told, ["add a", "not now", "add a", "add b"])


class ListTest(unittest.TestCase):
    def test_an_empty_store_begins_with_a_list(self) -> None:
        queue, told = FakeQueue(pods=[event("ADDED", "gone", 2), event("ADDED", "b", 6)]), []
        follow(queue, told, list_objects=lambda: Listing("5", [pod("a", 4)], 1)).run()
        self.assertEqual(told, ["add a", "synced", "add b"])

    def test_a_message_that_cannot_be_read_is_mended_by_one(self) -> None:
        lists = [Listing("1", [], 1), Listing("7", [pod("b", 7)], 1)]
        queue, told = FakeQueue(pods=[event("ADDED", "a", 6), "no JSON"]), []
        replica = follow(queue, told, list_objects=lambda: lists.pop(0))
        errors: list[Exception] = []
        replica.on("error", errors.append)
        replica.run()
        self.assertEqual(told, ["synced", "add a", "delete a", "add b", "synced"])
        self.assertIsInstance(errors[0], UnreadableMessageError)

    def test_a_selector_object_as_text(self) -> None:
        expressions = [
            {"key": "tier", "operator": "In", "values": ["a", "b"]},
            {"key": "tier", "operator": "NotIn", "values": ["c"]},
            {"key": "env", "operator": "Exists"},
            {"key": "old", "operator": "DoesNotExist"},
        ]
        text = selector_text({"matchLabels": {"app": "web"}, "matchExpressions": expressions})
        self.assertEqual(text, "app=web,tier in (a,b),tier notin (c),env,!old")


class ProofTest(unittest.TestCase):
    """What messages say of the set is believed, or mended by a LIST."""

    def follow(self, told: list[str], *messages: dict[str, Any]) -> Replica:
        queue = FakeQueue(pods=[])
        for number, message in enumerate(messages):
            attributes = {"edit": "1", **message["attributes"]}
            body = json.dumps(message["event"])
            received = Received(str(number), body, attributes, "pods.fifo", receipt=str(number))
            queue.queues["https://sqs/pods.fifo"].append(received)
        self.time = 0.0
        replica = follow(queue, told, list_objects=lambda: Listing("0", [], 1), now=lambda: self.time)
        replica.on("error", lambda error: told.append(str(error)))
        return replica

    def message(self, kind: str, name: str, rv: int, sequence: int, *proved: tuple[str, int]) -> dict[str, Any]:
        digest = sum(digest_of(f"default/{one}", version) for one, version in proved) % (1 << 128)
        attributes = {"sequence": str(sequence), "set": f"{len(proved)}/{digest:032x}"}
        return {"event": event(kind, name, rv), "attributes": attributes}

    def test_the_digest_of_an_object(self) -> None:
        self.assertEqual(f"{digest_of('default/web', 7):032x}", "f33dda637eee10e4814625d1d3ee428b")

    def test_it_is_believed_where_all_is_there_in_order_or_sent_again(self) -> None:
        told: list[str] = []
        a, b = self.message("ADDED", "a", 1, 1, ("a", 1)), self.message("ADDED", "b", 2, 2, ("a", 1), ("b", 2))
        c, d = self.message("DELETED", "a", 3, 3, ("b", 2)), self.message("MODIFIED", "b", 4, 4, ("b", 4))
        e = self.message("ADDED", "e", 5, 5, ("b", 4), ("e", 5))
        self.follow(told, a, b, a, b, d, c, d, e).run()
        self.assertEqual(told, ["synced", "add a", "add b", "delete a", "add e"])

    def test_it_lists_anew_where_the_set_is_another(self) -> None:
        told: list[str] = []
        self.follow(told, self.message("ADDED", "a", 1, 1, ("a", 1), ("lost", 1))).run()
        self.assertRegex(told[2], r"^after message 1 the set is 1/")
        self.assertEqual([*told[:2], *told[3:]], ["synced", "add a", "delete a", "synced"])

    def test_it_lists_anew_where_a_message_is_missing_for_longer_than_it_takes_to_send_it_again(self) -> None:
        told: list[str] = []
        a, c = self.message("ADDED", "a", 1, 1, ("a", 1)), self.message("ADDED", "c", 3, 3)
        replica = self.follow(told, a, c, self.message("ADDED", "d", 4, 4))

        def pass_time(obj: dict[str, Any]) -> None:
            if obj["metadata"]["name"] == "d":
                self.time += 61

        replica.on("add", pass_time)
        replica.run()
        told_before = ["synced", "add a", "add c", "add d", "message 2 did not come"]
        self.assertEqual(told, [*told_before, "delete a", "delete c", "delete d", "synced"])


class LambdaTest(unittest.TestCase):
    def setUp(self) -> None:
        logging.disable(logging.CRITICAL)
        self.addCleanup(logging.disable, logging.NOTSET)

    def test_it_gives_back_what_failed_and_on_a_fifo_queue_all_behind_it(self) -> None:
        for queue, failed in (("pods.fifo", ["2", "3"]), ("pods", ["2"])):
            records = [record(1, event("ADDED", "a", 1), queue), record(2, "no", queue), record(3, event("ADDED", "b", 2), queue)]
            answer = Replica().handle({"Records": records})
            self.assertEqual([one["itemIdentifier"] for one in answer["batchItemFailures"]], failed)


class Crash(Exception):
    """The process died in an operation of its store."""


class CrashingStore:
    """A store whose user dies in its operation number `at`: before it is done, or after."""

    def __init__(self, store: Any, at: int, is_done: bool) -> None:
        self._store, self._left, self._is_done = store, at, is_done

    def __getattr__(self, name: str) -> Any:
        def operate(*given: Any) -> Any:
            self._left -= 1
            if self._left > 0:
                return getattr(self._store, name)(*given)
            if self._left == 0 and self._is_done:
                getattr(self._store, name)(*given)
            raise Crash

        return operate


class CrashTest(unittest.TestCase):
    """Told and held end as the true set, wherever the consumer dies: an ERROR, edits, repeats, in each of the stores."""

    SENT = [
        *[(1, event("ADDED", "a", 1)), (1, event("ADDED", "b", 2)), (1, END), (1, event("DELETED", "a", 5))],
        *[(2, event("ADDED", "c", 3)), (2, event("DELETED", "b", 9)), (2, event("MODIFIED", "c", 10))],
        *[(3, {"type": "ERROR", "object": {"metadata": {}}}), (3, event("ADDED", "a", 1)), (3, event("ADDED", "d", 11))],
        *[(3, END), (3, event("MODIFIED", "a", 12)), (4, event("DELETED", "d", 12)), (5, event("ADDED", "d", 11))],
    ]

    def test_it_ends_with_the_true_set(self) -> None:
        chance = random.Random(7)
        with tempfile.TemporaryDirectory() as folder:
            for life in range(60):
                store = MemoryStore() if life % 6 else SqliteStore(str(Path(folder) / f"{life}.db"))
                self.live(store, chance)

    def live(self, store: Any, chance: random.Random) -> None:
        told: list[str] = []
        left = [record(number, body, edit=edit) for number, (edit, body) in enumerate(self.SENT)]
        for _ in range(8):
            records = left[: chance.randint(1, 10)]
            replica = listening(CrashingStore(store, chance.randint(1, 40), chance.random() < 0.5), told)
            try:
                failed = [one["itemIdentifier"] for one in replica.handle({"Records": records})["batchItemFailures"]]
            except Crash:
                continue
            if chance.random() < 0.5:
                left = [one for one in left if one not in records or one["messageId"] in failed]
        last = listening(store, told)
        self.assertEqual(last.handle({"Records": left}), {"batchItemFailures": []})
        self.assertEqual({one["metadata"]["name"]: one["metadata"]["resourceVersion"] for one in last.values()}, {"a": "12", "d": "11"})
        heard: dict[str, str] = {}
        for line in told:
            what, name, rv = [*line.split(), "", ""][:3]
            if what == "delete":
                heard.pop(name, None)
            elif what in ("add", "update"):
                heard[name] = rv
        self.assertEqual(heard, {"a": "12", "d": "11"})

    def setUp(self) -> None:
        logging.disable(logging.CRITICAL)
        self.addCleanup(logging.disable, logging.NOTSET)


if __name__ == "__main__":
    unittest.main()
