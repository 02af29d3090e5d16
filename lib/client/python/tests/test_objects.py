"""The typed client against a server that fails as a test says. The tests with a real Winnow stand beside its own tests."""

from __future__ import annotations

import json
import threading
import unittest
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

from winnow_client.objects import (
    ABSENT,
    EXISTS,
    ConflictError,
    ExpiredError,
    LabelSelector,
    Metadata,
    NotFoundError,
    Objects,
    OutcomeUnknownError,
    UnauthorizedError,
    UnavailableError,
    UnexpectedValueError,
    WinnowError,
    connect,
    resource,
    without,
)
from winnow_client.objects.codec import changed, decode, encode
from winnow_client.objects.selector import field_selector_text, label_selector_text


@dataclass
class Port:
    name: str
    number: int | None = None


@dataclass
class Spec:
    model: str
    state: Literal["active", "retired"] = "active"
    serial_number: str | None = None
    snake_case: str | None = field(default=None, metadata={"json": "snake_case"})
    ports: list[Port] = field(default_factory=list)
    limits: dict[str, int | str] = field(default_factory=dict)
    seen: datetime | None = None
    share: float | None = None


@resource("fleet.example/v1", "Device", "devices")
@dataclass
class Device:
    metadata: Metadata
    spec: Spec


def device(name: str, version: int, **spec: Any) -> dict[str, Any]:
    metadata = {"name": name, "namespace": "default", "uid": f"uid-of-{name}", "resourceVersion": str(version)}
    return {
        "apiVersion": "fleet.example/v1",
        "kind": "Device",
        "metadata": metadata,
        "spec": {"model": "x2", "state": "active", **spec},
    }


def status(code: int, reason: str, message: str = "no", **details: Any) -> dict[str, Any]:
    return {"kind": "Status", "code": code, "reason": reason, "message": message, "details": details}


def page(version: int, *items: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "DeviceList", "metadata": {"resourceVersion": str(version)}, "items": list(items)}


def event(kind: str, thing: dict[str, Any]) -> dict[str, Any]:
    return {"type": kind, "object": thing}


class Connection:
    """One request as a test sees it, and the ways to answer it."""

    def __init__(self, handler: BaseHTTPRequestHandler, body: Any) -> None:
        self.method, self.target, self.headers, self.body = handler.command, handler.path, handler.headers, body
        self._handler = handler

    def answer(self, code: int, body: dict[str, Any], **headers: str) -> None:
        text = json.dumps(body).encode()
        self._handler.send_response(code)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        for name, value in {"content-type": "application/json", "content-length": str(len(text)), **given}.items():
            self._handler.send_header(name, value)
        self._handler.end_headers()
        self._handler.wfile.write(text)

    def cut(self, code: int = 200, text: bytes = b'{"kind"') -> None:
        """Begins an answer that is longer than what comes."""
        self._handler.send_response(code)
        self._handler.send_header("content-length", "1000")
        self._handler.end_headers()
        self._handler.wfile.write(text)
        self.drop()

    def drop(self) -> None:
        """Closes the connection without an answer, or in the middle of one."""
        self._handler.close_connection = True

    def watch(self, *events: dict[str, Any], ending: str = "") -> None:
        """A watch that ends after some events, and after a text that is no whole line."""
        self._handler.send_response(200)
        self._handler.end_headers()
        self._handler.wfile.write("".join(f"{json.dumps(one)}\n" for one in events).encode() + ending.encode())
        self.drop()


Answer = Callable[[Connection], None]


@contextmanager
def serving(*answers: Answer, **options: Any) -> Iterator[tuple[Objects[Device], list[Connection]]]:
    """Devices of a server that answers the requests one after the other, and the list of the requests. The last answer is
    repeated."""
    seen: list[Connection] = []
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _do(self) -> None:
            length = int(self.headers.get("content-length", 0))
            body = json.loads(self.rfile.read(length)) if length else None
            connection = Connection(self, body)
            with lock:
                number = len(seen)
                seen.append(connection)
            answers[min(number, len(answers) - 1)](connection)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _do

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    winnow = connect(f"http://127.0.0.1:{server.server_port}", **options)
    try:
        yield winnow.objects(Device, "default"), seen
    finally:
        winnow.close()
        server.shutdown()
        server.server_close()
        thread.join()


