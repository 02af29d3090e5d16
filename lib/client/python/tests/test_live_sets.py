"""Live sets and watches against a server that fails as a test says."""

from __future__ import annotations

import socket
import sys
import threading
import unittest
from contextlib import suppress
from unittest.mock import patch

from fleet import NOW, Answer, Connection, Device, device, event, following, ok, page, refused, serving, status, talking

from winnow_client.objects import (
    ExpiredError,
    LiveSet,
    Objects,
    UnavailableError,
    UnexpectedValueError,
    WinnowError,
    connect,
)
from winnow_client.objects.live import Pace
from winnow_client.objects.wire import Stop


class Told:
    """What a live set told, in order."""

    def __init__(self, devices: Objects[Device]) -> None:
        self.lines: list[str] = []
        self.live = devices.live("site=north")
        self.live.on("add", lambda one: self.lines.append(f"add {one.metadata.name}"))
        self.live.on("update", lambda one, before: self.lines.append(f"update {one.metadata.name}"))
        self.live.on("delete", lambda one: self.lines.append(f"delete {one.metadata.name}"))
        self.live.on("error", lambda error: self.lines.append(type(error).__name__))

    def until(self, *lines: str) -> None:
        """Runs the set until it has told the lines. The server's last answer ends it, or the test does after 30 s."""
        enough = threading.Event()
        for name in ("add", "update", "delete", "error"):
            self.live.on(name, lambda *_: enough.set() if len(self.lines) >= len(lines) else None)
        self.live.start()
        enough.wait(30)
        self.live.stop()


