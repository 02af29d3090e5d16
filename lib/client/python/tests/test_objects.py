"""The typed client against a server that fails as a test says. The tests with a real Winnow stand beside its own tests."""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import typing
import unittest
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from enum import Enum, IntEnum
from typing import Any, Literal
from unittest.mock import patch
from warnings import catch_warnings, simplefilter

from fleet import CAM, NOW, Connection, Device, Port, Spec, device, dropped, ok, refused, serving, short_pauses, talking

from winnow_client.objects import (
    ABSENT,
    EXISTS,
    ConflictError,
    LabelSelector,
    Metadata,
    NotFoundError,
    OutcomeUnknownError,
    UnauthorizedError,
    UnavailableError,
    UnexpectedValueError,
    WinnowError,
    connect,
    without,
)
from winnow_client.objects.changes import changed
from winnow_client.objects.codec import decode, encode
from winnow_client.objects.selector import field_selector_text, label_selector_text


class State(str, Enum):
    ACTIVE = "active"
    RETIRED = "retired"


class Level(IntEnum):
    LOW = 1


@dataclass
class Values:
    """Types that a value of JSON must fit exactly."""

    one: Literal[1] | None = None
    level: Level | None = None
    counts: dict[int, str] | None = None
    levels: dict[Level, State] | None = None
    pair: tuple[int, str] | None = None
    many: tuple[int, ...] | None = None
    bare: typing.List | None = None  # type: ignore[type-arg]  # noqa: UP006
    time: datetime | None = None


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

    def test_each_type_of_a_value_is_checked(self) -> None:
        values = Values(1, Level.LOW, {7: "a"}, {Level.LOW: State.RETIRED}, (1, "a"), (1, 2, 3), [1, "a"])
        text = json.loads(json.dumps(encode(values)))
        self.assertEqual((text["counts"], text["levels"]), ({"7": "a"}, {"1": "retired"}))
        self.assertEqual(decode(Values, text), values)
        self.assertEqual(encode({State.RETIRED: True}), {"retired": True})
        for wrong in ({"one": True}, {"level": True}, {"counts": {"a": "b"}}, {"pair": [1]}, {"pair": [1, 2]}, {"bare": 1}):
            with self.subTest(wrong), self.assertRaises(UnexpectedValueError):
                decode(Values, wrong)

    def test_a_time_may_have_each_fraction_of_a_second(self) -> None:
        for text, microsecond in (("00.5Z", 500000), ("00.123456789Z", 123456), ("00.000001Z", 1), ("00Z", 0)):
            with self.subTest(text):
                expected = datetime(2026, 11, 28, 10, 0, 0, microsecond, timezone.utc)
                self.assertEqual(decode(Values, {"time": f"2026-11-28T10:00:{text}"}).time, expected)

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


class TestChangedLists(unittest.TestCase):
    A, B = {"protocol": "TCP", "port": 80}, {"protocol": "TCP", "port": 443}
    C = {"protocol": "UDP", "port": 53}

    def test_an_item_keeps_its_unknown_fields(self) -> None:
        a, b, c = self.A, self.B, self.C
        new = {"protocol": "SCTP"}
        cases: list[tuple[list[dict[str, Any]], list[str], list[dict[str, Any]]]] = [
            ([a, b], ["TCP", "TCP", "SCTP"], [a, b, new]),
            ([a, b], ["SCTP", "TCP", "TCP"], [new, a, b]),
            ([a, c], ["UDP"], [c]),
            ([a, b, c], ["UDP", "TCP", "TCP"], [c, b, a]),
            ([a, b], ["TCP", "SCTP"], [a, {**b, **new}]),
            ([a, b], ["SCTP", "TCP"], [{**a, **new}, b]),
            ([a, b], [], []),
            ([a, a], ["TCP"], [a]),
            ([{"protocol": "TCP"}, {"protocol": "UDP"}], ["SCTP"], [new]),
        ]
        for stored, kept, expected in cases:
            with self.subTest(kept):
                before = [{"protocol": one["protocol"]} for one in stored]
                after = [{"protocol": protocol} for protocol in kept]
                self.assertEqual(changed({"ports": stored}, {"ports": before}, {"ports": after}), {"ports": expected})

    def test_a_change_that_would_lose_fields_is_refused(self) -> None:
        for stored, kept in [([self.A, self.B], ["TCP"]), ([self.A, self.C], ["SCTP"]), ([self.A], ["UDP", "SCTP"])]:
            with self.subTest(kept), self.assertRaisesRegex(ValueError, "it is not clear which items of a list are gone"):
                before = [{"protocol": one["protocol"]} for one in stored]
                changed(stored, before, [{"protocol": protocol} for protocol in kept])

    def test_the_items_of_a_set_are_those_of_the_class(self) -> None:
        # The order of a set is not that of the stored list.
        self.assertEqual(changed(["a", "b"], ["b", "a"], ["a"]), ["a"])

    def test_a_number_is_no_truth_value(self) -> None:
        self.assertIs(changed({"a": True}, {"a": True}, {"a": 1})["a"], 1)


