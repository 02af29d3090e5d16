import type { Mutation } from './mutation.ts';

const TURN = 'lib/delivery/dispatch/run-round.ts';
const ROWS = 'lib/coordination/deriving/work-items.ts';
const CONCERNED = 'lib/controllers/deriving/concerned.ts';
const LEASES = 'lib/controllers/deriving/leases.ts';
const DERIVE_LEASE = 'lib/controllers/deriving/derive-lease.ts';

/** Mechanisms of endpoints that are derived, and of Leases. */
export const SERVING_MUTATIONS: readonly Mutation[] = [
  {
    name: 'endpoints-before-the-cursor',
    mechanism: 'endpoints are due before the cursor moves',
    edits: [
      {
        file: TURN,
        find: '  if (derives) await makeDue(turn, { upTo: reached, changes: told });\n',
        replace: '',
      },
      {
        file: TURN,
        find: 'return endTurn(turn, { position: Math.max(cursor, reached), seen: seen() });',
        replace:
          'const ended = await endTurn(turn, { position: Math.max(cursor, reached), seen: seen() });\n  if (derives) await makeDue(turn, { upTo: reached, changes: told });\n  return ended;',
      },
    ],
    scenario: 'dying-serving',
  },
  {
    name: 'endpoints-of-what-was-read',
    mechanism: 'endpoints are of the versions that were read, and not of what is wanted since',
    edits: [
      {
        file: ROWS,
        find: 'Math.max(derived.seen.get(collection) ?? 0, due.wanted.get(collection) ?? 0)',
        replace: 'Number.MAX_SAFE_INTEGER',
      },
    ],
    scenario: 'serving',
  },
  {
    name: 'looked-up-after-the-change',
    mechanism: 'who selects a pod is looked up after its change was read: not what was found out before',
    edits: [
      {
        file: CONCERNED,
        find: 'const MOST = 1_000_000;',
        replace:
          'const MOST = 1_000_000;\nconst OF_PROCESS = new WeakMap();\nconst OF_STORE = new WeakMap();',
      },
      {
        file: CONCERNED,
        find: '  const owe = (subject: WorkKey, { rv }: JournalChange): WorkRequest =>',
        replace:
          '  const { clock, store: reader } = outside;\n  OF_PROCESS.set(clock, OF_PROCESS.get(clock) ?? new Map());\n  OF_STORE.set(reader, OF_PROCESS.get(clock));\n  const owe = (subject: WorkKey, { rv }: JournalChange): WorkRequest =>',
      },
      {
        file: CONCERNED,
        find: 'const subjects = await selecting(store, one);',
        replace:
          'const kept = OF_STORE.get(store);\n      const id = JSON.stringify([one.namespace, Object.entries(one.labels).sort()]);\n      if (!kept.has(id)) kept.set(id, await selecting(store, one));\n      const subjects: readonly WorkKey[] = kept.get(id);',
      },
    ],
    scenario: 'serving',
  },
  {
    name: 'ended-sooner-is-told',
    mechanism: 'a Lease that ends sooner has its pods looked at: nobody would until it had ended before',
    edits: [
      { file: LEASES, find: 'after === undefined || endOf(after) < former || former', replace: 'former' },
    ],
    scenario: 'serving',
  },
  {
    name: 'renewed-too-late-is-told',
    mechanism: 'a Lease that is renewed after its end has its pods looked at, and Ready given back',
    edits: [{ file: LEASES, find: ' || former <= now + SKEW;', replace: ';' }],
    scenario: 'serving',
  },
  {
    name: 'looked-at-when-it-ends',
    mechanism: 'a Lease that holds is looked at again when it would end',
    edits: [
      {
        file: DERIVE_LEASE,
        find: '...(holds && pods.length > 0 && { next: end }) };',
        replace: '...(end < 0 && { next: end }) };',
      },
    ],
    scenario: 'serving',
  },
  {
    name: 'derived-from-lists',
    mechanism: 'what is derived from is read by LISTs: a row may be older than the change that was told',
    edits: [
      {
        file: 'lib/controllers/deriving/reading.ts',
        find: 'const { rv, items } = await this.#store.list(collection, asked);',
        replace:
          'const rv = await this.#store.head(collection);\n    const found = await this.#store.get(collection, { namespace, name: asked.name });\n    const items = found === undefined ? [] : [found];',
      },
    ],
    scenario: 'torn-serving',
  },
];
