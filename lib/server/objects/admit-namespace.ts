import { metadataOf } from '../../json/index.ts';
import { NAMESPACES } from '../../kubernetes/lifecycle/index.ts';
import { findResourceType, type ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { ObjectState, Store, WriteOutcome } from '../../store/index.ts';
import { type ApiError, forbidden, notFound } from '../status/index.ts';
import { type EnsureOptions, ensureObject } from './ensure-object.ts';

/** The system namespaces, which clients need not create. */
export const SYSTEM_NAMESPACES: readonly string[] = [
  'default',
  'kube-node-lease',
  'kube-public',
  'kube-system',
];
/** The system namespaces that are never deleted. */
export const IMMORTAL_NAMESPACES: readonly string[] = ['default', 'kube-public', 'kube-system'];

/** The state of a namespace, read consistently. */
export function readNamespace(store: Store, name: string): Promise<ObjectState | undefined> {
  return store.get(NAMESPACES, { namespace: '', name });
}

/** The error of a request in a namespace that does not exist. */
export function namespaceNotFound(namespace: string): ApiError {
  return notFound({ group: '', resource: 'namespaces' }, namespace);
}

/**
 * Refuses to create an object in a terminating namespace.
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

/** Creates a namespace if it does not exist. The outcome is `none` if the namespace exists. */
export async function ensureNamespace(options: EnsureOptions, name: string): Promise<WriteOutcome> {
  const type = findResourceType('', 'v1', 'namespaces');
  if (type === undefined) throw new Error('the resource type namespaces is missing');
  return ensureObject(options, type, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}
