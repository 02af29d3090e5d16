"""The typed client against the Winnow at WINNOW_URL, which serves the devices of examples/device-definition.yaml.

WINNOW_EMPTY_URL is another one, as if the first had lost its table and begun anew.
"""

from __future__ import annotations

import os
import random
import socket
import threading
import time
import unittest
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Literal
from urllib.parse import urlsplit

from winnow_client.objects import (
    ABSENT,
    AlreadyExistsError,
    ConflictError,
    InvalidError,
    LiveSet,
    Metadata,
    NotFoundError,
    Objects,
    connect,
    resource,
)

URL, EMPTY_URL = os.environ["WINNOW_URL"], os.environ["WINNOW_EMPTY_URL"]


@dataclass
class Spec:
    model: str
    state: Literal["active", "retired"] = "active"


@resource("fleet.example/v1", "Device", "devices")
@dataclass
class Device:
    metadata: Metadata
    spec: Spec


@resource("v1", "ConfigMap", "configmaps")
@dataclass
class ConfigMap:
    metadata: Metadata
    data: dict[str, str] | None = None


@resource("v1", "Service", "services")
@dataclass
class Service:
    metadata: Metadata
    spec: dict[str, Any]


@dataclass
class Port:
    protocol: str


@dataclass
class Ports:
    ports: list[Port]


@resource("v1", "Service", "services")
@dataclass
class ServiceOfProtocols:
    metadata: Metadata
    spec: Ports


def devices(url: str = URL, **options: Any) -> Objects[Device]:
    return connect(url, **options).objects(Device, "default")


def device(name: str, **labels: str) -> Device:
    return Device(Metadata(name, labels=labels), Spec("x2"))


def retire(thing: Device) -> None:
    thing.spec.state = "retired"


def until(what: str, holds: Any) -> None:
    """Waits for at most a minute."""
    end = time.monotonic() + 60
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(f"after a minute, this is not true: {what}")
        time.sleep(0.02)


class CuttingProxy:
    """A TCP proxy before a service, whose open connections a test can cut.

    target: the URL of the service for new connections.
    """

    def __init__(self) -> None:
        self.target = URL
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        for one in list(self._open):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self) -> None:
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            target = urlsplit(self.target)
            server = socket.create_connection((target.hostname, target.port))
            self._open |= {client, server}
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=self._pass_on, args=(source, sink), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        try:
            while piece := source.recv(65536):
                sink.sendall(piece)
        except OSError:
            pass
        for one in (source, sink):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self._open -= {source}


