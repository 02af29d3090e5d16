"""A replica in a DynamoDB table."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from typing import Any

from .position import Position
from .store import REMEMBERED, Entry, Version


class DynamodbStore:
    """What a Lambda function needs, which forgets between calls. The table has the partition key `pk` and the sort key
    `sk`, both strings; `expires` may be its TTL. A table may hold several replicas, by name."""

    def __init__(
        self, table: str, name: str, client: Any = None, now: Callable[[], float] = time.time
    ) -> None:
        if client is None:
            import boto3

            client = boto3.client("dynamodb")
        self._client, self._table, self._name, self._now = client, table, name, now
        self._position_key = {"pk": {"S": name}, "sk": {"S": "position"}}

    def read_position(self) -> Position | None:
        item = self._get(self._position_key)
        return Position.from_json(item["value"]["S"]) if item else None

    def write_position(self, position: Position) -> bool:
        item = {
            **self._position_key,
            "revision": {"N": str(position.revision)},
            "value": {"S": position.to_json()},
        }
        condition = "revision = :before"
        if position.revision == 1:
            condition = f"attribute_not_exists(pk) OR {condition}"
        return self._put(item, condition, {":before": {"N": str(position.revision - 1)}})

    def read(self, generation: int, key: str) -> Entry | None:
        item = self._get(self._key(generation, key))
        return _entry(item) if item else None

    def put(self, generation: int, entry: Entry) -> bool:
        edit, rv = {"N": str(entry.version.edit)}, {"N": str(entry.version.rv)}
        item: dict[str, Any] = {**self._key(generation, entry.key), "edit": edit, "rv": rv}
        if entry.object is None:
            item["expires"] = {"N": str(math.ceil(self._now() + REMEMBERED))}
        else:
            item["object"] = {"S": entry.object}
        # A number of DynamoDB's compares all its digits.
        condition = "attribute_not_exists(pk) OR edit < :edit OR (edit = :edit AND rv < :rv)"
        return self._put(item, condition, {":edit": edit, ":rv": rv})

    def entries(self, generation: int) -> Iterator[Entry]:
        return map(_entry, self._items(generation))

    def drop(self, generation: int) -> None:
        for item in self._items(generation):
            self._client.delete_item(TableName=self._table, Key={"pk": item["pk"], "sk": item["sk"]})

    def _items(self, generation: int) -> Iterator[dict[str, Any]]:
        pages = self._client.get_paginator("query").paginate(
            TableName=self._table,
            ConsistentRead=True,
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues={":pk": self._key(generation, "")["pk"]},
        )
        for page in pages:
            yield from page["Items"]

    def _key(self, generation: int, key: str) -> dict[str, Any]:
        return {"pk": {"S": f"{self._name}#{generation}"}, "sk": {"S": key}}

    def _get(self, key: dict[str, Any]) -> dict[str, Any] | None:
        answer: dict[str, Any] = self._client.get_item(TableName=self._table, Key=key, ConsistentRead=True)
        return answer.get("Item")

    def _put(self, item: dict[str, Any], condition: str, values: dict[str, Any]) -> bool:
        try:
            self._client.put_item(
                TableName=self._table,
                Item=item,
                ConditionExpression=condition,
                ExpressionAttributeValues=values,
            )
        except self._client.exceptions.ConditionalCheckFailedException:
            return False
        return True


def _entry(item: dict[str, Any]) -> Entry:
    version = Version(int(item["edit"]["N"]), int(item["rv"]["N"]))
    return Entry(item["sk"]["S"], version, item["object"]["S"] if "object" in item else None)