class TestLiveSets(unittest.TestCase):
    def test_a_set_resumes_after_a_cut_event(self) -> None:
        answers = (
            ok(page(1, device("a", 1))),
            lambda one: one.watch(event("ADDED", device("b", 2)), ending='{"type":"ADD'),
            lambda one: one.watch(event("DELETED", device("a", 3))),
            ok(page(2)),
        )
        with serving(*answers) as (devices, seen):
            told = Told(devices)
            told.until("add a", "add b", "UnavailableError", "delete a")
        self.assertEqual(told.lines[:4], ["add a", "add b", "UnavailableError", "delete a"])
        self.assertIn("resourceVersion=2", seen[2].target)
        self.assertIn("limit=1&resourceVersion=2", seen[3].target)

    def test_a_set_lists_again_if_its_version_has_expired_or_is_ahead_of_the_server(self) -> None:
        expired = status(410, "Expired")
        ahead = refused(504, "Timeout", headers=NOW, causes=[{"reason": "ResourceVersionTooLarge"}])
        for answers in (
            [lambda one: one.watch(event("ERROR", expired))],
            [lambda one: one.watch(ending="{"), following, ahead],
        ):
            with self.subTest(len(answers)):
                first, second = ok(page(5, device("a", 4), device("b", 5))), ok(page(2, device("b", 2), device("c", 1)))
                with serving(first, *answers, second, lambda one: one.watch()) as (devices, _):
                    told = Told(devices)
                    errors = ["UnavailableError", "UnavailableError"][: 0 if len(answers) == 1 else 2]
                    lines = ["add a", "add b", *errors, "delete a", "update b", "add c"]
                    told.until(*lines)
                self.assertEqual(told.lines[: len(lines)], lines)

    def test_a_set_stops_if_its_requests_are_refused_for_good(self) -> None:
        with serving(refused(403, "Forbidden")) as (devices, seen):
            live = devices.live()
            errors: list[Exception] = []
            live.on("error", errors.append)
            with self.assertRaises(WinnowError):
                live.start().wait(30)
        self.assertEqual((live.state, [one.code for one in errors if isinstance(one, WinnowError)]), ("stopped", [403]))

    def test_a_set_stops_at_an_object_that_the_class_cannot_hold(self) -> None:
        with serving(ok(page(1, device("a", 1, model=7)))) as (devices, _):
            live = devices.live()
            live.on("error", lambda error: None)
            with self.assertRaisesRegex(UnexpectedValueError, "Device.spec.model: 7 is no str"):
                live.start().wait(30)

    def test_a_listener_that_raises_does_not_end_the_set(self) -> None:
        with serving(ok(page(1, device("a", 1))), lambda one: one.watch(event("ADDED", device("b", 2)))) as (devices, _):
            told = Told(devices)
            told.live.on("add", lambda one: 1 / 0)
            told.until("add a", "ZeroDivisionError", "add b", "ZeroDivisionError")
        self.assertEqual(told.lines[:4], ["add a", "ZeroDivisionError", "add b", "ZeroDivisionError"])

    def test_a_set_lists_again_if_its_watch_was_cut_and_the_server_began_anew(self) -> None:
        ahead = refused(504, "Timeout", headers=NOW, causes=[{"reason": "ResourceVersionTooLarge"}])
        # An answer without chunks does not show whether it was cut, so only the next request may fail.
        for is_chunked, errors in ((True, ["UnavailableError", "UnavailableError"]), (False, [])):
            watch: Answer = lambda one, is_chunked=is_chunked: one.watch(  # type: ignore[misc]  # noqa: E731
                event("ADDED", device("b", 6)), is_cut=True, is_chunked=is_chunked
            )
            answers = ok(page(5, device("a", 4))), watch, following, ahead, ok(page(2)), following
            with self.subTest(is_chunked), serving(*answers) as (devices, seen):
                told = Told(devices)
                lines = ["add a", "add b", *errors, "delete a", "delete b"]
                told.until(*lines)
                self.assertEqual(told.lines[: len(lines)], lines)
                self.assertIn("labelSelector=site%3Dnorth&limit=1&resourceVersion=6", seen[3].target)

    def test_a_set_goes_on_after_a_token_function_failed(self) -> None:
        calls: list[str | None] = []

        def token(former: str | None) -> str:
            calls.append(former)
            if len(calls) == 2:
                raise OSError("no network")
            return "secret"

        watch: Answer = lambda one: one.watch(event("ADDED", device("b", 2)))  # noqa: E731
        with serving(ok(page(1, device("a", 1))), watch, ok(page(1)), token=token) as (devices, _):
            told = Told(devices)
            told.until("add a", "UnavailableError", "add b")
        self.assertEqual(told.lines[:3], ["add a", "UnavailableError", "add b"])

    def test_a_set_whose_listener_exits_is_stopped(self) -> None:
        with serving(ok(page(1, device("a", 1))), following) as (devices, _):
            live = devices.live()
            errors: list[BaseException] = []
            live.on("error", errors.append)
            live.on("add", lambda _: sys.exit(3))
            live.start()
            with suppress(SystemExit):
                live.wait(30)
            until_stopped(live)
        self.assertEqual((live.state, [type(error) for error in errors]), ("stopped", [SystemExit]))

    def test_a_stop_ends_a_request_that_gets_no_answer(self) -> None:
        asked = threading.Event()

        def keep_silent(client: socket.socket) -> None:
            client.recv(65536)
            asked.set()
            client.recv(65536)

        with talking(keep_silent) as port:
            live = connect(f"http://127.0.0.1:{port}", deadline=600).objects(Device, "default").live().start()
            asked.wait(30)
            with patch("winnow_client.objects.live._LONGEST_JOIN", 25):
                live.stop()
            self.assertEqual([one.name for one in threading.enumerate() if one.name == "winnow live set"], [])
        self.assertEqual(live.state, "stopped")

    def test_a_stop_ends_the_pauses(self) -> None:
        with serving(refused(503, "ServiceUnavailable", headers={"retry_after": "500"}), deadline=600) as (devices, seen):
            live = devices.live().start()
            while not seen:
                pass
            with patch("winnow_client.objects.live._LONGEST_JOIN", 20):
                live.stop()
        self.assertEqual([one.name for one in threading.enumerate() if one.name == "winnow live set"], [])

    def test_a_set_is_started_once_and_before_it_is_waited_for(self) -> None:
        with serving(ok(page(1)), following) as (devices, _):
            live = devices.live()
            with self.assertRaisesRegex(RuntimeError, "call start before wait"):
                live.wait()
            live.stop()
            self.assertEqual(live.state, "stopped")
            for call in (live.start, live.wait):
                with self.assertRaises(RuntimeError):
                    call()

    def test_an_interrupted_beginning_stops_the_set(self) -> None:
        with serving(refused(503, "ServiceUnavailable", headers={"retry_after": "25"})) as (devices, _):
            live = devices.live()
            with patch.object(live, "wait", side_effect=KeyboardInterrupt), self.assertRaises(KeyboardInterrupt), live:
                pass
        self.assertEqual(live.state, "stopped")

    def test_a_set_has_the_objects_of_its_namespace_by_name(self) -> None:
        with serving(ok(page(1, device("a", 1))), following) as (devices, _), devices.live() as live:
            self.assertIsNotNone(live.get("a"))
            self.assertIsNotNone(live.get("a", "default"))
            self.assertIsNone(live.get("a", "other"))

    def test_a_listener_is_removed_once(self) -> None:
        with serving(ok(page(1, device("a", 1))), following) as (devices, _):
            live = devices.live()
            told: list[Device] = []
            remove = live.on("add", told.append)
            live.on("add", told.append)
            remove()
            remove()
            with live:
                self.assertEqual(len(told), 1)

    def test_a_set_polls_if_the_answers_are_buffered_and_tries_a_long_watch_now_and_then(self) -> None:
        pace = Pace()
        self.assertEqual([pace.next_seconds(), pace.next_seconds()], [30, 240])
        pace.broke(is_silent=True)
        pace.ended()
        pace.broke(is_silent=True)
        self.assertEqual(pace.next_seconds(), 240)
        pace.broke(is_silent=True)
        self.assertEqual(pace.next_seconds(), 10)
        for _ in range(59):
            pace.ended()
            pace.broke(is_silent=False)
        self.assertEqual(pace.next_seconds(), 10)
        pace.ended()
        self.assertEqual(pace.next_seconds(), 240)
        pace.broke(is_silent=True)
        self.assertEqual(pace.next_seconds(), 10)


