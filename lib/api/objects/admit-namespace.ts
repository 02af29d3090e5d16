import type { Clock, Random } from '../../platform/index.ts';
import { metadataOf, type ObjectState, type Store, type WriteOutcome } from '../../store/index.ts';
import { NAMESPACES } from '../../watch/index.ts';
import { findResourceType, type ResourceType } from '../resource-types/index.ts';
import { type ApiError, forbidden, notFound } from '../status/index.ts';
import { newObject } from './new-object.ts';

export const DEFAULT_NAMESPACE = 'default';

/** The state of a namespace, read consistently. */
export function readNamespace(store: Store, name: string): Promise<ObjectState | undefined> {
  return store.get(NAMESPACES, { namespace: '', name });
}

/** The refusal of what belongs into a namespace that is not there. */
export function namespaceNotFound(namespace: string): ApiError {
  return notFound({ group: '', resource: 'namespaces' }, namespace);
}

/**
 * Refuses to create an object in a namespace that is on its way out.
 * @throws ApiError 403 with the cause NamespaceTerminating
 */
export function refuseTerminating(state: ObjectState, type: ResourceType, object: Named): void {
  const { namespace, name } = object;
  if (metadataOf(state.body).deletionTimestamp === undefined) return;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  throw forbidden(type, name, why, [cause]);
}

interface Named {
  readonly namespace: string;
  readonly name: string;
}

/** Creates the namespace `default` where it is absent; `none` where it is there. */
export async function ensureDefaultNamespace(
  store: Store,
  clock: Clock,
  random: Random,
): Promise<WriteOutcome> {
  const type = findResourceType('', 'v1', 'namespaces');
  if (type === undefined) throw new Error('the resource type namespaces is missing');
  const sent = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: DEFAULT_NAMESPACE } };
  const body = await newObject({ type, sent, clock, random });
  return store.write(NAMESPACES, { namespace: '', name: DEFAULT_NAMESPACE }, (current) =>
    current === undefined ? { kind: 'put', body } : { kind: 'none' },
  );
}
