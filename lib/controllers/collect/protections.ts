import { type Collection, isJsonObject, objectAt } from '../../json/index.ts';
import { MEMORY } from '../../platform/index.ts';
import { everything } from '../../selectors/index.ts';
import { eachPage, type ObjectState, type Store } from '../../store/index.ts';

const PODS: Collection = 'core/pods';
const PAGE = 500;

/** Whether other objects use an object of a protected collection. */
export async function isUsed(store: Store, collection: Collection, object: ObjectState): Promise<boolean> {
  switch (collection) {
    case 'core/persistentvolumeclaims':
      return isMounted(store, object);
    case 'core/persistentvolumes':
      return isBound(object);
    default:
      return false;
  }
}

/** Whether a pod that has a node mounts the claim. A pod without a node would no longer be started with the claim. */
async function isMounted(store: Store, { name: claim }: ObjectState): Promise<boolean> {
  const asked = { namespace: claim.namespace, selector: everything, limit: PAGE, mostHeap: MEMORY.page };
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

function isBound({ body }: ObjectState): boolean {
  return objectAt(body.status).phase === 'Bound';
}
