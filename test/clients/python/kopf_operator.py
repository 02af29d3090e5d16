"""Tries kopf with its defaults: runs an operator against the service of KUBECONFIG."""

import base64
import pathlib
import subprocess
import sys

from attempt import behaviour, eventually
from kubernetes import client, config
from kubernetes.client.exceptions import ApiException

NAMESPACE = "default"
OPERATOR = pathlib.Path(__file__).with_name("operator_of_kopf.py")

config.load_kube_config()
core = client.CoreV1Api()


def read(ask, name):
    try:
        return ask(name, NAMESPACE)
    except ApiException as error:
        if error.status != 404:
            raise
        return None


def config_map(name="sky"):
    return read(core.read_namespaced_config_map, name)


def annotation(name):
    return (config_map().metadata.annotations or {}).get(name)


def colour():
    secret = read(core.read_namespaced_secret, "sky")
    return secret and base64.b64decode(secret.data["colour"]).decode()


def creates():
    labels = {"app": "ours"}
    made = client.V1ConfigMap(
        metadata=client.V1ObjectMeta(name="sky", labels=labels), data={"colour": "blue"}
    )
    core.create_namespaced_config_map(NAMESPACE, made)
    eventually("its handler ran", lambda: annotation("made") == "yes")
    assert colour() == "blue"
    owners = core.read_namespaced_secret("sky", NAMESPACE).metadata.owner_references
    assert owners[0].uid == config_map().metadata.uid, owners
    assert config_map().metadata.finalizers == ["kopf.zalando.org/KopfFinalizerMarker"]


def changes():
    core.patch_namespaced_config_map("sky", NAMESPACE, {"data": {"colour": "red"}})
    eventually("the secret is red", lambda: colour() == "red")


def ticks():
    eventually("two ticks", lambda: int(annotation("ticks") or 0) >= 2)


def tells():
    events = lambda: core.list_namespaced_event(NAMESPACE, field_selector="involvedObject.name=sky,reason=Made").items  # noqa: E731
    eventually("an event of the operator", lambda: len(events()) > 0)


def sees():
    metadata = client.V1ObjectMeta(name="web", labels={"app": "web"})
    core.create_namespaced_secret(NAMESPACE, client.V1Secret(metadata=metadata))
    core.delete_namespaced_secret("web", NAMESPACE)
    eventually("it was told", lambda: config_map("saw-web-go") is not None)


def deletes():
    core.delete_namespaced_config_map("sky", NAMESPACE)
    eventually("the config map goes", lambda: config_map() is None)
    assert config_map("cleaned-sky") is not None


def stops():
    operator.terminate()
    assert operator.wait(120) == 0, operator.returncode


operator = subprocess.Popen(
    [sys.executable, "-m", "kopf", "run", "--namespace", NAMESPACE, str(OPERATOR)], stdout=sys.stderr
)
try:
    behaviour("a handler of creation; adoption, finalizer, progress", creates)
    behaviour("a handler of a field", changes)
    behaviour("a timer", ticks)
    behaviour("events of the operator", tells)
    behaviour("a handler of raw events, by label", sees)
    behaviour("a handler of deletion, before the object is deleted", deletes)
    behaviour("stops when it is told to", stops)
finally:
    operator.kill()
