import type { ResourceType } from './resource-type.ts';
import { SCALE } from './scale.ts';
import type { Subresource } from './subresource.ts';

const PART = ['get', 'patch', 'update'] as const;
const { group, version, kind } = SCALE;
const STATUS: Subresource = { name: 'status', verbs: PART };
const SCALED: Subresource = { name: 'scale', takes: { group, version, kind }, verbs: PART };

/** Returns all subresources of a type, sorted by name; for a custom kind, in Kubernetes' order. */
export function subresourcesOf({
  scale,
  status,
  subresources,
  custom,
}: ResourceType): readonly Subresource[] {
  const scaled = scale === undefined ? [] : [SCALED];
  const own = status ? [STATUS] : [];
  if (custom !== undefined) return [...own, ...scaled];
  const all = [...(subresources ?? []), ...scaled, ...own];
  return all.sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** The verbs of connections to a pod's containers. */
const CONNECTED = ['create', 'get'] as const;
const PROXIED = ['create', 'delete', 'get', 'patch', 'update'] as const;

/**
 * The subresources, of every type, for the carriers that select an object, the objects that it selects, and its
 * changes. Discovery does not list them; docs/api.md describes them.
 */
export const SELECTED_BY: Subresource = { name: 'selectedby', verbs: ['get'] };
export const SELECTED: Subresource = { name: 'selected', verbs: ['list', 'watch'] };
export const HISTORY: Subresource = { name: 'history', verbs: ['get'] };

export const POD_SUBRESOURCES: readonly Subresource[] = [
  { name: 'attach', takes: { kind: 'PodAttachOptions' }, verbs: CONNECTED },
  { name: 'binding', takes: { kind: 'Binding' }, verbs: ['create'] },
  { name: 'ephemeralcontainers', verbs: PART },
  { name: 'eviction', takes: { group: 'policy', version: 'v1', kind: 'Eviction' }, verbs: ['create'] },
  { name: 'exec', takes: { kind: 'PodExecOptions' }, verbs: CONNECTED },
  { name: 'log', verbs: ['get'] },
  { name: 'portforward', takes: { kind: 'PodPortForwardOptions' }, verbs: CONNECTED },
  { name: 'proxy', takes: { kind: 'PodProxyOptions' }, verbs: PROXIED },
  { name: 'resize', verbs: PART },
];

export const SERVICE_ACCOUNT_SUBRESOURCES: readonly Subresource[] = [
  {
    name: 'token',
    takes: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
    verbs: ['create'],
  },
];

export const NAMESPACE_SUBRESOURCES: readonly Subresource[] = [{ name: 'finalize', verbs: ['update'] }];

export const CERTIFICATE_SUBRESOURCES: readonly Subresource[] = [{ name: 'approval', verbs: PART }];

export const NODE_SUBRESOURCES: readonly Subresource[] = [
  { name: 'proxy', takes: { kind: 'NodeProxyOptions' }, verbs: PROXIED },
];

export const SERVICE_SUBRESOURCES: readonly Subresource[] = [
  { name: 'proxy', takes: { kind: 'ServiceProxyOptions' }, verbs: PROXIED },
];
