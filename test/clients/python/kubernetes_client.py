"""Tries the Python client of Kubernetes with its defaults against the service of KUBECONFIG."""

import os
import threading
import uuid

from attempt import behaviour, eventually
from kubernetes import client, config, dynamic, utils, watch
from kubernetes.client.exceptions import ApiException
from kubernetes.informer import ADDED, DELETED, MODIFIED, SharedInformer
from kubernetes.leaderelection import electionconfig, leaderelection
from kubernetes.leaderelection.resourcelock.leaselock import LeaseLock

NAMESPACE = "python"

config.load_kube_config()
core = client.CoreV1Api()
apps = client.AppsV1Api()


def config_map(name, labels=None):
    return client.V1ConfigMap(
        metadata=client.V1ObjectMeta(name=name, labels=labels), data={"colour": "blue"}
    )


def deployment(name):
    labels = {"app": name}
    container = client.V1Container(name="web", image="registry.example/web:1")
    template = client.V1PodTemplateSpec(
        metadata=client.V1ObjectMeta(labels=labels), spec=client.V1PodSpec(containers=[container])
    )
    return client.V1Deployment(
        metadata=client.V1ObjectMeta(name=name, labels=labels),
        spec=client.V1DeploymentSpec(
            selector=client.V1LabelSelector(match_labels=labels), template=template
        ),
    )


def refused(status, ask):
    try:
        ask()
    except ApiException as error:
        assert error.status == status, error
    else:
        raise AssertionError(f"was not refused with {status}")


def typed():
    made = apps.create_namespaced_deployment(NAMESPACE, deployment("typed"))
    assert made.spec.replicas == 1, made.spec
    made.spec.replicas = 2
    assert apps.replace_namespaced_deployment("typed", NAMESPACE, made).metadata.generation == 2
    refused(409, lambda: apps.replace_namespaced_deployment("typed", NAMESPACE, made))
    listed = apps.list_namespaced_deployment(NAMESPACE, label_selector="app in (typed,other)")
    assert [one.metadata.name for one in listed.items] == ["typed"]
    apps.delete_namespaced_deployment("typed", NAMESPACE)
    refused(404, lambda: apps.read_namespaced_deployment("typed", NAMESPACE))


def patches():
    core.create_namespaced_config_map(NAMESPACE, config_map("patched"))
    core.patch_namespaced_config_map("patched", NAMESPACE, {"data": {"strategic": "1"}})
    core.patch_namespaced_config_map(
        "patched", NAMESPACE, [{"op": "add", "path": "/data/json", "value": "1"}]
    )
    after = core.read_namespaced_config_map("patched", NAMESPACE)
    assert after.data == {"colour": "blue", "strategic": "1", "json": "1"}, after.data


def scale():
    apps.create_namespaced_deployment(NAMESPACE, deployment("scaled"))
    apps.patch_namespaced_deployment_scale("scaled", NAMESPACE, {"spec": {"replicas": 4}})
    assert apps.read_namespaced_deployment_scale("scaled", NAMESPACE).spec.replicas == 4


def pages():
    for number in range(5):
        core.create_namespaced_config_map(NAMESPACE, config_map(f"page-{number}", {"paged": "yes"}))
    names, more = [], None
    while True:
        page = core.list_namespaced_config_map(
            NAMESPACE, label_selector="paged=yes", limit=2, _continue=more
        )
        names += [one.metadata.name for one in page.items]
        more = page.metadata._continue
        if not more:
            break
    assert names == [f"page-{number}" for number in range(5)], names


def deletes():
    container = client.V1Container(name="web", image="registry.example/web:1")
    metadata = client.V1ObjectMeta(name="deleted")
    pod = client.V1Pod(metadata=metadata, spec=client.V1PodSpec(containers=[container]))
    core.create_namespaced_pod(NAMESPACE, pod)
    assert core.delete_namespaced_pod("deleted", NAMESPACE).metadata.name == "deleted"


def watches():
    version = core.list_namespaced_config_map(NAMESPACE).metadata.resource_version
    core.create_namespaced_config_map(NAMESPACE, config_map("watched", {"watch": "yes"}))
    core.patch_namespaced_config_map("watched", NAMESPACE, {"metadata": {"labels": {"watch": None}}})
    watcher, told = watch.Watch(), []
    events = watcher.stream(
        core.list_namespaced_config_map,
        NAMESPACE,
        label_selector="watch",
        resource_version=version,
        timeout_seconds=60,
    )
    for event in events:
        told.append(f"{event['type']} {event['object'].metadata.name}")
        if len(told) == 2:
            watcher.stop()
    assert told == ["ADDED watched", "DELETED watched"], told