class TestWatches(unittest.TestCase):
    def test_a_watch_ends_with_the_error_of_the_server(self) -> None:
        answer: Answer = lambda one: one.watch(event("ADDED", device("a", 1)), event("ERROR", status(410, "Expired")))  # noqa: E731
        with serving(answer) as (devices, _):
            names = []
            with self.assertRaises(ExpiredError):
                for change in devices.watch():
                    names.append(change.object.metadata.name if change.object else "")
        self.assertEqual(names, ["a"])

    def test_a_watch_that_is_cut_between_chunks_is_an_error(self) -> None:
        with serving(lambda one: one.watch(event("ADDED", device("a", 1)), is_cut=True)) as (devices, _):
            watch = devices.watch()
            self.assertEqual(next(watch).type, "ADDED")
            with self.assertRaisesRegex(UnavailableError, "the watch broke"):
                next(watch)
        with serving(lambda one: one.watch(event("ADDED", device("a", 1)))) as (devices, _):
            self.assertEqual(len([*devices.watch()]), 1)

    def test_a_watch_that_is_closed_gives_its_connection_back(self) -> None:
        ended = threading.Event()

        def answer(one: Connection) -> None:
            one.watch(event("ADDED", device("a", 1)), is_cut=True)
            one.wait()
            ended.set()

        for steps in (0, 1):
            ended.clear()
            with self.subTest(steps), serving(answer) as (devices, _):
                with devices.watch() as watch:
                    for _step in range(steps):
                        next(watch)
                self.assertTrue(ended.wait(30))
                self.assertEqual([*watch], [])

    def test_an_empty_line_is_a_sign_of_life(self) -> None:
        def answer(one: Connection) -> None:
            one.watch(ending="\n", is_cut=True)
            one.wait()

        with serving(answer) as (devices, _):
            events = devices._open({}, 0.3, Stop())
            with self.assertRaisesRegex(UnavailableError, "no byte came for 0.3 s"):
                next(iter(events))
            self.assertTrue(events.is_heard)


def until_stopped(live: LiveSet[Device]) -> None:
    for thread in threading.enumerate():
        if thread.name == "winnow live set":
            thread.join(30)


if __name__ == "__main__":
    unittest.main()
