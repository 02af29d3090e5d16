"""The change of a stored object by a class that does not have all its fields."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any


def changed(stored: Any, before: Any, after: Any) -> Any:
    """Returns the stored JSON value with the difference between two encodings of it.

    So a change keeps the stored fields that the class does not have. In a list, an item keeps them if it is unchanged, if an
    item had the same `name` before, or if the list is as long as before and had a changed item without name at this place.
    Raises ValueError: fields would be lost because it is not clear which items of a list are gone.
    """
    if isinstance(stored, dict) and isinstance(before, dict) and isinstance(after, dict):
        result = {key: each for key, each in stored.items() if key in after or key not in before}
        for key, each in after.items():
            if key not in before or not _is_same(before[key], each):
                result[key] = changed(stored.get(key), before.get(key), each)
        return result
    if isinstance(stored, list) and isinstance(before, list) and isinstance(after, list) and len(stored) == len(before):
        return _changed_list(stored, before, after)
    return after


def _changed_list(stored: Sequence[Any], before: Sequence[Any], after: Sequence[Any]) -> Sequence[Any]:
    texts, wanted = [_text(item) for item in before], [_text(item) for item in after]
    # The place in `before` of each item of `after` that was there.
    sources = _unmoved(texts, wanted)
    gone = [place for place in range(len(before)) if place not in sources.values()]

    def find(fits: Callable[[int, int], bool]) -> None:
        for place in range(len(after)):
            source = None if place in sources else next((each for each in gone if fits(place, each)), None)
            if source is not None:
                sources[place] = source
                gone.remove(source)

    find(lambda place, each: wanted[place] == texts[each])
    find(lambda place, each: _name(after[place]) is not None and _name(after[place]) == _name(before[each]))
    if len(before) == len(after):
        find(lambda place, each: place == each and _name(after[place]) is None and _name(before[each]) is None)
    is_new = any(place not in sources and _name(item) is None for place, item in enumerate(after))
    for each in gone:
        is_twin = any(texts[each] == texts[kept] and stored[each] != stored[kept] for kept in sources.values())
        if _has_more(stored[each], before[each]) and (is_twin or (is_new and _name(before[each]) is None)):
            message = "it is not clear which items of a list are gone, so fields that the class lacks would be lost"
            raise ValueError(f"{message}; add them to the class, or use patch: {_text(before)} became {_text(after)}")
    return [
        changed(stored[sources[place]], before[sources[place]], item) if place in sources else item
        for place, item in enumerate(after)
    ]


def _unmoved(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """The places in `before` of equal items: the same places, or in a list of another length, counted from its ends."""
    longer = len(after) - len(before)
    same = next(
        (place for place, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]),
        min(len(before), len(after)),
    )
    places = [(place, place) for place in range(same)]
    places += [(place, place - longer) for place in range(same, len(after)) if place - longer >= same]
    return {place: each for place, each in places if after[place] == before[each]}


def _has_more(stored: Any, before: Any) -> bool:
    """Whether a stored value has fields that its encoding does not have."""
    if isinstance(stored, dict) and isinstance(before, dict):
        given = ((key, each) for key, each in stored.items() if each is not None)
        return any(key not in before or _has_more(each, before[key]) for key, each in given)
    if isinstance(stored, list) and isinstance(before, list):
        return any(map(_has_more, stored, before))
    return False


def _name(item: Any) -> Any:
    return item.get("name") if isinstance(item, dict) else None


def _is_same(one: Any, other: Any) -> bool:
    """In Python, 1 equals True."""
    return one is other or _text(one) == _text(other)


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
