import type { JsonObject } from '../../../lib/json/index.ts';
import { findResourceType, type ResourceType } from '../../../lib/kubernetes/resource-types/index.ts';
import type { Clock, Random } from '../../../lib/platform/index.ts';
import type { ResourceRoute } from '../../../lib/server/http/route.ts';
import { ApiError } from '../../../lib/server/status/status.ts';
import { type ObjectState, stateOf } from '../../../lib/store/index.ts';

export const NOW = '2026-11-21T04:00:00Z';

/** A clock with a fixed time. */
export const clock: Clock = {
  now: () => Date.parse(NOW),
  sleep: async () => undefined,
  deadline: () => new AbortController().signal,
  every: () => () => {},
};

/** A deterministic source of chance: the suffixes count up. */
export function countingRandom(): Random {
  let count = 0;
  return {
    uuid: () => 'uid-1',
    fraction: () => 0,
    suffix: (length) => String(++count).padStart(length, 'x'),
  };
}

export function typeOf(group: string, version: string, resource: string): ResourceType {
  const type = findResourceType(group, version, resource);
  if (type === undefined) throw new Error(`there is no ${resource}`);
  return type;
}

export const PODS = typeOf('', 'v1', 'pods');
export const NAMESPACES = typeOf('', 'v1', 'namespaces');
export const CONFIG_MAPS = typeOf('', 'v1', 'configmaps');
export const SECRETS = typeOf('', 'v1', 'secrets');
export const SERVICES = typeOf('', 'v1', 'services');
export const DEPLOYMENTS = typeOf('apps', 'v1', 'deployments');
export const SUBSCRIPTIONS = typeOf('winnow.dev', 'v1', 'subscriptions');

export function routeTo(type: ResourceType, subresource: '' | 'status' = ''): ResourceRoute {
  const namespace = type.scope === 'Namespaced' ? 'default' : '';
  return { type, verb: 'update', namespace, name: 'x', subresource };
}

/** A stored pod called x at resourceVersion 7, with `metadata` and `content` added. */
export function storedPod(metadata: JsonObject = {}, content: JsonObject = {}): ObjectState {
  const own = { name: 'x', namespace: 'default', uid: 'uid-1', generation: 1, creationTimestamp: NOW };
  const body = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...own, ...metadata },
    spec: { nodeName: 'n1' },
    status: { phase: 'Pending' },
    ...content,
  };
  return stateOf({ namespace: 'default', name: 'x' }, 7, body);
}

/** Returns the error of a call that must be refused. */
export function refusalOf(act: () => unknown): ApiError {
  try {
    act();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

/** Returns the error of a call that must be refused asynchronously. */
export async function refusalFrom(work: Promise<unknown>): Promise<ApiError> {
  const result = await work.catch((error: unknown) => error);
  return refusalOf(() => {
    if (result instanceof Error) throw result;
  });
}

export function fieldsOf(error: ApiError): (string | undefined)[] {
  return (error.details.causes ?? []).map(({ field }) => field);
}
