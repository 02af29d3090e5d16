import { everything } from '../../selectors/index.ts';
import {
  type Collection,
  eachPage,
  isJsonObject,
  type JsonObject,
  metadataOf,
  type ObjectState,
  objectAt,
  type Store,
} from '../../store/index.ts';

/** What holds an object that is deleted for as long as others use it. */
interface Protection {
  readonly finalizer: string;
  isUsed(store: Store, object: ObjectState): Promise<boolean>;
}

const PODS: Collection = 'core/pods';
const PAGE = 500;

/** As Kubernetes has them: each new object of these collections gets its finalizer, and keeps it while it is used. */
export const PROTECTIONS: ReadonlyMap<Collection, Protection> = new Map<Collection, Protection>([
  ['core/persistentvolumeclaims', { finalizer: 'kubernetes.io/pvc-protection', isUsed: isMounted }],
  ['core/persistentvolumes', { finalizer: 'kubernetes.io/pv-protection', isUsed: isBound }],
]);

/** The finalizer that new objects of a collection get; undefined where they get none. */
export function protectionOf(collection: Collection): string | undefined {
  return PROTECTIONS.get(collection)?.finalizer;
}

/** Whether a protection holds an object that is on its way out. */
export function isProtected(collection: Collection, body: JsonObject): boolean {
  const { deletionTimestamp, finalizers } = metadataOf(body);
  const protection = PROTECTIONS.get(collection);
  const held =
    protection !== undefined && Array.isArray(finalizers) && finalizers.includes(protection.finalizer);
  return held && deletionTimestamp !== undefined;
}

/** Whether a pod that a node has mounts the claim: one without a node would not be started with it any more. */
async function isMounted(store: Store, { name: claim }: ObjectState): Promise<boolean> {
  const asked = { namespace: claim.namespace, selector: everything, limit: PAGE };
  for await (const { items } of eachPage(store, PODS, asked)) {
    if (items.some((pod) => mounts(pod, claim.name))) return true;
  }
  return false;
}

function mounts({ name: { name: pod }, body }: ObjectState, claim: string): boolean {
  const { nodeName = '', volumes } = objectAt(body.spec);
  if (nodeName === '' || !Array.isArray(volumes)) return false;
  return volumes.filter(isJsonObject).some(({ name, persistentVolumeClaim, ephemeral }) => {
    if (isJsonObject(ephemeral)) return `${pod}-${name}` === claim;
    return objectAt(persistentVolumeClaim).claimName === claim;
  });
}

async function isBound(_store: Store, { body }: ObjectState): Promise<boolean> {
  return objectAt(body.status).phase === 'Bound';
}