class TestCollections(unittest.TestCase):
    def test_an_object_is_created_read_changed_and_deleted(self) -> None:
        fleet = devices(manager="python")
        created = fleet.create(device("cam", site="north"))
        self.assertEqual((created.spec, created.metadata.labels), (Spec("x2"), {"site": "north"}))
        self.assertIsNotNone(created.metadata.creation_timestamp)
        with self.assertRaises(AlreadyExistsError):
            fleet.create(device("cam"))
        self.assertEqual(fleet.update("cam", retire).spec.state, "retired")
        self.assertEqual(fleet.get("cam").metadata.generation, 2)
        self.assertEqual(fleet.relabel("cam", {"site": None, "tier": "web"}).metadata.labels, {"tier": "web"})
        with self.assertRaises(InvalidError) as caught:
            fleet.patch("cam", {"spec": {"state": "lost"}})
        self.assertEqual([cause["field"] for cause in caught.exception.causes], ["spec.state"])
        fleet.delete(created.metadata)
        with self.assertRaises(NotFoundError):
            fleet.get("cam")
        fleet.create(device("cam"))
        with self.assertRaises(ConflictError):
            fleet.delete(created.metadata)
        with self.assertRaises(ConflictError):
            fleet.update(created.metadata, retire)
        fleet.delete("cam")

    def test_a_list_has_the_objects_of_all_pages_in_order(self) -> None:
        fleet = devices()
        names = [f"page-{number:02}" for number in range(12)]
        for name in names:
            fleet.create(device(name, set="pages", canary="yes") if name == "page-07" else device(name, set="pages"))
        listed = fleet.list({"set": ["pages", "more"], "canary": ABSENT}, page_size=5)
        self.assertEqual([one.metadata.name for one in listed], [name for name in names if name != "page-07"])
        fleet.update("page-03", retire)
        found = fleet.list("set=pages", fields={"spec.state": "retired"})
        self.assertEqual([one.metadata.name for one in found], ["page-03"])

    def test_an_apply_owns_its_fields(self) -> None:
        first, second = devices(manager="first"), devices(manager="second")
        first.apply(device("owned", room="north"))
        with self.assertRaises(ConflictError) as caught:
            second.apply(device("owned", room="south"))
        self.assertIn('conflict with "first"', str(caught.exception))
        self.assertEqual(second.apply(device("owned", room="south"), force=True).metadata.labels, {"room": "south"})
        # An object that was read can be applied: the fields that the server sets are left out.
        first.apply(first.get("owned"), force=True)

    def test_a_built_in_kind_has_a_class_too(self) -> None:
        configs = connect(URL).objects(ConfigMap, "default")
        configs.create(ConfigMap(Metadata("settings", annotations={"a": "b"}), {"key": "value"}))

        def change(settings: ConfigMap) -> None:
            settings.data = {**(settings.data or {}), "more": "yes"}
            settings.metadata.annotations.clear()

        changed = configs.update("settings", change)
        self.assertEqual((changed.data, changed.metadata.annotations), ({"key": "value", "more": "yes"}, {}))

    def test_an_update_keeps_the_unknown_fields_of_the_items_of_a_list(self) -> None:
        ports = [{"name": "a", "protocol": "TCP", "port": 80}, {"name": "b", "protocol": "TCP", "port": 443}]
        connect(URL).objects(Service, "default").create(Service(Metadata("web"), {"ports": ports}))
        services = connect(URL).objects(ServiceOfProtocols, "default")
        with self.assertRaisesRegex(ValueError, "it is not clear which items of a list are gone"):
            services.update("web", lambda web: web.spec.ports.pop(0))
        services.update("web", lambda web: setattr(web.metadata, "labels", {"a": "b"}))
        kept = connect(URL).objects(Service, "default").get("web").spec["ports"]
        self.assertEqual([(one["name"], one["port"]) for one in kept], [("a", 80), ("b", 443)])

    def test_a_kind_that_is_not_defined_is_not_found(self) -> None:
        @resource("fleet.example/v1", "Device", "devicez")
        @dataclass
        class Mistyped:
            metadata: Metadata

        wrong = connect(URL).objects(Mistyped, "default")
        with self.assertRaisesRegex(NotFoundError, "devicez"):
            wrong.get("cam")
        errors: list[Exception] = []
        live = wrong.live()
        live.on("error", errors.append)
        live.start()
        until("the set told the failure", lambda: errors)
        live.stop()
        self.assertIsInstance(errors[0], NotFoundError)

    @unittest.skipUnless(find_spec("pydantic"), "pydantic is not installed")
    def test_a_pydantic_model_is_a_class_of_objects_too(self) -> None:
        from pydantic import BaseModel, ValidationError

        class ModelOfSpec(BaseModel):
            model: str
            state: Literal["active", "retired"] = "active"

        @resource("fleet.example/v1", "Device", "devices")
        class ModelOfDevice(BaseModel):
            metadata: Metadata
            spec: ModelOfSpec

        fleet = connect(URL).objects(ModelOfDevice, "default")
        metadata = Metadata(name="pydantic", labels={"by": "pydantic"})
        fleet.apply(ModelOfDevice(metadata=metadata, spec=ModelOfSpec(model="x2")))

        def change(thing: ModelOfDevice) -> None:
            thing.spec.state = "retired"
            thing.metadata.labels["more"] = "yes"

        changed = fleet.update("pydantic", change)
        self.assertEqual((changed.spec.state, changed.metadata.labels), ("retired", {"by": "pydantic", "more": "yes"}))
        self.assertEqual(changed.metadata.resource_version, fleet.get("pydantic").metadata.resource_version)

        @resource("fleet.example/v1", "Device", "devices")
        class Wrong(BaseModel):
            metadata: Metadata
            spec: dict[str, int]

        with self.assertRaises(ValidationError):
            connect(URL).objects(Wrong, "default").get("pydantic")


