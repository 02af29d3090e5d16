import { takesObjects, timestamp } from '../../coordination/index.ts';
import type { Collection, JsonObject, ObjectName } from '../../json/index.ts';
import { EVENTS, eventName, eventOf } from '../../kubernetes/lifecycle/index.ts';
import type { OwnerReference } from '../../store/index.ts';
import type { CollectOptions } from './collect-options.ts';

/** The namespace of Events about cluster-scoped objects. */
const OF_NO_NAMESPACE = 'default';
const COMPONENT = 'garbage-collector-controller';

interface InvalidOwner {
  readonly collection: Collection;
  readonly name: ObjectName;
  readonly uid: string;
  readonly reference: OwnerReference;
}

/**
 * Records an Event that an object names an owner in another namespace, once per pair of object and owner. The text is
 * kube-controller-manager's, which then deletes the object. Winnow deletes nothing here.
 */
export async function tellOfInvalidOwner(options: CollectOptions, invalid: InvalidOwner): Promise<void> {
  const { store, resources, hints } = options;
  const namespace = invalid.name.namespace || OF_NO_NAMESPACE;
  if (resources.of(EVENTS) === undefined) return;
  const name = eventName(invalid.name.name, invalid.uid, invalid.reference.uid);
  const { kind, after } = await store.write(EVENTS, { namespace, name }, async (current) => {
    const takes = current === undefined && (await takesObjects(store, namespace));
    return takes ? { kind: 'put', body: told(options, invalid, { name, namespace }) } : { kind: 'none' };
  });
  if (kind === 'put' && after !== undefined) await hints.announce(EVENTS, after.rv);
}

function told(
  { clock, random, resources }: CollectOptions,
  { collection, name: about, uid, reference }: InvalidOwner,
  metadata: { readonly name: string; readonly namespace: string },
): JsonObject {
  const { apiVersion, kind } = resources.of(collection) ?? { apiVersion: '', kind: '' };
  const owner = `${reference.apiVersion}/${reference.kind}, namespace: ${about.namespace}, name: ${reference.name}, uid: ${reference.uid}`;
  return eventOf({
    metadata: { ...metadata, uid: random.uuid() },
    component: COMPONENT,
    about: { kind, ...about, uid, apiVersion },
    now: timestamp(clock.now()),
    type: 'Warning',
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef [${owner}] does not exist in namespace ${JSON.stringify(about.namespace)}`,
  });
}
