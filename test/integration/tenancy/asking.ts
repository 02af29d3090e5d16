import fc from 'fast-check';
import type { JsonObject } from '../../../lib/json/index.ts';
import type { Asked } from '../../support/service/access-api.ts';
import {
  anyName,
  GHOST_NAMESPACE,
  GHOSTS,
  labels,
  NAMESPACES,
  namespace,
  stored,
  variant,
} from './administering.ts';
import { pathOf } from './kinds.ts';
import { reviewing } from './reviewing.ts';

/**
 * A request of the tenant. The text `{version 3}` stands for a resourceVersion that the tenant received in that world,
 * `{token 2}` for a continue token, and `{stolen 0}` for a token of the administrator.
 */
export interface Asking extends Asked {
  readonly by: 'tenant';
  readonly watches?: boolean;
  /** Whether the name may be taken in one world. A 409 is then a declared difference, and nothing is stored. */
  readonly mayMeet?: boolean;
}

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
const METADATA = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json';
const accept = fc.constantFrom(undefined, undefined, undefined, TABLE, METADATA, 'application/yaml');
const place = fc.constantFrom('', '', ...NAMESPACES, ...NAMESPACES, GHOST_NAMESPACE);
const version = fc.nat(9).map((index) => `{version ${index}}`);
const limit = fc.integer({ min: 1, max: 3 }).map(String);
const labelSelector = fc.constantFrom(
  ...[
    'team',
    '!team',
    'team=a',
    'team!=a',
    'team in (b,c)',
    'team notin (a,b)',
    'tier=web,team',
    'public',
    'none',
  ],
  ...['team=z', 'team=c', 'tier', 'team=a,tier', 'team in (,'],
);
const fieldSelector = fc.constantFrom(
  ...['metadata.name=a', 'metadata.name=g', 'metadata.namespace=n1', 'metadata.name!=b', 'no.such=1'],
);
const narrow = fc.record({ labelSelector, fieldSelector }, { requiredKeys: [] });

