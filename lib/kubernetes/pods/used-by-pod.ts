import { type JsonObject, type JsonValue, metadataOf, objectAt, objectsIn } from '../../json/index.ts';
import { secretNamesOf } from './secret-names.ts';

/** The annotation of a mirror pod: a pod that a kubelet runs from a file, and shows in the API. */
export const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror';

/** Whether the pod is a mirror pod. */
export function isMirrorPod(pod: JsonObject): boolean {
  return objectAt(metadataOf(pod).annotations)[MIRROR_ANNOTATION] !== undefined;
}

/** The names of the objects in its namespace that a pod uses, by kind. */
export interface UsedByPod {
  readonly claim: ReadonlySet<string>;
  readonly configmap: ReadonlySet<string>;
  readonly secret: ReadonlySet<string>;
  readonly serviceaccount: ReadonlySet<string>;
}

/** The objects that a pod uses. */
export function usedByPod(pod: JsonObject): UsedByPod {
  const spec = objectAt(pod.spec);
  return {
    claim: claimNamesOf(pod),
    configmap: configMapNamesOf(spec),
    secret: secretNamesOf(spec),
    serviceaccount: namesOf([spec.serviceAccountName]),
  };
}

/** The claims of a pod's volumes. The claim of an ephemeral volume has the names of the pod and of the volume. */
function claimNamesOf(pod: JsonObject): ReadonlySet<string> {
  const { volumes } = objectAt(pod.spec);
  const claims = objectsIn(volumes).map(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim !== undefined) return objectAt(persistentVolumeClaim).claimName;
    return ephemeral === undefined ? undefined : `${metadataOf(pod).name}-${name}`;
  });
  return namesOf(claims);
}

/**
 * The names of the ConfigMaps that a pod uses, in its containers and volumes.
 *
 * @see k8s.io/kubernetes/pkg/api/v1/pod VisitPodConfigmapNames
 */
function configMapNamesOf(spec: JsonObject): ReadonlySet<string> {
  const { initContainers, containers, ephemeralContainers, volumes } = spec;
  const all = [initContainers, containers, ephemeralContainers].flatMap(objectsIn);
  return namesOf([
    ...all.flatMap(({ env }) =>
      objectsIn(env).map(({ valueFrom }) => objectAt(objectAt(valueFrom).configMapKeyRef).name),
    ),
    ...all.flatMap(({ envFrom }) =>
      objectsIn(envFrom).map(({ configMapRef }) => objectAt(configMapRef).name),
    ),
    ...objectsIn(volumes).flatMap(({ configMap, projected }) => [
      objectAt(configMap).name,
      ...objectsIn(objectAt(projected).sources).map((source) => objectAt(source.configMap).name),
    ]),
  ]);
}

function namesOf(values: readonly (JsonValue | undefined)[]): ReadonlySet<string> {
  return new Set(values.filter((value) => typeof value === 'string' && value !== '').map(String));
}
