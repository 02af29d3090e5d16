import { type Collection, collectionOf, type JsonValue, objectAt } from '../json/index.ts';
import { collectionOfType, type ResourceType } from '../kubernetes/resource-types/index.ts';
import type { Store } from '../store/index.ts';
import { type ApiOptions, type ApiRequest, accountsOf } from './http/index.ts';
import { type CustomTypes, definitionView, definitionWarnings, subscriptionView } from './registry/index.ts';

/** A request that reads or writes objects of a special kind. */
export interface SpecialRequest {
  readonly type: ResourceType;
  readonly request: ApiRequest;
  readonly options: ApiOptions & { readonly types: CustomTypes };
}

/** A dry run that succeeded. */
export interface Rehearsal extends SpecialRequest {
  readonly store: Store;
  /** Whether the caller may list all objects of a type. */
  readonly mayList: (type: ResourceType) => boolean;
}

/** Wraps the store of a request. The code of a kind is loaded with its first request. */
type Through = (store: Store, request: SpecialRequest) => Promise<Store>;

/** The behaviour of a kind that no field of its ResourceType describes. */
export interface SpecialKind {
  /** Adds rows, or fields that only the server sets, to each write of the kind. */
  readonly saveThrough?: Through;
  /** The warnings about a new object. */
  readonly warnings?: (created: JsonValue, request: SpecialRequest) => Promise<readonly string[]>;
  /** The warnings about the result of a dry run. */
  readonly rehearsed?: (result: JsonValue, rehearsal: Rehearsal) => Promise<readonly string[]>;
  /** Converts stored objects for every verb, and completes the objects that are written. */
  readonly viewThrough?: Through;
}

const authored: SpecialKind = {
  saveThrough: async (store, { type, request }) => {
    const { authoredStore, authorOf, writerOf } = await import('./access/index.ts');
    return authoredStore(store, type, { author: authorOf(request), writer: writerOf(request) });
  },
  viewThrough: (store, { type, options: { types } }) => subscriptionView(store, { type, types }),
  warnings: async (created, { type, options: { authorLife } }) =>
    (await import('./access/index.ts')).authorWarnings(type, created, authorLife),
};

/** Namespaces and ServiceAccounts: every namespace has its account `default`, where service accounts are on. */
const accounted: SpecialKind = {
  saveThrough: async (store, { options }) => {
    const accounts = accountsOf(options);
    if (accounts === undefined) return store;
    return (await import('./access/index.ts')).accountStore(store, { ...options, ...accounts });
  },
};

/** Admission rules: a warning says where they do not count yet. */
const ruling: SpecialKind = {
  warnings: async (_created, { options }) =>
    (await import('./admission-policies/index.ts')).warningsOfSchema(options.store),
};

/** Admission policies: their status tells which expressions do not fit the types of the matched objects. */
const checking: SpecialKind = {
  ...ruling,
  saveThrough: async (store, { options: { types } }) =>
    (await import('./admission-policies/index.ts')).typeCheckingStore(store, types),
};

/** Webhook configurations: each webhook names a place that the deployment's operator permits. */
const calling: SpecialKind = {
  ...ruling,
  saveThrough: async (store, { type, options }) =>
    (await import('./admission-webhooks/index.ts')).destinationStore(store, type, options),
};

const RULES = 'admissionregistration.k8s.io';

const KINDS: ReadonlyMap<Collection, SpecialKind> = new Map<Collection, SpecialKind>([
  [
    collectionOf('apiextensions.k8s.io', 'customresourcedefinitions'),
    {
      viewThrough: (store, { options }) => definitionView(store, options),
      rehearsed: async (result, { store, mayList, options: { clock, types } }) =>
        definitionWarnings(objectAt(result), { store, clock, mayList, known: await types.current(store) }),
    },
  ],
  [collectionOf('', 'namespaces'), accounted],
  [collectionOf('', 'serviceaccounts'), accounted],
  [
    collectionOf('rbac.authorization.k8s.io', 'clusterroles'),
    {
      saveThrough: async (store, { options: { clock } }) =>
        (await import('./access/index.ts')).aggregatingStore({ store, clock }),
    },
  ],
  [
    collectionOf('winnow.dev', 'accessentries'),
    { saveThrough: async (store, { type }) => (await import('./access/index.ts')).entryStore(store, type) },
  ],
  ...['mutating', 'validating'].flatMap(
    (kind) =>
      [
        [collectionOf(RULES, `${kind}admissionpolicies`), kind === 'mutating' ? ruling : checking],
        [collectionOf(RULES, `${kind}admissionpolicybindings`), ruling],
        [collectionOf(RULES, `${kind}webhookconfigurations`), calling],
      ] as const,
  ),
  [collectionOf('winnow.dev', 'subscriptions'), authored],
  [collectionOf('winnow.dev', 'tallies'), authored],
]);

/** The special behaviour of a kind; empty for most. */
export function specialKind(type: ResourceType): SpecialKind {
  return KINDS.get(collectionOfType(type)) ?? {};
}
