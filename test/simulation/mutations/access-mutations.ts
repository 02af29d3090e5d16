import type { Mutation } from './mutation.ts';

const CACHE = 'lib/server/journal-cache/journal-cache.ts';
const POLICIES = 'lib/server/policies/policy-cache.ts';
const ROW = 'lib/store/preconditions/access-versions.ts';

/** Mechanisms by which nobody is decided by what was revoked, nor by a mixture of two states. */
export const ACCESS_MUTATIONS: readonly Mutation[] = [
  {
    name: 'row-read-each-time',
    mechanism: 'each request reads the row that says which roles and bindings count',
    edits: [
      {
        file: CACHE,
        find: 'const wanted = row ?? (await store.accessVersions());',
        replace:
          'const wanted = row ?? await ((this as unknown as { row?: Promise<AccessVersions> }).row ??= store.accessVersions());',
      },
    ],
    scenario: 'access',
  },
  {
    name: 'row-with-the-write',
    mechanism: 'what decides names itself in the row in its own transaction',
    edits: [
      {
        file: 'lib/store/write-plan.ts',
        find: '    ...accessItems(collection, rv, secret),\n',
        replace: '',
      },
    ],
    scenario: 'access',
  },
  {
    name: 'row-only-rises',
    mechanism: 'who comes late with a lower resourceVersion does not take the row back',
    edits: [{ file: ROW, find: '      condition,\n', replace: '      condition: [],\n' }],
    scenario: 'access-written-late',
  },
  {
    name: 'listed-then-followed',
    mechanism: 'what was listed of different moments is followed up to a row that was read after it',
    edits: [
      {
        file: CACHE,
        find: 'const latest = await store.accessVersions();',
        replace: 'const latest = wanted;',
      },
    ],
    scenario: 'access-far-apart',
  },
  {
    name: 'listed-at-its-version',
    mechanism: 'what was listed counts up to the resourceVersion of its list',
    edits: [{ file: CACHE, find: 'at = rv;', replace: 'at = rv + 1;' }],
    scenario: 'access',
  },
  {
    name: 'followed-up-to-the-row',
    mechanism: 'what is kept counts up to where the journals were read, and no further',
    edits: [
      {
        file: CACHE,
        find: 'return { known, versions: this.#later(versions, wanted) };',
        replace:
          'return { known, versions: new Map([...this.#later(versions, wanted)].map(([one, rv]) => [one, rv + 1])) };',
      },
    ],
    scenario: 'access',
  },
  {
    name: 'each-collection-counts',
    mechanism: 'what is kept counts where it is up to the row with every collection',
    edits: [{ file: CACHE, find: 'collections.every(', replace: 'collections.some(' }],
    scenario: 'access',
  },
  {
    name: 'followed-in-one-step',
    mechanism: 'changes of several collections are applied in one step',
    edits: [
      {
        file: CACHE,
        find: '    { versions }: Held<Known>,\n',
        replace: '    { versions, known }: Held<Known>,\n',
      },
      {
        file: CACHE,
        find: 'changesOf(store, one, versions.get(one) ?? 0, wanted.get(one) ?? 0)',
        replace:
          'changesOf(store, one, versions.get(one) ?? 0, wanted.get(one) ?? 0).then((steps) => { this.#options.apply(known, steps); return steps; })',
      },
    ],
    scenario: 'access-at-once',
  },
  {
    name: 'taken-from-the-policy',
    mechanism: 'a role or a binding that is gone is taken out of what is kept',
    edits: [{ file: POLICIES, find: 'policy.delete(kind, name);', replace: 'void name;' }],
    scenario: 'access',
  },
  {
    name: 'made-of-its-parts',
    mechanism: 'a role that is made of others is decided by these, whatever is written of it',
    edits: [{ file: POLICIES, find: ') aggregateRoles(policy);', replace: ') void aggregateRoles;' }],
    scenario: 'dying-access',
  },
  {
    name: 'judged-of-one-state',
    mechanism: 'who asks what he may do is judged as whom and by which rights one state says',
    edits: [
      {
        file: 'lib/server/access/permission.ts',
        find: 'this.now = () => now() ?? { user, policy };',
        replace: 'void now;\n    this.now = () => ({ user, policy });',
      },
    ],
    scenario: 'audited-access',
  },
];