def quiet():
    # Longer than a server lets pass before it keeps a connection alive, if it does.
    events = watch.Watch().stream(
        core.list_namespaced_config_map, NAMESPACE, label_selector="nobody", timeout_seconds=25
    )
    assert list(events) == []


def informer():
    told = []
    informed = SharedInformer(
        core.list_namespaced_config_map, namespace=NAMESPACE, label_selector="informed"
    )
    for kind in (ADDED, MODIFIED, DELETED):
        note = lambda one, kind=kind: told.append(f"{kind} {one.metadata.name}")  # noqa: E731
        informed.add_event_handler(kind, note)
    core.create_namespaced_config_map(NAMESPACE, config_map("informed", {"informed": "yes"}))
    informed.start()
    try:
        eventually("it is told of what is there", lambda: told == ["ADDED informed"])
        core.patch_namespaced_config_map("informed", NAMESPACE, {"data": {"colour": "red"}})
        eventually("it is told of a change", lambda: told[1:] == ["MODIFIED informed"])
        assert informed.cache.list()[0].data == {"colour": "red"}
        core.delete_namespaced_config_map("informed", NAMESPACE)
        eventually("it is told of the end", lambda: told[2:] == ["DELETED informed"])
    finally:
        informed.stop()


def dynamic_client():
    resources = dynamic.DynamicClient(client.ApiClient())
    api = resources.resources.get(api_version="apps/v1", kind="Deployment")
    body = client.ApiClient().sanitize_for_serialization(deployment("dynamic"))
    made = api.create(body={"apiVersion": "apps/v1", "kind": "Deployment", **body}, namespace=NAMESPACE)
    assert made.spec.replicas == 1
    applied = api.server_side_apply(
        body={
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": "dynamic", "labels": {"tier": "front"}},
        },
        name="dynamic",
        namespace=NAMESPACE,
        field_manager="python",
    )
    assert applied.metadata.labels.tier == "front"
    assert len(api.get(namespace=NAMESPACE, label_selector="tier=front").items) == 1
    api.delete(name="dynamic", namespace=NAMESPACE)


def custom_objects():
    custom = client.CustomObjectsApi()
    path = ("winnow.dev", "v1", NAMESPACE, "subscriptions")
    made = {
        "apiVersion": "winnow.dev/v1",
        "kind": "Subscription",
        "metadata": {"name": "python"},
        "spec": {"resource": {"version": "v1", "resource": "configmaps"}},
    }
    custom.create_namespaced_custom_object(*path, made)
    phase = lambda: custom.get_namespaced_custom_object(*path, "python").get("status", {}).get("phase")  # noqa: E731
    eventually("the subscription is synced", lambda: phase() == "Synced")
    custom.patch_namespaced_custom_object(*path, "python", {"metadata": {"labels": {"a": "b"}}})
    assert len(custom.list_namespaced_custom_object(*path, label_selector="a=b")["items"]) == 1
    custom.delete_namespaced_custom_object(*path, "python")


def from_yaml():
    body = client.ApiClient().sanitize_for_serialization(deployment("yaml"))
    utils.create_from_dict(
        client.ApiClient(),
        {"apiVersion": "apps/v1", "kind": "Deployment", **body},
        namespace=NAMESPACE,
    )
    assert apps.read_namespaced_deployment("yaml", NAMESPACE).spec.replicas == 1


def leads():
    lock = LeaseLock("leader", NAMESPACE, str(uuid.uuid4()))
    leading = threading.Event()
    elected = electionconfig.Config(
        lock,
        lease_duration=17,
        renew_deadline=15,
        retry_period=5,
        onstarted_leading=leading.set,
        onstopped_leading=None,
    )
    threading.Thread(target=leaderelection.LeaderElection(elected).run, daemon=True).start()
    assert leading.wait(120)
    lease = client.CoordinationV1Api().read_namespaced_lease("leader", NAMESPACE)
    assert lease.spec.holder_identity == lock.identity, lease


core.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(name=NAMESPACE)))
behaviour("typed: create, replace, list by selector, delete", typed)
behaviour("patches", patches)
behaviour("scale", scale)
behaviour("pages", pages)
behaviour("delete of a pod, which it returns", deletes)
behaviour("watch by selector: an object that leaves is DELETED", watches)
behaviour("watch, which is silent while nothing happens", quiet)
behaviour("SharedInformer", informer)
behaviour("dynamic client, server-side apply", dynamic_client)
behaviour("custom objects: a Subscription", custom_objects)
behaviour("create from YAML", from_yaml)
behaviour("leader election", leads)
# Its leader leads until its process ends, and writes to its log until then.
os._exit(0)
