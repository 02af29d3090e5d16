"""Label selectors and field selectors as the text that the API accepts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .codec import encode


@dataclass(frozen=True)
class Condition:
    """A condition on one label, created by `without`, or `ABSENT` or `EXISTS`."""

    operator: str
    values: tuple[str, ...] = ()


ABSENT = Condition("absent")
"""The label must not be there: `{"canary": ABSENT}`."""
EXISTS = Condition("exists")
"""The label must be there, with any value: `{"site": EXISTS}`."""


def without(*values: str) -> Condition:
    """The label must have none of the values, or be absent: `{"tier": without("web")}`."""
    return Condition("without", values)


LabelSelector = str | Mapping[str, str | Sequence[str] | Condition]
"""A label selector: text as kubectl accepts it, or conditions, all of which must be true. A list means one of its values."""

_KEY = re.compile(r"([A-Za-z0-9.-]+/)?[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")
_VALUE = re.compile(r"([A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?)?")


def label_selector_text(selector: LabelSelector) -> str:
    """Raises ValueError for a key or a value that no label can have, and for an empty list of values."""
    if isinstance(selector, str):
        return selector
    return ",".join(_requirement(key, condition) for key, condition in selector.items())


def field_selector_text(fields: Mapping[str, object]) -> str:
    """Raises ValueError if a field has no value: without the condition, the selector would select more."""
    missing = [path for path, value in fields.items() if value is None]
    if missing:
        raise ValueError(f'the field "{missing[0]}" has no value')
    return ",".join(f"{path}={_escaped(value)}" for path, value in fields.items())


def _requirement(key: str, condition: str | Sequence[str] | Condition) -> str:
    if not _KEY.fullmatch(key):
        raise ValueError(f'"{key}" is not a label key; use prefix/name or name')
    if isinstance(condition, str):
        return f"{key}={_values(key, [condition])}"
    if condition == EXISTS:
        return key
    if condition == ABSENT:
        return f"!{key}"
    if isinstance(condition, Condition):
        return f"{key} notin ({_values(key, condition.values)})"
    return f"{key} in ({_values(key, condition)})"


def _values(key: str, values: Sequence[str]) -> str:
    """A value with other characters would change the meaning of the text."""
    values = [encode(value) for value in values]
    if not values:
        raise ValueError(f'the condition on the label "{key}" has no values; use ABSENT or EXISTS')
    for value in values:
        if not _VALUE.fullmatch(value):
            raise ValueError(f'"{value}" is not a value of the label "{key}"; use letters, digits, "-", "_" and "."')
    return ",".join(values)


def _escaped(value: object) -> str:
    plain = encode(value)
    text = str(plain).lower() if isinstance(plain, bool) else str(plain)
    return re.sub(r"[\\,=]", r"\\\g<0>", text)
