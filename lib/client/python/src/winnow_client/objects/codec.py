"""Objects as JSON values, and as dataclasses or Pydantic models.

The name of a field of a dataclass in JSON is in camel case (`serial_number` is `serialNumber`), unless
`field(metadata={"json": "serial_number"})` names it. A Pydantic model names its fields by aliases.
"""

from __future__ import annotations

import json
import re
import types
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import datetime, timezone
from enum import Enum
from functools import cache
from typing import Any, ClassVar, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from .resource import camel_case

Value = TypeVar("Value")
JsonObject = dict[str, Any]


class UnexpectedValueError(ValueError):
    """The server returned a value that the class cannot hold. The message names the field."""


def decode(model: type[Value], value: object) -> Value:
    """Returns a JSON value as a value of the type. It drops fields that the class does not have.

    Raises UnexpectedValueError, or the error of Pydantic.
    """
    return _decoded(model, value, model.__name__)  # type: ignore[no-any-return]


def encode(value: Any) -> Any:
    """Returns a value as JSON. It leaves out fields that are None."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", by_alias=True, exclude_none=True)
    if is_dataclass(value):
        named = ((_json_name(one), encode(getattr(value, one.name))) for one in fields(value))
        return {name: each for name, each in named if each is not None}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return _timestamp(value)
    if isinstance(value, Mapping):
        return {_key(key): encode(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [encode(each) for each in value]
    return value


def _decoded(hint: Any, value: Any, path: str) -> Any:
    if hint is Any or hint is object:
        return value
    if hasattr(hint, "model_validate"):
        return hint.model_validate(value)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _decoded_union(arguments, value, path)
    if origin is Literal:
        for argument in arguments:
            plain = encode(argument)
            # In Python, 1 equals True.
            if type(plain) is type(value) and plain == value:
                return argument
        raise UnexpectedValueError(f"{path}: {value!r} is none of {', '.join(map(repr, arguments))}")
    if is_dataclass(hint):
        return _decoded_dataclass(hint, value, path)
    container = origin or hint
    if container in (list, Sequence, tuple, set, frozenset):
        return _decoded_items(container, arguments, value, path)
    if container in (dict, Mapping):
        keys, items = arguments or (Any, Any)
        given = _expect(dict, value, path).items()
        return {_decoded_key(keys, key, path): _decoded(items, item, f"{path}.{key}") for key, item in given}
    return _decoded_scalar(hint, value, path)


def _decoded_items(container: Any, arguments: Sequence[Any], value: Any, path: str) -> Any:
    items = _expect(list, value, path)
    if container is tuple and arguments and arguments[-1] is not Ellipsis:
        if len(items) != len(arguments):
            raise UnexpectedValueError(f"{path}: {value!r} has not {len(arguments)} items")
    else:
        arguments = [arguments[0] if arguments else Any] * len(items)
    each = [_decoded(*one, f"{path}[{index}]") for index, one in enumerate(zip(arguments, items, strict=True))]
    return each if container in (list, Sequence) else container(each)


def _decoded_key(hint: Any, key: str, path: str) -> Any:
    """A key in JSON is text: that of a number is `"1"`."""
    try:
        return _decoded(hint, key, path)
    except UnexpectedValueError:
        with suppress(ValueError):
            return _decoded(hint, json.loads(key), path)
        raise


def _decoded_union(arguments: Sequence[Any], value: Any, path: str) -> Any:
    if value is None and type(None) in arguments:
        return None
    errors: list[Exception] = []
    for argument in arguments:
        if argument is type(None):
            continue
        try:
            return _decoded(argument, value, path)
        except ValueError as error:
            errors.append(error)
    raise UnexpectedValueError(str(errors[0]) if errors else f"{path}: {value!r} is not null")


def _decoded_dataclass(model: Any, value: Any, path: str) -> Any:
    given, hints = _expect(dict, value, path), _hints(model)
    arguments = {}
    for one in fields(model):
        name = _json_name(one)
        if not one.init:
            continue
        if given.get(name) is not None:
            arguments[one.name] = _decoded(hints[one.name], given[name], f"{path}.{name}")
        elif type(None) in get_args(hints[one.name]):
            arguments[one.name] = None
        elif one.default is MISSING and one.default_factory is MISSING:
            raise UnexpectedValueError(f"{path}.{name} is missing; declare it as optional")
    return model(**arguments)


def _decoded_scalar(hint: Any, value: Any, path: str) -> Any:
    if not isinstance(hint, type):
        raise TypeError(f"{path}: the type {hint} is not supported; use Any")
    if issubclass(hint, Enum):
        try:
            found = hint(value)
        except ValueError as error:
            raise UnexpectedValueError(f"{path}: {error}") from None
        if isinstance(value, bool) and not isinstance(found.value, bool):
            raise UnexpectedValueError(f"{path}: {value!r} is not a valid {hint.__name__}")
        return found
    if hint is datetime:
        return _datetime(_expect(str, value, path), path)
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    # A bool is an int in Python.
    if isinstance(value, bool) and hint is int:
        raise UnexpectedValueError(f"{path}: {value!r} is no int")
    return _expect(hint, value, path)


def _expect(kind: type[Value], value: Any, path: str) -> Value:
    if isinstance(value, kind):
        return value
    raise UnexpectedValueError(f"{path}: {value!r} is no {kind.__name__}")


@cache
def _hints(model: type[Any]) -> Mapping[str, Any]:
    return {name: hint for name, hint in get_type_hints(model).items() if get_origin(hint) is not ClassVar}


def _key(key: Any) -> str:
    plain = encode(key)
    return plain if isinstance(plain, str) else json.dumps(plain)


def _json_name(one: Field[Any]) -> str:
    return str(one.metadata.get("json") or camel_case(one.name))


def _datetime(text: str, path: str) -> datetime:
    try:
        # Python 3.10 reads no "Z", and fractions of 3 or 6 digits only.
        fraction = re.sub(r"\.(\d+)", lambda found: f".{found[1][:6]:0<6}", text)
        return datetime.fromisoformat(fraction.replace("Z", "+00:00"))
    except ValueError:
        raise UnexpectedValueError(f"{path}: {text!r} is no time") from None


def _timestamp(value: datetime) -> str:
    """A time of Kubernetes is in UTC; a value without a zone means UTC."""
    aware = value if value.tzinfo is not None else value.replace(tzinfo=timezone.utc)
    return aware.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
