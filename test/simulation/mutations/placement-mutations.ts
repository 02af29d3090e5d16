import type { Mutation } from './mutation.ts';

const PLACER = 'lib/controllers/binding/placer.ts';
const SNAPSHOTS = 'lib/controllers/world-snapshots/world-snapshots.ts';
const KEPT_WORLD = 'lib/server/placing/world-cache.ts';

/** Mechanisms by which pods are bound once, where they may be, and by which none is forgotten. */
export const PLACEMENT_MUTATIONS: readonly Mutation[] = [
  {
    name: 'binding-fenced',
    mechanism: 'a binding checks in its transaction that nobody has raised the epoch of the lease',
    edits: [
      {
        file: 'lib/store/preconditions/fence.ts',
        find: "condition: [{ attribute: 'epoch', is: '=', value: epoch }]",
        replace: 'condition: []',
      },
    ],
    scenario: 'binders-standing-still',
  },
  {
    name: 'epoch-raised',
    mechanism: 'whoever takes the lease raises its epoch',
    edits: [{ file: 'lib/coordination/lease.ts', find: 'add: { epoch: 1 }', replace: 'add: { epoch: 0 }' }],
    scenario: 'binders-standing-still',
  },
  {
    name: 'world-under-the-lease',
    mechanism: 'a new holder reads what was bound before, under the lease',
    edits: [
      {
        file: PLACER,
        find: '    await this.#kept.current(store, source);\n',
        replace: '    const told = await this.#kept.current(store, source);\n',
      },
      { file: PLACER, find: 'underLease({ ...options,', replace: 'underLease({ ...options, told,' },
      {
        file: PLACER,
        find: '    const told = await kept.current(store);\n',
        replace:
          '    const told = options.told ?? (await kept.current(store));\n    options.told = undefined;\n',
      },
    ],
    scenario: 'placements',
  },
  {
    name: 'world-to-the-settled-head',
    mechanism: 'what is under way below the head is waited for',
    edits: [
      {
        file: KEPT_WORLD,
        find: 'const stretch = await store.nextChanges(collection, rv, head);',
        replace:
          'const stretch = await store.decidedChanges(collection, rv, head);\n      if (stretch.upTo === rv) break;',
      },
    ],
    scenario: 'bindings-shown-late',
  },
  {
    name: 'binding-of-one-version',
    mechanism: 'a pod that has changed since its node was chosen is not bound to it',
    edits: [
      {
        file: 'lib/controllers/binding/bind-pod.ts',
        find: 'if (current?.rv !== pod.rv)',
        replace: 'if (current === undefined)',
      },
    ],
    scenario: 'crowded-nodes',
  },
  {
    name: 'bound-counts-for-the-next',
    mechanism: 'a pod that was bound is there for the next one',
    edits: [
      {
        file: 'lib/controllers/binding/bind-round.ts',
        find: "    world.set('Pod', pod.body as Pod);\n",
        replace: '',
      },
    ],
    scenario: 'placements',
  },
  {
    name: 'unread-rows-are-waited-for',
    mechanism: 'a pod whose row does not show yet what the journal told of it is tried again',
    edits: [
      {
        file: 'lib/controllers/binding/bind-pod.ts',
        find: "return isBehind ? 'behind' : undefined;",
        replace: 'return undefined;',
      },
    ],
    scenario: 'one-binder',
  },
  {
    name: 'helped-by-what-went',
    mechanism: 'a pod that found no node is tried again when another one goes',
    edits: [
      {
        file: 'lib/controllers/binding/helped-rules.ts',
        find: '  if (!is || before === undefined || after === undefined) return WENT;\n',
        replace: '  if (!is || before === undefined || after === undefined) return NONE;\n',
      },
    ],
    scenario: 'rooms-given-back',
  },
  {
    name: 'snapshot-header-last',
    mechanism: 'a snapshot of the world is named when all its chunks are there',
    edits: [
      {
        file: SNAPSHOTS,
        find: `  await mapBounded([...chunks.entries()], PUTS_AT_ONCE, async ([at, data]) => {
    await table.put(chunkRow(header, at, data));
  });
`,
        replace: '',
      },
      {
        file: SNAPSHOTS,
        find: "  return outcome === 'done' ? header : readHeader(table);\n",
        replace: `  for (const [at, data] of chunks.entries()) await table.put(chunkRow(header, at, data));
  return outcome === 'done' ? header : readHeader(table);
`,
      },
    ],
    scenario: 'kept-worlds',
  },
  {
    name: 'snapshot-and-its-tail',
    mechanism: 'whoever starts from a snapshot reads the journals from there',
    edits: [
      {
        file: KEPT_WORLD,
        find: '    for (const object of stored.objects) this.#tellOf(told, object);\n',
        replace: `    for (const object of stored.objects) this.#tellOf(told, object);
    for (const one of KINDS.keys()) told.upTo.set(one, await store.head(one));
`,
      },
      { file: KEPT_WORLD, find: 'this.#stored(source)', replace: 'this.#stored(source, store)' },
      {
        file: KEPT_WORLD,
        find: 'async #stored(source: WorldSource | undefined)',
        replace: 'async #stored(source: WorldSource | undefined, store: Store)',
      },
    ],
    scenario: 'kept-worlds',
  },
];
