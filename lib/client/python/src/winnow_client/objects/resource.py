"""Classes of objects: where a kind stands in the API, and the types of its fields."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar, Literal, Protocol, TypeVar


def camel_case(name: str) -> str:
    """The name of a field in JSON: `resource_version` is `resourceVersion`."""
    first, *others = name.split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in others)


@dataclass
class OwnerReference:
    """An object that owns another one. When the owner is deleted, its dependents are too."""

    # For Pydantic, which reads these names in a model that has this class in it.
    __pydantic_config__: ClassVar[dict[str, Any]] = {"alias_generator": camel_case, "populate_by_name": True}

    api_version: str
    kind: str
    name: str
    uid: str
    controller: bool | None = None
    block_owner_deletion: bool | None = None


@dataclass
class Metadata:
    """The `metadata` of an object. The server sets the fields from `uid` on."""

    __pydantic_config__: ClassVar[dict[str, Any]] = {"alias_generator": camel_case, "populate_by_name": True}

    name: str = ""
    namespace: str = ""
    labels: dict[str, str] = field(default_factory=dict)
    annotations: dict[str, str] = field(default_factory=dict)
    finalizers: list[str] = field(default_factory=list)
    owner_references: list[OwnerReference] = field(default_factory=list)
    generate_name: str = ""
    uid: str = ""
    resource_version: str = ""
    generation: int | None = None
    creation_timestamp: datetime | None = None
    deletion_timestamp: datetime | None = None


Scope = Literal["Namespaced", "Cluster"]


@dataclass(frozen=True)
class Kind:
    """The place of a kind in the API.

    api_version: `v1`, or a group with a version: `fleet.example/v1`. kind: the name in objects: `Device`. plural: the name
    in the path: `devices`.
    """

    api_version: str
    kind: str
    plural: str
    scope: Scope = "Namespaced"


class Resource(Protocol):
    """An object of the API: a dataclass or a Pydantic model with `metadata`, and with a Kind that `resource` set."""

    metadata: Metadata


Model = TypeVar("Model", bound=Resource)

_KIND = "__winnow_kind__"


def resource(api_version: str, kind: str, plural: str, scope: Scope = "Namespaced") -> Callable[[type[Model]], type[Model]]:
    """Names the kind whose objects a class describes:

    @resource("fleet.example/v1", "Device", "devices")
    @dataclass
    class Device:
        metadata: Metadata
        spec: DeviceSpec
    """

    def name(model: type[Model]) -> type[Model]:
        setattr(model, _KIND, Kind(api_version, kind, plural, scope))
        return model

    return name


def kind_of(model: type[Any]) -> Kind:
    """Raises TypeError if the class has no kind."""
    # A subclass is another class, with a kind of its own.
    kind = vars(model).get(_KIND)
    if isinstance(kind, Kind):
        return kind
    raise TypeError(f"{model.__name__} has no kind; decorate it with @resource(api_version, kind, plural)")
