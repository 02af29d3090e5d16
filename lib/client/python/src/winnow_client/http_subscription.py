"""What a replica asks of a Subscription over the HTTP API."""

from __future__ import annotations

import json
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .kept_set import Listing
from .message import KubernetesObject

_METADATA_ONLY = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
_EXPRESSIONS = {
    "In": "{key} in ({values})",
    "NotIn": "{key} notin ({values})",
    "Exists": "{key}",
    "DoesNotExist": "!{key}",
}


class HttpSubscription:
    """`headers` gives what each request needs to get in, such as `authorization`."""

    def __init__(
        self,
        server: str,
        name: str,
        namespace: str = "default",
        headers: Callable[[], Mapping[str, str]] = dict,
        patience: float = 120,
    ) -> None:
        self._server, self._namespace, self._headers, self._patience = server, namespace, headers, patience
        self._path = f"/apis/winnow.dev/v1/namespaces/{namespace}/subscriptions/{name}"

    def queue_url(self) -> str:
        """Its `status.queueUrl`, as soon as there is one."""
        return str(self._until(lambda status: bool(status.get("queueUrl")))["status"]["queueUrl"])

    def list(self) -> Listing:
        """Lists what it selects, as soon as changes are sent as they happen."""
        subscription = self._until(lambda status: status.get("phase") == "Synced")
        spec = subscription["spec"]
        query = {
            "labelSelector": spec.get("labelSelector") or selector_text(spec.get("selector") or {}),
            "fieldSelector": spec.get("fieldSelector") or "",
            "limit": "500",
        }
        accept = _METADATA_ONLY if spec.get("payload") == "Metadata" else "application/json"
        path = self._collection_path(spec)

        def page(token: str) -> dict[str, Any]:
            return self._ask(f"{path}?{urllib.parse.urlencode({**query, 'continue': token})}", accept)

        first = page("")
        edit = subscription["status"].get("edit")
        selector = spec.get("namespaceSelector")
        items = _items(first, page, None if selector is None else self._namespaces(selector))
        if spec.get("payload") == "Reference":
            items = map(_reference_to, items)
        return Listing(first["metadata"]["resourceVersion"], items, int(edit) if edit is not None else None)

    def _until(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        end = time.monotonic() + self._patience
        while True:
            subscription = self._ask(self._path)
            if holds(subscription.get("status") or {}):
                return subscription
            if time.monotonic() > end:
                raise TimeoutError(f"{self._path} is not ready: see its status")
            time.sleep(0.5)

    def _collection_path(self, spec: Mapping[str, Any]) -> str:
        group, resource = spec["resource"].get("group", ""), spec["resource"]["resource"]
        everywhere = spec.get("namespaces") == "All" or spec.get("namespaceSelector") is not None
        where = "" if everywhere else f"namespaces/{self._namespace}/"
        if not group:
            return f"/api/v1/{where}{resource}"
        preferred = self._ask(f"/apis/{group}")["preferredVersion"]["groupVersion"]
        return f"/apis/{preferred}/{where}{resource}"

    def _namespaces(self, selector: Mapping[str, Any]) -> set[str]:
        """Those whose labels match now."""
        query = urllib.parse.urlencode({"labelSelector": selector_text(selector)})
        return {item["metadata"]["name"] for item in self._ask(f"/api/v1/namespaces?{query}")["items"]}

    def _ask(self, target: str, accept: str = "application/json") -> dict[str, Any]:
        headers = {"accept": accept, **self._headers()}
        with urllib.request.urlopen(urllib.request.Request(self._server + target, headers=headers)) as response:
            answer: dict[str, Any] = json.load(response)
            return answer


def selector_text(selector: Mapping[str, Any]) -> str:
    """A label selector as the text that a LIST takes."""
    labels = [f"{key}={value}" for key, value in (selector.get("matchLabels") or {}).items()]
    expressions = [
        _EXPRESSIONS[one["operator"]].format(key=one["key"], values=",".join(one.get("values") or []))
        for one in selector.get("matchExpressions") or []
    ]
    return ",".join(labels + expressions)


def _items(
    first: dict[str, Any], page: Callable[[str], dict[str, Any]], namespaces: set[str] | None
) -> Iterator[KubernetesObject]:
    """Every page of a LIST is one of the same state."""
    at = first
    while True:
        kind = at["kind"].removesuffix("List")
        for item in at["items"]:
            if namespaces is not None and item["metadata"].get("namespace") not in namespaces:
                continue
            yield {"apiVersion": at["apiVersion"], "kind": kind, **item}
        if not at["metadata"].get("continue"):
            return
        at = page(at["metadata"]["continue"])


def _reference_to(item: KubernetesObject) -> KubernetesObject:
    """As it is in messages whose payload is `Reference`."""
    fields = ("namespace", "name", "uid", "resourceVersion")
    metadata = {field: item["metadata"][field] for field in fields if field in item["metadata"]}
    return {"apiVersion": item["apiVersion"], "kind": item["kind"], "metadata": metadata}