class TestSelectors(unittest.TestCase):
    def test_conditions_become_the_text_of_kubectl(self) -> None:
        conditions: LabelSelector = {
            "site": ["north", "south"],
            "canary": ABSENT,
            "x/y": EXISTS,
            "tier": without("web"),
            "a": "b",
        }
        self.assertEqual(label_selector_text(conditions), "site in (north,south),!canary,x/y,tier notin (web),a=b")
        self.assertEqual(label_selector_text("a!=b"), "a!=b")
        self.assertEqual(field_selector_text({"spec.on": True, "spec.name": "a,b"}), "spec.on=true,spec.name=a\\,b")

    def test_a_member_of_an_enumeration_means_its_value(self) -> None:
        self.assertEqual(field_selector_text({"spec.state": State.RETIRED}), "spec.state=retired")
        conditions: LabelSelector = {"a": State.ACTIVE, "b": [State.ACTIVE, State.RETIRED], "c": without(State.RETIRED)}
        self.assertEqual(label_selector_text(conditions), "a=active,b in (active,retired),c notin (retired)")

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
        with short_pauses(), self.assertRaises(UnavailableError):
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

    def test_an_update_writes_the_object_that_the_change_returns(self) -> None:
        with serving(ok(device("cam", 1))) as (devices, seen):
            devices.update("cam", lambda cam: replace(cam, spec=replace(cam.spec, state="retired")))
        self.assertEqual(seen[1].body["spec"]["state"], "retired")

    def test_a_token_function_that_fails_is_an_error_of_the_request(self) -> None:
        def token(_former: str | None) -> str:
            raise OSError("no network")

        with serving(ok(device("cam", 1)), token=token) as (devices, seen):
            with self.assertRaisesRegex(UnavailableError, "the token function failed: OSError: no network"):
                devices.get("cam")
        self.assertEqual(seen, [])

    def test_a_resource_that_the_server_does_not_have_is_not_found(self) -> None:
        with serving(lambda one: one.answer(404, {}, content_type="text/plain")) as (devices, _):
            with self.assertRaisesRegex(NotFoundError, "GET .*/devices/cam: the server has no resource"):
                devices.get("cam")

    def test_a_value_that_json_does_not_have_is_not_sent(self) -> None:
        with serving(ok(device("cam", 1))) as (devices, seen), self.assertRaisesRegex(ValueError, "JSON"):
            devices.create(Device(Metadata("cam"), Spec("x2", share=float("nan"))))
        self.assertEqual(seen, [])

    def test_a_patch_may_have_values_of_python(self) -> None:
        with serving(ok(device("cam", 1))) as (devices, seen):
            devices.patch("cam", {"spec": {"seen": datetime(2026, 11, 28), "place": None, "state": State.RETIRED}})
        self.assertEqual(seen[0].body, {"spec": {"seen": "2026-11-28T00:00:00Z", "place": None, "state": "retired"}})

    def test_the_deadline_holds_if_the_server_sends_byte_after_byte(self) -> None:
        head = b"HTTP/1.1 200 OK\r\ncontent-length: 10000\r\n\r\n"
        for beginning in (b"HTTP/1.1 200 OK\r\nx: ", head):
            given_up = threading.Event()

            def trickle(client: socket.socket, beginning: bytes = beginning, given_up: threading.Event = given_up) -> None:
                client.sendall(beginning)
                # Until the client closes the connection, or the test fails.
                for _ in range(200):
                    client.sendall(b" ")
                    if given_up.wait(0.05):
                        return

            with self.subTest(beginning), talking(trickle) as port:
                devices = connect(f"http://127.0.0.1:{port}", deadline=0.3).objects(Device, "default")
                with self.assertRaisesRegex(UnavailableError, "timed out"):
                    devices.get("cam")
                given_up.set()

    @unittest.skipUnless(hasattr(os, "fork"), "the system has no fork")
    def test_a_forked_process_has_connections_of_its_own(self) -> None:
        ports: list[int] = []
        with serving(ok(device("cam", 1))) as (devices, seen):
            devices.get("cam")
            child = multiprocessing.get_context("fork").Process(target=devices.get, args=("cam",))
            with catch_warnings():
                # Python warns of each fork of a process with threads; here they belong to the server.
                simplefilter("ignore", DeprecationWarning)
                child.start()
            child.join(60)
            devices.get("cam")
            ports = [one.port for one in seen]
        self.assertEqual(child.exitcode, 0)
        self.assertEqual(ports[0], ports[2])
        self.assertNotEqual(ports[0], ports[1])

    @unittest.skipUnless(shutil.which("openssl"), "there is no openssl")
    def test_a_certificate_that_is_not_trusted_is_reported_at_once(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            key, certificate = f"{folder}/key.pem", f"{folder}/certificate.pem"
            subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
            making = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate]
            subprocess.run([*making, *subject], check=True, capture_output=True)
            server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            server.load_cert_chain(certificate, key)
            tries: list[socket.socket] = []
            body = json.dumps(device("cam", 1)).encode()

            def talk(client: socket.socket) -> None:
                tries.append(client)
                with server.wrap_socket(client, server_side=True) as secure:
                    for _ in range(2):
                        secure.recv(65536)
                        secure.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body))

            with talking(talk) as port:
                url = f"https://127.0.0.1:{port}"
                with self.assertRaisesRegex(UnavailableError, "certificate that is not trusted.*context="):
                    connect(url).objects(Device, "default").get("cam")
                self.assertEqual(len(tries), 1)
                winnow = connect(url, token="secret", context=ssl.create_default_context(cafile=certificate))
                for _ in range(2):
                    self.assertEqual(winnow.objects(Device, "default").get("cam").metadata.name, "cam")
                winnow.close()
                self.assertEqual(len(tries), 2)

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

    def test_a_wrong_url_is_refused_without_its_password(self) -> None:
        for url in (
            "https://me:secret@winnow.example",
            "https://me:sec/ret@winnow.example",
            "https://me/x:secret@winnow.example",
        ):
            with self.subTest(url), self.assertRaisesRegex(ValueError, "use token") as caught:
                connect(url)
            self.assertIsNone(re.search("sec", str(caught.exception)))
        for url in (
            "http://127.0.0.1/a b",
            "http://a b/",
            "http://127.0.0.1:x",
            "ftp://a",
            "http://127.0.0.1/\u00e4",
            "http://a:0",
        ):
            with self.subTest(url), self.assertRaisesRegex(ValueError, "is not an http or https URL"):
                connect(url)

    def test_an_address_of_ipv6_has_the_usual_port(self) -> None:
        for url, expected in (
            ("http://[::1]", ("::1", 80)),
            ("https://[fd00::2:8443]", ("fd00::2:8443", 443)),
            ("https://[fd00::2]:8443", ("fd00::2", 8443)),
        ):
            with self.subTest(url), patch("socket.getaddrinfo", side_effect=OSError("stop")) as look_up:
                with self.assertRaises(UnavailableError):
                    connect(url, deadline=0.01).objects(Device, "default").get("cam")
                self.assertEqual(look_up.call_args.args, expected)

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


if __name__ == "__main__":
    unittest.main()
