"""An operator of kopf: it keeps a secret for each config map of a label, and says so in the config map."""

import kopf
from kubernetes import client, config

config.load_kube_config()
core = client.CoreV1Api()
OURS = {"app": "ours"}


@kopf.index("configmaps", labels=OURS)
def colours(name, body, **_):
    return {body["data"]["colour"]: name}


@kopf.on.create("configmaps", labels=OURS)
def made(name, namespace, body, patch, **_):
    secret = {"metadata": {"name": name}, "stringData": dict(body["data"])}
    kopf.adopt(secret, owner=body)
    core.create_namespaced_secret(namespace, secret)
    patch.metadata.annotations["made"] = "yes"
    kopf.info(body, reason="Made", message=f"a secret for {name}")


@kopf.on.field("configmaps", labels=OURS, field="data.colour", old=kopf.PRESENT)
def painted(name, namespace, new, **_):
    core.patch_namespaced_secret(name, namespace, {"stringData": {"colour": new}})


@kopf.on.delete("configmaps", labels=OURS)
def gone(name, namespace, **_):
    core.create_namespaced_config_map(namespace, {"metadata": {"name": f"cleaned-{name}"}})


@kopf.timer("configmaps", labels=OURS, interval=1.0, idle=0)
def counted(patch, annotations, **_):
    patch.metadata.annotations["ticks"] = str(int(annotations.get("ticks", "0")) + 1)


@kopf.on.event("secrets", labels={"app": kopf.PRESENT})
def seen(type, name, namespace, **_):  # noqa: A002 -- kopf's own name for it
    if type == "DELETED":
        core.create_namespaced_config_map(namespace, {"metadata": {"name": f"saw-{name}-go"}})