const listed = fc.oneof(
  { weight: 4, arbitrary: fc.record({ limit }, { requiredKeys: [] }) },
  { weight: 3, arbitrary: fc.record({ limit, continue: fc.nat(5).map((index) => `{token ${index}}`) }) },
  { weight: 1, arbitrary: fc.record({ limit, continue: fc.nat(3).map((index) => `{stolen ${index}}`) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      resourceVersion: version,
      resourceVersionMatch: fc.constantFrom('Exact', 'NotOlderThan'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ resourceVersion: '0' }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<object>(
      { facets: 'team,tier,public' },
      { facets: '*' },
      { facets: 'team,tier', joint: 'true' },
    ),
  },
  { weight: 1, arbitrary: fc.record({ sortBy: fc.constantFrom('team', '-tier') }) },
  { weight: 1, arbitrary: fc.record({ explain: fc.constantFrom('true', 'text', 'header') }) },
);

const query = (...parts: readonly object[]): string => {
  const all = parts.flatMap((part) => Object.entries(part) as [string, string][]);
  return all.length === 0
    ? ''
    : `?${all.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&')}`;
};

const listing = fc
  .record({ of: stored, place, narrow, listed, accept })
  .map(({ of, place: where, narrow: within, listed: how, accept: wanted }) => ({
    method: 'GET',
    target: `${pathOf(of, where)}${query(within, how)}`,
    accept: wanted,
  }));

const beginnings = fc.oneof(
  fc.constant({}),
  fc.record({ resourceVersion: version }),
  fc.constant({
    sendInitialEvents: 'true',
    allowWatchBookmarks: 'true',
    resourceVersionMatch: 'NotOlderThan',
  }),
);
const watching = fc
  .record({ of: stored, place, narrow, beginning: beginnings, accept })
  .map(({ of, place: where, narrow: within, beginning, accept: wanted }) => ({
    method: 'GET',
    target: `${pathOf(of, where)}${query({ watch: 'true' }, within, beginning)}`,
    accept: wanted,
    watches: true,
  }));

const below = fc.constantFrom('', '', '', '/status', '/selectedby', '/selected', '/scale');
const getting = fc
  .record({ of: stored, namespace, name: anyName, below, accept })
  .map(({ of, namespace: where, name: named, below: under, accept: wanted }) => ({
    method: 'GET',
    target: `${pathOf(of, where)}/${named}${under}`,
    accept: wanted,
  }));

const past = fc.record(
  { limit, all: fc.constant('true'), states: fc.constant('true') },
  { requiredKeys: [] },
);
/** Without Tables, whose cells show versions as plain numbers. */
const untabled = fc.constantFrom(undefined, undefined, METADATA, 'application/yaml');
const pastOfOne = fc
  .record({ of: stored, namespace, name: anyName, past, accept: untabled })
  .map(({ of, namespace: where, name: named, past: how, accept: wanted }) => ({
    method: 'GET',
    target: `${pathOf(of, where)}/${named}/history${query(how)}`,
    accept: wanted,
  }));
const pastOfAll = fc
  .record({
    of: stored,
    place,
    labelSelector: fc.option(labelSelector, { nil: undefined }),
    past,
    token: fc.option(fc.nat(5), { nil: undefined }),
    accept: untabled,
  })
  .map(({ of, place: where, labelSelector: selected, past: how, token, accept: wanted }) => {
    const group = of.root === '/api/v1' ? '' : `.${of.root.split('/')[2]}`;
    const named = { fieldSelector: `resource=${of.resource}${group}` };
    const narrowed = selected === undefined ? {} : { labelSelector: selected };
    const continued = token === undefined ? {} : { continue: `{token ${token}}` };
    const within = where === '' ? '' : `/namespaces/${where}`;
    const path = `/apis/winnow.dev/v1${within}/histories`;
    return { method: 'GET', target: `${path}${query(named, narrowed, how, continued)}`, accept: wanted };
  });

const EVENTS = '/api/v1/namespaces/n1/events';
const eventual = fc.oneof(
  fc
    .record({ limit }, { requiredKeys: [] })
    .map((how) => ({ method: 'GET', target: `/api/v1/events${query(how)}` })),
  fc.constant({ method: 'GET', target: '/apis/events.k8s.io/v1/namespaces/n2/events' }),
  fc
    .record({ facets: fc.constant('team') })
    .map((how) => ({ method: 'GET', target: `${EVENTS}${query(how)}` })),
  fc.constant({ method: 'GET', target: `${EVENTS}?watch=true`, watches: true }),
  fc.record({ named: anyName, of: stored }).map(({ named, of }) => ({
    method: 'GET',
    target: `${EVENTS}?fieldSelector=involvedObject.name%3D${named},involvedObject.kind%3D${of.kind}`,
  })),
  fc.record({ named: anyName, of: stored }).map(({ named, of }) => ({
    method: 'GET',
    target: `${EVENTS}/${named}.${of.resource}`,
  })),
  fc.record({ named: anyName, of: stored }).map(({ named, of }) => ({
    method: 'POST',
    target: `${EVENTS}?dryRun=All`,
    body: {
      metadata: { name: 'mine', namespace: 'n1' },
      reason: 'Mine',
      involvedObject: { apiVersion: of.apiVersion, kind: of.kind, namespace: 'n1', name: named },
    },
  })),
);

const ofNamespaces = fc
  .record({
    named: fc.constantFrom('', '/n1', '/n2', '/n3', '/none'),
    narrow,
    method: fc.constantFrom('GET'),
  })
  .map(({ named, narrow: within, method }) => ({
    method,
    target: `/api/v1/namespaces${named}${named === '' ? query(within) : ''}`,
  }));

const owner = fc.record({ of: stored, named: anyName, blockOwnerDeletion: fc.boolean() });
/** Draws the value seldom, and null otherwise. */
function seldom<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
}

const written = fc.record({
  of: stored,
  namespace,
  name: anyName,
  labels,
  variant,
  owner: seldom(owner),
  at: seldom(version),
  dryRun: fc.constantFrom(false, false, true),
});
type Written = typeof written extends fc.Arbitrary<infer One> ? One : never;

function objectOf({
  of,
  namespace: where,
  name: named,
  labels: wanted,
  variant: one,
  owner: held,
  at,
}: Written) {
  const references = held && {
    ownerReferences: [
      {
        apiVersion: held.of.apiVersion,
        kind: held.of.kind,
        name: held.named,
        uid: '00000000-0000-4000-8000-000000000000',
        blockOwnerDeletion: held.blockOwnerDeletion,
      },
    ],
  };
  return {
    apiVersion: of.apiVersion,
    kind: of.kind,
    metadata: {
      name: named,
      ...(of.isNamespaced && { namespace: where }),
      labels: wanted,
      ...references,
      ...(at !== null && { resourceVersion: at }),
    },
    ...of.say(one),
  } as JsonObject;
}

const rehearsed = ({ dryRun, name: named }: Written) => dryRun || GHOSTS.includes(named);
const creating = written.map((one) => ({
  method: 'POST',
  target: `${pathOf(one.of, one.namespace)}${rehearsed(one) ? '?dryRun=All' : ''}`,
  body: objectOf({ ...one, at: null }),
  mayMeet: GHOSTS.includes(one.name),
}));
const updating = written.map((one) => ({
  method: 'PUT',
  target: `${pathOf(one.of, one.namespace)}/${one.name}${rehearsed(one) ? '?dryRun=All' : ''}`,
  body: objectOf(one),
  mayMeet: GHOSTS.includes(one.name),
}));
const PATCHES = [
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
] as const;
const patching = fc
  .record({ one: written, type: fc.constantFrom(...PATCHES), force: fc.boolean() })
  .map(({ one, type, force }) => {
    const isApply = type === 'application/apply-patch+yaml';
    const how = {
      ...(rehearsed(one) && { dryRun: 'All' }),
      ...(isApply && { fieldManager: 'tenant', force: String(force) }),
    };
    return {
      method: 'PATCH',
      target: `${pathOf(one.of, one.namespace)}/${one.name}${query(how)}`,
      body: objectOf(one),
      type,
      mayMeet: isApply && GHOSTS.includes(one.name),
    };
  });
const deleting = fc
  .record({
    of: stored,
    namespace,
    name: anyName,
    propagationPolicy: fc.constantFrom('Background', 'Foreground', 'Orphan'),
  })
  .map(({ of, namespace: where, name: named, propagationPolicy }) => ({
    method: 'DELETE',
    target: `${pathOf(of, where)}/${named}${query({ propagationPolicy, gracePeriodSeconds: '0' })}`,
  }));
const clearing = fc
  .record({ of: stored, namespace, narrow })
  .map(({ of, namespace: where, narrow: within }) => ({
    method: 'DELETE',
    target: `${pathOf(of, where)}${query(within)}`,
  }));

/** Reads and writes of all existing objects, and of missing ones. */
export const asking: fc.Arbitrary<Asking> = fc
  .oneof(
    { weight: 10, arbitrary: listing as fc.Arbitrary<Omit<Asking, 'by'>> },
    { weight: 4, arbitrary: watching },
    { weight: 6, arbitrary: getting },
    { weight: 2, arbitrary: pastOfOne },
    { weight: 3, arbitrary: pastOfAll },
    { weight: 2, arbitrary: eventual },
    { weight: 1, arbitrary: ofNamespaces },
    { weight: 3, arbitrary: creating },
    { weight: 4, arbitrary: updating },
    { weight: 4, arbitrary: patching },
    { weight: 1, arbitrary: deleting },
    { weight: 1, arbitrary: clearing },
    { weight: 4, arbitrary: reviewing },
  )
  .map((asked) => ({ by: 'tenant', ...asked }));
