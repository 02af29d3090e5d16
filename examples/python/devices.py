import sys
import threading
from dataclasses import dataclass
from typing import Literal

from winnow_client.objects import ABSENT, LabelSelector, Metadata, connect, resource


@dataclass
class DeviceSpec:
    model: str
    state: Literal["active", "retired"] = "active"


@resource("fleet.example/v1", "Device", "devices")
@dataclass
class Device:
    metadata: Metadata
    spec: DeviceSpec


winnow = connect(sys.argv[1])  # http://127.0.0.1:8080
devices = winnow.objects(Device, namespace="default")

devices.create(Device(Metadata("cam-1", labels={"site": "north"}), DeviceSpec("x2")))
devices.apply(Device(Metadata("cam-2", labels={"site": "south"}), DeviceSpec("x3")))


def retire(device: Device) -> None:
    device.spec.state = "retired"


devices.update("cam-2", retire)

gone = threading.Event()


def left(device: Device) -> None:
    print("left", device.metadata.name)
    gone.set()


selector: LabelSelector = {"site": ["north", "south"], "canary": ABSENT}
live = devices.live(selector)
live.on("add", lambda device: print("entered", device.metadata.name))
live.on("delete", left)
with live:  # complete at one resourceVersion
    for device in devices.list(selector):
        print(device.metadata.name, device.spec.state)
    devices.relabel("cam-1", {"canary": "yes"})
    gone.wait()
