import { type JsonObject, type JsonValue, metadataOf, objectAt, objectsIn } from '../../../json/index.ts';
import { secretNamesOf } from '../../../kubernetes/pods/index.ts';
import type { Random } from '../../../platform/index.ts';

/**
 * The ServiceAccount admission of Kubernetes for new pods.
 *
 * @see k8s.io/kubernetes/plugin/pkg/admission/serviceaccount
 */

const VOLUME = 'kube-api-access-';
const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
/** How long a mounted token is valid, in seconds, as in Kubernetes. */
const TOKEN_SECONDS = 3_607;
const DEFAULT_MODE = 0o644;
const SUFFIX_LENGTH = 5;

/** Returns a pod with the pull secrets of its service account, and with its token in every container. */
export function withAccount(pod: JsonObject, account: JsonObject, random: Random): JsonObject {
  const spec = objectAt(pod.spec);
  const name = String(metadataOf(account).name);
  const named: JsonObject = { ...spec, serviceAccountName: name, serviceAccount: name };
  const mounts = spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
  const mounted = mounts === true ? withToken(named, random) : named;
  const pulled = objectsIn(spec.imagePullSecrets).length === 0 ? objectsIn(account.imagePullSecrets) : [];
  const secrets = pulled.map(({ name: secret = '' }) => ({ name: secret }));
  return { ...pod, spec: { ...mounted, ...(secrets.length > 0 && { imagePullSecrets: secrets }) } };
}

/** The reason why a mirror pod is refused; undefined if it is not. It may use no service account and no secret. */
export function mirrorError(pod: JsonObject): string | undefined {
  const spec = objectAt(pod.spec);
  if ((spec.serviceAccountName ?? '') !== '') return 'a mirror pod may not reference service accounts';
  if (secretNamesOf(spec).size > 0) return 'a mirror pod may not reference secrets';
  const sources = objectsIn(spec.volumes).flatMap(({ projected }) => objectsIn(objectAt(projected).sources));
  return sources.some(({ serviceAccountToken }) => serviceAccountToken !== undefined)
    ? 'a mirror pod may not use ServiceAccountToken volume projections'
    : undefined;
}

/**
 * The pod's spec with the token's volume. Each container mounts it, unless the container already mounts something at
 * that path.
 */
function withToken(spec: JsonObject, random: Random): JsonObject {
  const volumes = objectsIn(spec.volumes);
  const given = volumes.find(({ name }) => String(name).startsWith(VOLUME))?.name;
  const name = String(given ?? `${VOLUME}${random.suffix(SUFFIX_LENGTH)}`);
  const mount = { name, readOnly: true, mountPath: MOUNT_PATH };
  const needsMount = ({ volumeMounts }: JsonObject) =>
    !objectsIn(volumeMounts).some(({ mountPath }) => mountPath === MOUNT_PATH);
  const mounted = (containers: JsonValue | undefined) =>
    objectsIn(containers).map((one) =>
      needsMount(one) ? { ...one, volumeMounts: [...objectsIn(one.volumeMounts), mount] } : one,
    );
  const all = [...objectsIn(spec.initContainers), ...objectsIn(spec.containers)];
  return {
    ...spec,
    ...(spec.initContainers !== undefined && { initContainers: mounted(spec.initContainers) }),
    ...(spec.containers !== undefined && { containers: mounted(spec.containers) }),
    ...(given === undefined && all.some(needsMount) && { volumes: [...volumes, tokenVolume(name)] }),
  };
}

function tokenVolume(name: string): JsonObject {
  const sources: JsonObject[] = [
    { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: {
        items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
      },
    },
  ];
  return { name, projected: { sources, defaultMode: DEFAULT_MODE } };
}
