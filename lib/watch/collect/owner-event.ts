import { createHash } from 'node:crypto';
import {
  type Collection,
  type JsonObject,
  metadataOf,
  type ObjectName,
  type OwnerReference,
} from '../../store/index.ts';
import { NAMESPACES } from '../own-collections.ts';
import { timestamp } from '../timestamp.ts';
import type { CollectOptions } from './collect-options.ts';

const EVENTS: Collection = 'core/events';
/** Of what is in no namespace Events are told here. */
const OF_NO_NAMESPACE = 'default';
const COMPONENT = 'garbage-collector-controller';
/** What is left of 253 characters for the name of whom the Event is about. */
const LONGEST_NAME = 236;

interface InvalidOwner {
  readonly collection: Collection;
  readonly name: ObjectName;
  readonly uid: string;
  readonly reference: OwnerReference;
}

/**
 * Puts an Event that says that an object names an owner in another namespace, once for the two of them: as
 * kube-controller-manager words it, which deletes the object then. Nothing is deleted here.
 */
export async function tellOfInvalidOwner(options: CollectOptions, invalid: InvalidOwner): Promise<void> {
  const { store, resources, hints } = options;
  const namespace = invalid.name.namespace || OF_NO_NAMESPACE;
  if (resources.of(EVENTS) === undefined) return;
  const id = createHash('sha256')
    .update(`${invalid.uid} ${invalid.reference.uid}`)
    .digest('hex')
    .slice(0, 16);
  const name = `${invalid.name.name.slice(0, LONGEST_NAME)}.${id}`;
  const { kind, after } = await store.write(EVENTS, { namespace, name }, async (current) => {
    const home =
      current === undefined ? await store.get(NAMESPACES, { namespace: '', name: namespace }) : undefined;
    const takes = home !== undefined && metadataOf(home.body).deletionTimestamp === undefined;
    return takes ? { kind: 'put', body: eventOf(options, invalid, { name, namespace }) } : { kind: 'none' };
  });
  if (kind === 'put' && after !== undefined) await hints.announce(EVENTS, after.rv);
}

function eventOf(
  { clock, random, resources }: CollectOptions,
  { collection, name: about, uid, reference }: InvalidOwner,
  metadata: { readonly name: string; readonly namespace: string },
): JsonObject {
  const now = timestamp(clock.now());
  const { apiVersion, kind } = resources.of(collection) ?? { apiVersion: '', kind: '' };
  const owner = `${reference.apiVersion}/${reference.kind}, namespace: ${about.namespace}, name: ${reference.name}, uid: ${reference.uid}`;
  return {
    kind: 'Event',
    apiVersion: 'v1',
    metadata: { ...metadata, uid: random.uuid(), creationTimestamp: now },
    involvedObject: { kind, ...about, uid, apiVersion },
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef [${owner}] does not exist in namespace ${JSON.stringify(about.namespace)}`,
    source: { component: COMPONENT },
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
    type: 'Warning',
    eventTime: null,
    reportingComponent: COMPONENT,
    reportingInstance: '',
  };
}