def ok(body: dict[str, Any]) -> Answer:
    return lambda connection: connection.answer(200, body)


def refused(code: int, reason: str, message: str = "no", headers: dict[str, str] | None = None, **details: Any) -> Answer:
    return lambda connection: connection.answer(code, status(code, reason, message, **details), **(headers or {}))


def dropped(connection: Connection) -> None:
    connection.drop()


NOW = {"retry_after": "0"}
CAM = Device(Metadata("cam"), Spec("x2"))


class TestObjectsAsJson(unittest.TestCase):
    def test_an_object_is_the_same_after_it_was_json(self) -> None:
        seen = datetime(2026, 11, 28, 9, 30, tzinfo=timezone(timedelta(hours=2)))
        spec = Spec("x2", "retired", "7", "a", [Port("http", 80)], {"cpu": 2, "memory": "1Gi"}, seen, 0.5)
        text = encode(spec)
        self.assertEqual(
            text,
            {
                "model": "x2",
                "state": "retired",
                "serialNumber": "7",
                "snake_case": "a",
                "ports": [{"name": "http", "number": 80}],
                "limits": {"cpu": 2, "memory": "1Gi"},
                "seen": "2026-11-28T07:30:00Z",
                "share": 0.5,
            },
        )
        self.assertEqual(decode(Spec, json.loads(json.dumps(text))), spec)

    def test_a_value_of_another_type_is_refused_with_its_path(self) -> None:
        for spec, message in [
            ({"model": 5}, "Spec.model: 5 is no str"),
            ({}, "Spec.model is missing; declare it as optional"),
            ({"model": "x", "state": "lost"}, "Spec.state: 'lost' is none of 'active', 'retired'"),
            ({"model": "x", "ports": [{"name": "a", "number": True}]}, "Spec.ports[0].number: True is no int"),
            ({"model": "x", "limits": {"cpu": []}}, "Spec.limits.cpu: [] is no int"),
            ({"model": "x", "seen": "today"}, "Spec.seen: 'today' is no time"),
        ]:
            with self.subTest(message), self.assertRaises(UnexpectedValueError) as caught:
                decode(Spec, spec)
            self.assertEqual(str(caught.exception), message)

    def test_a_change_keeps_the_fields_that_the_class_does_not_have(self) -> None:
        stored = {
            "model": "x2",
            "newer": 1,
            "serialNumber": "7",
            "ports": [{"name": "a", "number": 1, "newer": 2}, {"name": "b", "newer": 3}, {"name": "c", "newer": 4}],
        }
        spec = decode(Spec, stored)
        before = encode(spec)
        spec.model, spec.serial_number = "x3", None
        spec.ports = [spec.ports[2], Port("b", 9), Port("d")]
        after = encode(spec)
        self.assertEqual(
            changed(stored, before, after),
            {
                "model": "x3",
                "newer": 1,
                "ports": [{"name": "c", "newer": 4}, {"name": "b", "number": 9, "newer": 3}, {"name": "d"}],
            },
        )

    def test_a_change_of_nothing_writes_no_default(self) -> None:
        stored = {"model": "x2"}
        before = encode(decode(Spec, stored))
        self.assertEqual(changed(stored, before, before), stored)


