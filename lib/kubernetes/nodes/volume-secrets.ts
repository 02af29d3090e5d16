import { type JsonObject, type ObjectName, objectAt } from '../../json/index.ts';

/** The secrets of a CSI volume that a node needs; controllers use the other ones. */
const OF_CSI = ['nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef'];
/** Sources of volumes with a `secretRef`. Without a namespace, it names a secret in the claim's namespace. */
const OF_CLAIM = ['cephfs', 'flexVolume', 'rbd', 'scaleIO', 'iscsi'];
/** Sources of volumes with a `secretRef` that has a namespace. */
const WITH_NAMESPACE = ['cinder', 'storageos'];

/** The claim that a volume is bound to; undefined if there is none. */
export function claimOf({ spec }: JsonObject): ObjectName | undefined {
  const { claimRef } = objectAt(spec);
  if (claimRef === undefined || claimRef === null) return undefined;
  const { namespace = '', name = '' } = objectAt(claimRef);
  return { namespace: String(namespace), name: String(name) };
}

/**
 * The secrets that a node needs to mount a PersistentVolume.
 *
 * @see k8s.io/kubernetes/pkg/api/v1/persistentvolume VisitPVSecretNames
 */
export function nodeSecretsOf(volume: JsonObject): readonly ObjectName[] {
  const spec = objectAt(volume.spec);
  const own = claimOf(volume)?.namespace ?? '';
  const { secretName, secretNamespace } = objectAt(spec.azureFile);
  const at = (source: string) => objectAt(objectAt(spec[source]).secretRef);
  const references = [
    { name: secretName, namespace: secretNamespace || own },
    ...OF_CLAIM.map(at).map(({ name, namespace }) => ({ name, namespace: namespace || own })),
    ...WITH_NAMESPACE.map(at).map(({ name, namespace }) => ({ name, namespace })),
    ...OF_CSI.map((field) => objectAt(objectAt(spec.csi)[field])).map(({ name, namespace }) => ({
      name,
      namespace,
    })),
  ];
  return references
    .map(({ namespace, name }) => ({ namespace: String(namespace ?? ''), name: String(name ?? '') }))
    .filter(({ name }) => name !== '');
}
