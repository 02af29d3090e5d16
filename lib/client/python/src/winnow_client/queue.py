"""The queue of a Subscription, for a long poll."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlsplit

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
    """A queue over boto3. Without a given client there is one for each host of a queue URL, see `sqs_config_of`."""

    def __init__(self, client: Any = None, wait_seconds: int = 20) -> None:
        self._given, self._wait_seconds = client, wait_seconds
        self._clients: dict[str, Any] = {}

    def _client_of(self, url: str) -> Any:
        if self._given is not None:
            return self._given
        host = urlsplit(url).netloc
        if host not in self._clients:
            import boto3

            self._clients[host] = boto3.client("sqs", **sqs_config_of(url))
        return self._clients[host]

    def receive(self, url: str) -> Sequence[Received]:
        answer = self._ask(
            url,
            self._client_of(url).receive_message,
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
        self._ask(url, self._client_of(url).delete_message_batch, Entries=entries)

    def _ask(self, url: str, operation: Any, **parameters: Any) -> Any:
        try:
            return operation(QueueUrl=url, **parameters)
        except Exception as error:
            code = getattr(error, "response", {}).get("Error", {}).get("Code")
            if code in _GONE:
                raise QueueGoneError(f"there is no queue {url}") from error
            raise


def sqs_config_of(url: str) -> dict[str, str]:
    """The arguments of `boto3.client("sqs")` for a queue URL.

    A queue on this machine, as `winnow start` has them, needs no credentials: its URL is the endpoint. The URL of a queue
    on AWS names its region. Everything else comes from the environment.
    """
    parts = urlsplit(url)
    if parts.hostname in ("127.0.0.1", "localhost", "::1"):
        return {
            "endpoint_url": f"{parts.scheme}://{parts.netloc}",
            "region_name": "us-east-1",
            "aws_access_key_id": "local",
            "aws_secret_access_key": "local",
        }
    region = re.fullmatch(r"sqs(?:-fips)?\.([a-z0-9-]+)\.(?:amazonaws\.com(?:\.cn)?|api\.aws)", parts.hostname or "")
    return {} if region is None else {"region_name": region[1]}


def queue_name(url_or_arn: str) -> str:
    """The name at the end of a queue's URL or ARN."""
    return url_or_arn.rsplit("/", 1)[-1].rsplit(":", 1)[-1]