class TestLiveSets(unittest.TestCase):
    def test_a_set_tells_what_enters_changes_and_leaves(self) -> None:
        fleet = devices()
        fleet.create(device("live-a", live="yes"))
        live = fleet.live({"live": "yes"})
        told: list[str] = []
        live.on("add", lambda one: told.append(f"add {one.metadata.name}"))
        live.on("update", lambda one, before: told.append(f"update {before.spec.state} {one.spec.state}"))
        live.on("delete", lambda one: told.append(f"delete {one.metadata.name} {one.metadata.labels['live']}"))
        live.on("synced", lambda: told.append("synced"))
        with live:
            self.assertEqual(told[0], "add live-a")
            fleet.create(device("live-b", live="yes"))
            fleet.update("live-a", retire)
            fleet.relabel("live-a", {"live": "no"})
            expected = ["add live-a", "synced", "add live-b", "update active retired", "delete live-a yes"]
            until("the set told all changes", lambda: len(told) == len(expected))
            self.assertEqual(told, expected)
            self.assertEqual([one.metadata.name for one in live.snapshot()], ["live-b"])
            self.assertIsNotNone(live.get("live-b", "default"))
        self.assertEqual(live.state, "stopped")

    def test_a_set_leaves_what_a_server_that_began_anew_does_not_have(self) -> None:
        proxy, configs = CuttingProxy(), connect(URL).objects(ConfigMap, "default")
        configs.create(ConfigMap(Metadata("lost", labels={"set": "anew"})))
        live = connect(proxy.url).objects(ConfigMap, "default").live("set=anew")
        live.on("error", lambda _: None)
        try:
            with live:
                self.assertIsNotNone(live.get("lost"))
                configs.create(ConfigMap(Metadata("lost-too", labels={"set": "anew"})))
                until("the set follows the first server", lambda: live.get("lost-too"))
                proxy.target = EMPTY_URL
                proxy.cut()
                until("the set is empty", lambda: len(live) == 0 and live.state == "live")
        finally:
            proxy.close()

    def test_a_set_is_the_list_after_random_changes_cuts_and_the_loss_of_the_table(self) -> None:
        seed = int(os.environ.get("WINNOW_SEED") or random.randrange(2**32))
        chance = random.Random(seed)
        proxy = CuttingProxy()
        fleet = devices()
        told: dict[str, str] = {}
        live: LiveSet[Device] = devices(proxy.url).live("random=in")
        live.on("add", lambda one: told.update({one.metadata.name: one.metadata.resource_version}))
        live.on("update", lambda one, _: told.update({one.metadata.name: one.metadata.resource_version}))
        live.on("delete", lambda one: told.pop(one.metadata.name))
        live.on("error", lambda _: None)
        # A server that began anew is known by its lower resourceVersion, so it has less time for changes.
        loss = chance.randrange(60, 80)
        try:
            with live:
                for step in range(80):
                    name = f"random-{chance.randrange(8)}"
                    if step == loss:
                        proxy.target, fleet = EMPTY_URL, devices(EMPTY_URL)
                        proxy.cut()
                    elif chance.random() < 0.15:
                        proxy.cut()
                    elif chance.random() < 0.2:
                        try:
                            fleet.delete(name)
                        except NotFoundError:
                            pass
                    else:
                        fleet.apply(device(name, random=chance.choice(["in", "in", "out"]), step=str(chance.random())))
                expected = {one.metadata.name: one.metadata.resource_version for one in fleet.list("random=in")}

                def is_the_list() -> bool:
                    return expected == told == {one.metadata.name: one.metadata.resource_version for one in live.snapshot()}

                until(f"the set is the list, at the seed {seed}", is_the_list)
        finally:
            proxy.close()


if __name__ == "__main__":
    unittest.main()
