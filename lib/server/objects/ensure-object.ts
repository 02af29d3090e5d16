import { type JsonObject, metadataOf } from '../../json/index.ts';
import { collectionOfType, type ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { Clock, Random } from '../../platform/index.ts';
import type { Store, WriteOutcome } from '../../store/index.ts';
import { newObject } from './new-object.ts';
import { trackFields } from './track-fields.ts';
import { spelled } from './typed-object.ts';

export interface EnsureOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
}

/** The manager of these objects in managedFields. */
const MANAGER = 'kube-apiserver';

/** Creates an object if it does not exist. The outcome is `none` if it does, or if `mayCreate` says no. */
export async function ensureObject(
  { store, clock, random }: EnsureOptions,
  type: ResourceType,
  object: JsonObject,
  mayCreate: () => Promise<boolean> = async () => true,
): Promise<WriteOutcome> {
  const { name: wanted, namespace: within = '' } = metadataOf(object);
  const [name, namespace] = [String(wanted), String(within)];
  const route = { type, verb: 'create', namespace, name, subresource: '' } as const;
  return store.write(collectionOfType(type), { namespace, name }, async (current) => {
    if (current !== undefined || !(await mayCreate())) return { kind: 'none' };
    const tracking = await trackFields({ route, manager: MANAGER, clock });
    const sent = await tracking.created(object);
    return { kind: 'put', body: await spelled(type, await newObject({ type, sent, clock, random })) };
  });
}
