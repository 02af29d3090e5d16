import { type Collection, collectionOf } from '../json/index.ts';
import { collectionOfType, type ResourceType } from '../kubernetes/resource-types/index.ts';
import type { Clock } from '../platform/index.ts';
import type { Store } from '../store/index.ts';
import type { ApiRequest } from './http/index.ts';
import { type CustomTypes, definitionView, subscriptionView } from './registry/index.ts';

/** A request that reads or writes objects of a special kind. */
export interface SpecialRequest {
  readonly type: ResourceType;
  readonly request: ApiRequest;
  readonly clock: Clock;
  readonly types: CustomTypes;
}

/** Wraps the store of a request. The code of a kind is loaded with its first request. */
type Through = (store: Store, request: SpecialRequest) => Promise<Store>;

/** The behaviour of a kind that no field of its ResourceType describes. */
export interface SpecialKind {
  /** Adds rows to its writes, or fields that only the server sets. */
  readonly saveThrough?: Through;
  /** Shows the stored objects to every verb, and completes what is written. */
  readonly viewThrough?: Through;
}

const authored: SpecialKind = {
  saveThrough: async (store, { type, request }) => {
    const { authoredStore, authorOf, writerOf } = await import('./access/index.ts');
    return authoredStore(store, type, { author: authorOf(request), writer: writerOf(request) });
  },
  viewThrough: subscriptionView,
};

const KINDS: ReadonlyMap<Collection, SpecialKind> = new Map<Collection, SpecialKind>([
  [
    collectionOf('apiextensions.k8s.io', 'customresourcedefinitions'),
    { viewThrough: (store, { clock }) => definitionView(store, clock) },
  ],
  [
    collectionOf('rbac.authorization.k8s.io', 'clusterroles'),
    {
      saveThrough: async (store, { clock }) =>
        (await import('./access/index.ts')).aggregatingStore({ store, clock }),
    },
  ],
  [
    collectionOf('winnow.dev', 'accessentries'),
    { saveThrough: async (store, { type }) => (await import('./access/index.ts')).entryStore(store, type) },
  ],
  [collectionOf('winnow.dev', 'subscriptions'), authored],
  [collectionOf('winnow.dev', 'tallies'), authored],
]);

/** The special behaviour of a kind; empty for most. */
export function specialKind(type: ResourceType): SpecialKind {
  return KINDS.get(collectionOfType(type)) ?? {};
}