class TestSelectors(unittest.TestCase):
    def test_conditions_become_the_text_of_kubectl(self) -> None:
        conditions: LabelSelector = {"site": ["north", "south"], "canary": ABSENT, "x/y": EXISTS, "tier": without("web"), "a": "b"}
        self.assertEqual(label_selector_text(conditions), "site in (north,south),!canary,x/y,tier notin (web),a=b")
        self.assertEqual(label_selector_text("a!=b"), "a!=b")
        self.assertEqual(field_selector_text({"spec.on": True, "spec.name": "a,b"}), "spec.on=true,spec.name=a\\,b")

    def test_a_condition_that_would_change_the_selector_is_refused(self) -> None:
        wrong: list[LabelSelector] = [{"a,b": "c"}, {"a": "b,c"}, {"a": []}, {"a": without()}, {"a": "b\n"}]
        for selector in wrong:
            with self.subTest(selector), self.assertRaises(ValueError):
                label_selector_text(selector)
        with self.assertRaises(ValueError):
            field_selector_text({"spec.state": None})


class TestRequests(unittest.TestCase):
    def test_the_reads_are_repeated_after_503_and_after_a_lost_answer(self) -> None:
        with serving(refused(503, "ServiceUnavailable"), dropped, Connection.cut, ok(device("cam", 1))) as (devices, seen):
            self.assertEqual(devices.get("cam").spec.model, "x2")
        self.assertEqual(len(seen), 4)
        self.assertEqual(len({one.headers["audit-id"] for one in seen}), 1)

    def test_a_create_with_a_lost_answer_is_not_repeated(self) -> None:
        for answer in (dropped, Connection.cut, refused(504, "Timeout", "the write may have been applied")):
            with self.subTest(answer), serving(answer) as (devices, seen):
                with self.assertRaises(OutcomeUnknownError) as caught:
                    devices.create(CAM)
                self.assertEqual(caught.exception.audit_id, seen[0].headers["audit-id"])
                self.assertEqual(len(seen), 1)

    def test_a_write_that_the_server_did_not_take_is_repeated(self) -> None:
        with serving(refused(429, "TooManyRequests", headers=NOW), ok(device("cam", 1))) as (devices, seen):
            devices.create(CAM)
        self.assertEqual(
            seen[1].body,
            {
                "apiVersion": "fleet.example/v1",
                "kind": "Device",
                "metadata": {"name": "cam"},
                "spec": {"model": "x2", "state": "active", "ports": [], "limits": {}},
            },
        )

    def test_a_server_that_is_not_there_is_unavailable(self) -> None:
        with serving(dropped) as (devices, _):
            pass
        with self.assertRaises(UnavailableError):
            devices.create(CAM)

    def test_an_apply_is_repeated_and_a_delete_with_a_uid_too(self) -> None:
        with serving(dropped, ok(device("cam", 1))) as (devices, seen):
            devices.apply(CAM)
        self.assertEqual(len(seen), 2)
        with serving(dropped, refused(404, "NotFound")) as (devices, seen):
            devices.delete(Metadata("cam", uid="1"))
        self.assertEqual(seen[1].body["preconditions"], {"uid": "1"})
        with serving(dropped, refused(404, "NotFound")) as (devices, seen), self.assertRaises(OutcomeUnknownError):
            devices.delete("cam")
        with serving(refused(404, "NotFound")) as (devices, seen), self.assertRaises(NotFoundError):
            devices.delete(Metadata("cam", uid="1"))

    def test_an_update_begins_anew_after_a_conflict_and_keeps_unknown_fields(self) -> None:
        second = device("cam", 2, model="x3", newer=True)
        answers = ok(device("cam", 1)), refused(409, "Conflict"), ok(second), ok(second)
        with serving(*answers) as (devices, seen):
            devices.update("cam", lambda cam: setattr(cam.spec, "state", "retired"))
        expected = {**second, "spec": {"model": "x3", "state": "retired", "newer": True}}
        self.assertEqual(seen[3].body, expected)

    def test_an_update_writes_no_successor_of_the_object(self) -> None:
        with serving(ok(device("cam", 1))) as (devices, seen), self.assertRaises(ConflictError):
            devices.update(Metadata("cam", uid="former"), lambda cam: None)
        self.assertEqual([one.method for one in seen], ["GET"])

    def test_a_token_is_renewed_once(self) -> None:
        refusals: list[str | None] = []

        def token(former: str | None) -> str:
            refusals.append(former)
            return f"t{len(refusals)}"

        with serving(refused(401, "Unauthorized"), ok(device("cam", 1)), token=token) as (devices, seen):
            devices.get("cam")
        self.assertEqual(refusals, [None, "t1"])
        self.assertEqual([one.headers["authorization"] for one in seen], ["Bearer t1", "Bearer t2"])
        with serving(refused(401, "Unauthorized"), token="t") as (devices, seen):
            with self.assertRaises(UnauthorizedError):
                devices.get("cam")
        self.assertEqual(len(seen), 1)

    def test_a_redirect_is_an_error(self) -> None:
        elsewhere = "http://127.0.0.1:1/"
        with serving(lambda one: one.answer(302, {}, location=elsewhere)) as (devices, seen):
            with self.assertRaises(WinnowError) as caught:
                devices.get("cam")
        self.assertEqual((caught.exception.code, len(seen)), (302, 1))

    def test_an_answer_without_json_names_the_url(self) -> None:
        with serving(lambda one: one.answer(200, {}, content_type="text/html")) as (devices, _):
            with self.assertRaisesRegex(UnavailableError, "text/html and no JSON: is this the URL of Winnow"):
                devices.get("cam")

    def test_a_token_does_not_travel_without_encryption(self) -> None:
        with self.assertRaisesRegex(ValueError, "a token for winnow.example would travel without encryption; use https"):
            connect("http://winnow.example", token="secret")
        with self.assertRaisesRegex(ValueError, "use token") as caught:
            connect("https://me:secret@winnow.example")
        self.assertNotIn("secret", str(caught.exception))

    def test_a_name_cannot_lead_to_another_path(self) -> None:
        with serving(ok(device("cam", 1))) as (devices, seen):
            devices.get("../a?b")
            for name in ("", ".", ".."):
                with self.subTest(name), self.assertRaises(ValueError):
                    devices.get(name)
        self.assertEqual(seen[0].target, "/apis/fleet.example/v1/namespaces/default/devices/..%2Fa%3Fb")

    def test_a_class_without_a_kind_is_refused(self) -> None:
        @dataclass
        class Camera(Device):
            pass

        with self.assertRaisesRegex(TypeError, "Camera has no kind; decorate it"):
            connect("http://127.0.0.1:1").objects(Camera)


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
            ok(page(2)),
            lambda one: one.watch(event("DELETED", device("a", 3))),
            ok(page(3, device("b", 2))),
        )
        with serving(*answers) as (devices, seen):
            told = Told(devices)
            told.until("add a", "add b", "UnavailableError", "delete a")
        self.assertEqual(told.lines[:4], ["add a", "add b", "UnavailableError", "delete a"])
        self.assertIn("resourceVersion=2", seen[3].target)
        self.assertIn("limit=1&resourceVersion=2", seen[2].target)

    def test_a_set_lists_again_if_its_version_has_expired_or_is_ahead_of_the_server(self) -> None:
        expired = status(410, "Expired")
        ahead = refused(504, "Timeout", headers=NOW, causes=[{"reason": "ResourceVersionTooLarge"}])
        for answers in (
            [lambda one: one.watch(event("ERROR", expired))],
            [lambda one: one.watch(ending="{"), ahead],
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

    def test_one_watch_ends_with_the_error_of_the_server(self) -> None:
        answer = lambda one: one.watch(event("ADDED", device("a", 1)), event("ERROR", status(410, "Expired")))  # noqa: E731
        with serving(answer) as (devices, _):
            names = []
            with self.assertRaises(ExpiredError):
                for change in devices.watch():
                    names.append(change.object.metadata.name if change.object else "")
        self.assertEqual(names, ["a"])


if __name__ == "__main__":
    unittest.main()
