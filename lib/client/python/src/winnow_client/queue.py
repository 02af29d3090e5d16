"""The queue of a Subscription, for a long poll."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from .message import Delivery

_GONE = ("AWS.SimpleQueueService.NonExistentQueue", "QueueDoesNotExist")


@dataclass(frozen=True)
class Received(Delivery):
    """A message and what deletes it."""

    receipt: str = ""


class QueueGoneError(Exception):
    """There is no such queue, or none any more: the Subscription has another one."""


class Queue(Protocol):
    def receive(self, url: str) -> Sequence[Received]:
        """Up to ten messages, or none after a while without one. Raises QueueGoneError."""

    def delete(self, url: str, messages: Sequence[Received]) -> None:
        """Takes messages out of the queue, ten at most. Those that stay come again."""


class SqsQueue:
    """A queue over boto3."""

    def __init__(self, client: Any = None, wait_seconds: int = 20) -> None:
        if client is None:
            import boto3

            client = boto3.client("sqs")
        self._client, self._wait_seconds = client, wait_seconds

    def receive(self, url: str) -> Sequence[Received]:
        answer = self._ask(
            url,
            self._client.receive_message,
            MaxNumberOfMessages=10,
            WaitTimeSeconds=self._wait_seconds,
            MessageAttributeNames=["All"],
        )
        return [
            Received(
                id=message["MessageId"],
                body=message["Body"],
                attributes={
                    name: value["StringValue"]
                    for name, value in message.get("MessageAttributes", {}).items()
                    if "StringValue" in value
                },
                queue=queue_name(url),
                receipt=message["ReceiptHandle"],
            )
            for message in answer.get("Messages", [])
        ]

    def delete(self, url: str, messages: Sequence[Received]) -> None:
        entries = [{"Id": str(index), "ReceiptHandle": one.receipt} for index, one in enumerate(messages)]
        self._ask(url, self._client.delete_message_batch, Entries=entries)

    def _ask(self, url: str, operation: Any, **parameters: Any) -> Any:
        try:
            return operation(QueueUrl=url, **parameters)
        except Exception as error:
            code = getattr(error, "response", {}).get("Error", {}).get("Code")
            if code in _GONE:
                raise QueueGoneError(f"there is no queue {url}") from error
            raise


def queue_name(url_or_arn: str) -> str:
    """The name at the end of a queue's URL or ARN."""
    return url_or_arn.rsplit("/", 1)[-1].rsplit(":", 1)[-1]
