import fc from 'fast-check';
import { KINDS, type WorldKind } from './kinds.ts';

export const NAMESPACES = ['n1', 'n2'] as const;
/** A namespace that exists in only one of the worlds. */
export const GHOST_NAMESPACE = 'n3';
const NAMES = ['a', 'b', 'c'] as const;
/** Names of objects that no grant ever selects. Such an object may exist in either world or in both. */
export const GHOSTS: readonly string[] = ['g', 'h'];

const team = fc.constantFrom('a', 'a', 'a', 'b', 'b', 'c', 'z');
const tier = fc.constantFrom('web', 'db');
export const labels = fc.record({ team, tier, public: fc.constant('yes') }, { requiredKeys: [] });
/** Labels that no selector of a grant matches. */
const hidden = fc.record({ team: fc.constantFrom('c', 'z'), tier }, { requiredKeys: ['team'] });

export const variant = fc.integer({ min: 0, max: 3 });
/** Kinds, with a higher weight for those that select or are selected. */
export const kind = fc.oneof(
  fc.constantFrom(
    ...KINDS.flatMap(({ kind: one }, index) => (one === 'Pod' || one === 'Service' ? [index] : [])),
  ),
  fc.nat(KINDS.length - 1),
);
export const namespace = fc.constantFrom('n1', ...NAMESPACES);
export const name = fc.constantFrom(...NAMES);
/** A name of an object that may exist or not. */
export const anyName = fc.oneof(
  { weight: 6, arbitrary: name },
  { weight: 2, arbitrary: fc.constantFrom(...GHOSTS) },
  { weight: 1, arbitrary: fc.constant('none') },
);
export const stored = kind.map((index) => KINDS[index] as WorldKind);
const side = fc.option(fc.record({ labels: hidden, variant }));
const reason = fc.constantFrom('Seen', 'Done');

/** The possible selectors of grants. None matches `team in (c,z),!public`. */
export const SELECTORS = [
  { matchLabels: { team: 'a' } },
  { matchExpressions: [{ key: 'team', operator: 'In', values: ['a', 'b'] }] },
  { matchLabels: { team: 'b', tier: 'web' } },
  { matchExpressions: [{ key: 'public', operator: 'Exists' }] },
  { matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['c', 'z'] }] },
] as const;
const selector = fc.integer({ min: 0, max: SELECTORS.length - 1 });
const ROLES = ['everything', 'pods', 'reader'] as const;

/** An initial grant. `namespace` is empty for a grant for the whole cluster. */
export const grant = fc.record({
  role: fc.constantFrom(...ROLES),
  namespace: fc.constantFrom('', '', ...NAMESPACES),
  selector,
});
export type Grant = typeof grant extends fc.Arbitrary<infer One> ? One : never;

const put = fc.record({ by: fc.constant('put'), kind, namespace, name, labels, variant });

/** The actions of the administrator. They apply to both worlds, except for objects that no grant selects. */
export const administering = fc.oneof(
  { weight: 6, arbitrary: put },
  { weight: 2, arbitrary: fc.record({ by: fc.constant('remove'), kind, namespace, name }) },
  {
    weight: 6,
    arbitrary: fc.record({
      by: fc.constant('ghost'),
      kind,
      namespace: fc.constantFrom(...NAMESPACES, GHOST_NAMESPACE),
      name: fc.constantFrom(...GHOSTS),
      left: side,
      right: side,
    }),
  },
  { weight: 1, arbitrary: fc.record({ by: fc.constant('event'), kind, namespace, name, reason }) },
  {
    weight: 1,
    arbitrary: fc.record({
      by: fc.constant('ghost event'),
      kind,
      namespace,
      name: fc.constantFrom(...GHOSTS),
      reason,
      left: fc.boolean(),
      right: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ by: fc.constant('regrant'), which: fc.nat(3), selector }) },
  { weight: 1, arbitrary: fc.record({ by: fc.constant('revoke'), which: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ by: fc.constant('token'), kind, namespace }) },
);
export type Administering = typeof administering extends fc.Arbitrary<infer One> ? One : never;
