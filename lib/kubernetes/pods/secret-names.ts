import { type JsonObject, type JsonValue, objectAt, objectsIn } from '../../json/index.ts';

/** The types of volumes that name a secret in `secretRef`. */
const WITH_REFERENCE = ['cephfs', 'cinder', 'flexVolume', 'rbd', 'scaleIO', 'iscsi', 'storageos'];

/**
 * The names of the secrets that a pod uses: in its containers, its volumes, and to pull images.
 *
 * @see k8s.io/kubernetes/pkg/api/v1/pod VisitPodSecretNames
 */
export function secretNamesOf(spec: JsonObject): ReadonlySet<string> {
  const { imagePullSecrets, initContainers, containers, ephemeralContainers, volumes } = spec;
  const all = [initContainers, containers, ephemeralContainers].flatMap(objectsIn);
  const names = [
    ...objectsIn(imagePullSecrets).map(({ name }) => name),
    ...all.flatMap(({ env }) =>
      objectsIn(env).map(({ valueFrom }) => nameAt(objectAt(valueFrom).secretKeyRef)),
    ),
    ...all.flatMap(({ envFrom }) => objectsIn(envFrom).map(({ secretRef }) => nameAt(secretRef))),
    ...objectsIn(volumes).flatMap(ofVolume),
  ];
  return new Set(names.filter((name) => typeof name === 'string' && name !== '').map(String));
}

function ofVolume(volume: JsonObject): readonly (JsonValue | undefined)[] {
  const { secret, azureFile, projected, csi } = volume;
  return [
    objectAt(secret).secretName,
    objectAt(azureFile).secretName,
    ...objectsIn(objectAt(projected).sources).map((source) => nameAt(source.secret)),
    ...WITH_REFERENCE.map((type) => nameAt(objectAt(volume[type]).secretRef)),
    nameAt(objectAt(csi).nodePublishSecretRef),
  ];
}

function nameAt(reference: JsonValue | undefined): JsonValue | undefined {
  return objectAt(reference).name;
}
