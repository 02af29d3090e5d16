"""Programs that mypy refuses. An ignored error that mypy does not find is an error too (`--warn-unused-ignores`)."""

from dataclasses import dataclass
from typing import Literal

from winnow_client.objects import Metadata, connect, resource


@dataclass
class Spec:
    model: str
    state: Literal["active", "retired"] = "active"


@resource("fleet.example/v1", "Device", "devices")
@dataclass
class Device:
    metadata: Metadata
    spec: Spec


@dataclass
class NoResource:
    spec: Spec


devices = connect("http://127.0.0.1:8080").objects(Device, "default")
found: Device = devices.get("cam")
devices.create(Device(Metadata("cam"), Spec("x2", "lost")))  # type: ignore[arg-type]
devices.create(Device(Metadata("cam"), Spec()))  # type: ignore[call-arg]
devices.create(NoResource(Spec("x2")))  # type: ignore[arg-type]
devices.get("cam").spec.modle  # type: ignore[attr-defined]
devices.live({"site": 1})  # type: ignore[dict-item]
devices.update("cam", lambda device: device.spec.modle)  # type: ignore[attr-defined]
connect().objects(NoResource)  # type: ignore[type-var]
