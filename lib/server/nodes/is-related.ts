import { type Collection, collectionOf, type ObjectName, objectAt } from '../../json/index.ts';
import { claimOf, isOnNode, nodeSecretsOf, type RelatedKind } from '../../kubernetes/nodes/index.ts';
import { isMirrorPod, type UsedByPod, usedByPod } from '../../kubernetes/pods/index.ts';
import { everything } from '../../selectors/index.ts';
import { eachPage, type ObjectState, type Store } from '../../store/index.ts';

export const PODS = collectionOf('', 'pods');
export const VOLUMES = collectionOf('', 'persistentvolumes');
const ATTACHMENTS = collectionOf('storage.k8s.io', 'volumeattachments');
/** The most heap that one page of objects may take, in bytes. */
const PAGE = 16 * 1024 * 1024;

/** An object that a node asks for. */
export interface RelatedObject extends ObjectName {
  readonly kind: RelatedKind;
}

/**
 * Whether an object is related to a node: it belongs to the node, or a pod on the node uses it, directly or through a
 * claim and its volume. Objects that pods use are found by reading the pods of a namespace.
 *
 * @see k8s.io/kubernetes/plugin/pkg/auth/authorizer/node, Graph
 */
export async function isRelated(store: Store, node: string, object: RelatedObject): Promise<boolean> {
  const { kind, ...name } = object;
  switch (kind) {
    case 'pod': {
      const pod = await store.get(PODS, name);
      return pod !== undefined && isOnNode(pod.body, node);
    }
    case 'volumeattachment': {
      if (name.namespace !== '') return false;
      const attachment = await store.get(ATTACHMENTS, name);
      return objectAt(attachment?.body.spec).nodeName === node;
    }
    case 'volume': {
      if (name.namespace !== '') return false;
      const volume = await store.get(VOLUMES, name);
      const claim = volume && claimOf(volume.body);
      return claim !== undefined && isUsed(store, node, 'claim', claim);
    }
    case 'secret':
      return (await isUsed(store, node, kind, name)) || isSecretOfVolume(store, node, name);
    case 'claim':
    case 'configmap':
    case 'serviceaccount':
      return isUsed(store, node, kind, name);
    default:
      return kind satisfies never;
  }
}

/** Whether a pod on the node uses the object. Mirror pods do not count: nodes create them. */
function isUsed(
  store: Store,
  node: string,
  kind: keyof UsedByPod,
  { namespace, name }: ObjectName,
): Promise<boolean> {
  const uses = ({ body }: ObjectState) =>
    isOnNode(body, node) && !isMirrorPod(body) && usedByPod(body)[kind].has(name);
  return isAny(store, PODS, { namespace, matches: uses });
}

/** Whether a pod on the node uses a volume that needs the secret. */
async function isSecretOfVolume(store: Store, node: string, secret: ObjectName): Promise<boolean> {
  const claims: ObjectName[] = [];
  const needs = ({ body }: ObjectState) =>
    nodeSecretsOf(body).some(({ namespace, name }) => namespace === secret.namespace && name === secret.name);
  for await (const { items } of eachPage(store, VOLUMES, {
    selector: everything,
    matches: needs,
    mostHeap: PAGE,
  })) {
    claims.push(...items.map(({ body }) => claimOf(body)).filter((claim) => claim !== undefined));
  }
  for (const claim of claims) if (await isUsed(store, node, 'claim', claim)) return true;
  return false;
}

/** Whether an object of a collection matches. */
async function isAny(
  store: Store,
  collection: Collection,
  asked: { readonly namespace: string; matches(object: ObjectState): boolean },
): Promise<boolean> {
  const pages = eachPage(store, collection, { ...asked, selector: everything, limit: 1, mostHeap: PAGE });
  for await (const { items } of pages) if (items.length > 0) return true;
  return false;
}
