import type { Mutation } from './mutation.ts';

const RESERVATIONS = 'lib/store/preconditions/reservations.ts';
const PLAN = 'lib/store/write-plan.ts';

/** Mechanisms of what one object has for itself alone, of quotas, and of what is decided from whole collections. */
export const CLAIM_MUTATIONS: readonly Mutation[] = [
  {
    name: 'reserved-for-one',
    mechanism: 'what is taken is taken only where nobody has it',
    edits: [{ file: RESERVATIONS, find: "  { missing: 'uid' },\n", replace: '' }],
    scenario: 'claims-at-once',
  },
  {
    name: 'taken-above-the-return',
    mechanism: 'what was given back is taken only at a higher resourceVersion',
    edits: [
      {
        file: RESERVATIONS,
        find: "  { any: [{ missing: 'rv' }, { attribute: 'rv', is: '<', value: rv }] },\n",
        replace: '',
      },
    ],
    scenario: 'claims-overtaken',
  },
  {
    name: 'given-back-with-the-write',
    mechanism: 'what an object has no more is given back in the transaction that takes it off',
    edits: [
      {
        file: RESERVATIONS,
        find: '...given.map((name) => ({ put: { ...reservationKey(name), rv, ttl } })),',
        replace: '...given.flatMap(() => []),',
      },
    ],
    scenario: 'claims',
  },
  {
    name: 'row-says-what-it-has',
    mechanism: 'an object’s row names what it has, so every deletion gives it back',
    edits: [
      {
        file: PLAN,
        find: '...(reservations.kept.length > 0 &&',
        replace: '...(reservations.kept.length > 96 &&',
      },
    ],
    scenario: 'claims',
  },
  {
    name: 'kept-by-who-says-nothing',
    mechanism: 'a write that says nothing of what its object has leaves it that',
    edits: [{ file: RESERVATIONS, find: 'wanted ?? had', replace: 'wanted ?? []' }],
    scenario: 'claims',
  },
  {
    name: 'own-is-not-foreign',
    mechanism: 'what a Service has already is its own, and not another one’s',
    edits: [
      {
        file: 'lib/server/admission/services/claims.ts',
        find: 'own.includes(name) || this.#claimed',
        replace: 'own.length > 96 || this.#claimed',
      },
    ],
    scenario: 'claims',
  },
  {
    name: 'turns',
    mechanism: 'of two that take of a quota side by side one is decided again',
    edits: [
      {
        file: 'lib/store/preconditions/quota-versions.ts',
        find: 'return { put: row, condition };',
        replace: 'return { put: row, condition: condition.slice(1) };',
      },
    ],
    scenario: 'claims-at-once',
  },
  {
    name: 'turn-before-count',
    mechanism: 'the turn is read before it is counted what is used',
    edits: [
      {
        file: 'lib/server/admission/quota/charge-quotas.ts',
        find: '  const turn = await request.store.turn(collectionOfType(type), request.namespace);\n',
        replace: '',
      },
      {
        file: 'lib/server/admission/quota/charge-quotas.ts',
        find: '  return { turn, given };',
        replace:
          '  const turn = await request.store.turn(collectionOfType(type), request.namespace);\n  return { turn, given };',
      },
    ],
    scenario: 'claims-at-once',
  },
  {
    name: 'snapshot-at-the-head',
    mechanism: 'what a process keeps of limits and quotas counts only at the head of now',
    edits: [
      {
        file: 'lib/store/snapshot-cache.ts',
        find: 'if (behind === 0) return last;',
        replace: 'if (behind === 0 || last.objects.size > 0) return last;',
      },
    ],
    scenario: 'claims',
  },
  {
    name: 'snapshot-forgets',
    mechanism: 'what is gone is taken out of what a process keeps',
    edits: [{ file: 'lib/store/snapshot-cache.ts', find: 'objects.delete(key);', replace: 'void objects;' }],
    scenario: 'claims',
  },
  {
    name: 'counted-each-minute',
    mechanism: 'what is used of quotas is counted anew by the schedule, whatever nobody told',
    edits: [
      {
        file: 'lib/server/writers/quota-reckoner.ts',
        find: 'if (quotas.length === 0) return;',
        replace: 'if (quotas.length >= 0) return;',
      },
    ],
    scenario: 'claims',
  },
  {
    name: 'claimed-while-it-goes',
    mechanism: 'a Service on its way out has its addresses until it is gone, and no others',
    edits: [
      {
        file: 'lib/server/verbs/admitting/admit-changes.ts',
        find: "return !isLeaving || collectionOfType(type) === 'core/services';",
        replace: 'return !isLeaving && collectionOfType(type) !== undefined;',
      },
    ],
    scenario: 'claims-at-once',
  },
];
