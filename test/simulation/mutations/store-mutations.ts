import type { Mutation } from './mutation.ts';

/** Mechanisms of lib/store. */
export const STORE_MUTATIONS: readonly Mutation[] = [
  {
    name: 'relabel-window',
    mechanism: 'the relabel window corrects an index that lags',
    edits: [
      {
        file: 'lib/store/list/list-sources.ts',
        find: "const relabels = await window.cover({ view, most: this.#budget, table: reads.from('window') });",
        replace: 'const relabels = view === undefined ? undefined : new Map<string, Relabel>();',
      },
    ],
    scenario: 'stale-indexes',
  },
  {
    name: 'rows-behind-the-journal',
    mechanism: 'LIST waits for rows that are behind what the journal says of them',
    edits: [
      {
        file: 'lib/store/list/list-objects.ts',
        find: 'if (late.length === 0) return touched;',
        replace: 'if (late.length >= 0) return touched;',
      },
    ],
    scenario: 'contention',
  },
  {
    name: 'window-complete',
    mechanism: 'the relabel window forgets what it read below its complete part',
    edits: [
      {
        file: 'lib/store/relabel-window.ts',
        find: 'if (state.shards.length === 0) forget(state, oldest);',
        replace: 'void forget;',
      },
      {
        file: 'lib/store/relabel-window.ts',
        find: 'const FIRST_PAGE = 16;',
        replace: 'const FIRST_PAGE = 1;',
      },
      {
        file: 'lib/store/relabel-window.ts',
        find: 'const LARGEST_PAGE = 1_000;',
        replace: 'const LARGEST_PAGE = 1;',
      },
    ],
    scenario: 'old-relabels',
  },
  {
    name: 'roll-back',
    mechanism: 'LIST rolls changes after its resourceVersion back',
    edits: [
      {
        file: 'lib/store/list/state-at.ts',
        find: 'if (entry.rv > at) rolledBack.add(entry.nameKey);',
        replace: 'if (entry.rv > at) continue;',
      },
    ],
    scenario: 'readers',
  },
  {
    name: 'roll-forward',
    mechanism: 'LIST rolls rows forward that are older than a readable entry',
    edits: [
      {
        file: 'lib/store/list/state-at.ts',
        find: 'if (entry.rv > at) rolledBack.add(entry.nameKey);',
        replace: 'if (entry.rv > at) rolledBack.add(entry.nameKey);\n    else continue;',
      },
    ],
    scenario: 'readers',
  },
  {
    name: 'young-tail',
    mechanism: 'a cold process reads the journal back to what is older than the skew',
    edits: [
      {
        file: 'lib/store/journal-tail.ts',
        find: 'if (older.every((entry) => entry.time < young)) break;',
        replace: 'break;',
      },
      {
        file: 'lib/store/journal-tail.ts',
        find: 'const FIRST_LOOK = 8;',
        replace: 'const FIRST_LOOK = 1;',
      },
    ],
    scenario: 'contention',
  },
  {
    name: 'settle-before-list',
    mechanism: 'LIST settles what it was told is there',
    edits: [
      {
        file: 'lib/store/list/overlay.ts',
        find: "const view = await tail.cover(reads.from('journal'), head, known?.upTo ?? this.#at);",
        replace:
          "const entries = await readEntries(reads.from('journal'), this.#options.collection, 2, head);\n    const view = { after: 0, upTo: head, entries };",
      },
      {
        file: 'lib/store/list/overlay.ts',
        find: "import type { ListReads } from '../list-reads.ts';",
        replace:
          "import { readEntries } from '../journal.ts';\nimport type { ListReads } from '../list-reads.ts';",
      },
    ],
    scenario: 'readers',
  },
  {
    name: 'hole-filling',
    mechanism: 'a gap that a reader steps over is filled for ever',
    edits: [
      {
        file: 'lib/store/settle.ts',
        find: 'for (const entry of await givingUp.holes(missing(), awaited())) found.set(entry.rv, entry);',
        replace: "for (const rv of missing()) found.set(rv, { kind: 'hole', rv, time: clock.now() });",
      },
    ],
    scenario: 'slow-transactions',
  },
  {
    name: 'fill-waits-itself',
    mechanism: 'who fills gaps for others gives each the grace itself, whatever it is told',
    edits: [
      {
        file: 'lib/store/fill-gap.ts',
        find: 'await settledEntries({ ...options, collection }, from, to);',
        replace:
          "const { decide } = await import('./holes.ts');\n    const signal = options.clock.deadline(1_000);\n    for (let rv = from; rv <= to; rv += 1) await decide({ ...options, collection, rv, signal });\n    void settledEntries;",
      },
    ],
    scenario: 'filled',
  },
  {
    name: 'fill-reads-the-head',
    mechanism: 'who fills gaps for others takes no resourceVersion that is not allotted',
    edits: [
      {
        file: 'lib/store/fill-gap.ts',
        find: 'if (to > head) throw',
        replace: 'if (to > head && to < from) throw',
      },
    ],
    scenario: 'filled',
  },
  {
    name: 'unfilled-is-undecided',
    mechanism: 'who only reads steps over no gap that nobody has filled',
    edits: [
      {
        file: 'lib/store/settle.ts',
        find: 'async holes(_: readonly number[], [undecided]: readonly number[]): Promise<JournalEntry[]> {',
        replace:
          "async holes(missing: readonly number[], [undecided]: readonly number[]): Promise<JournalEntry[]> {\n    if (undecided !== undefined) return missing.map((rv) => ({ kind: 'hole' as const, rv, time: 0 }));",
      },
    ],
    scenario: 'filled',
  },
  {
    name: 'journal-condition',
    mechanism: 'a journal entry is put only where nothing is',
    edits: [
      {
        file: 'lib/store/write-plan.ts',
        find: "ttl,\n    },\n    condition: [{ missing: 'pk' }],",
        replace: 'ttl,\n    },',
      },
    ],
    scenario: 'slow-transactions',
  },
  {
    name: 'object-condition',
    mechanism: 'an object is put only where it is what was read',
    edits: [
      {
        file: 'lib/store/write-plan.ts',
        find: '...(linked && mainVersion(plan, rv)),\n        },\n        condition: unchanged,',
        replace: '...(linked && mainVersion(plan, rv)),\n        },',
      },
    ],
    scenario: 'contention',
  },
  {
    name: 'verdict-lost',
    mechanism: 'an unknown outcome is not taken for a failure',
    edits: [
      {
        file: 'lib/store/write.ts',
        find: 'const entry = await verdictOn(options, rv);',
        replace: 'void [verdictOn, options, rv];',
      },
      {
        file: 'lib/store/write.ts',
        find: "return entry.kind === 'change' ? undefined : failure;",
        replace: 'return failure;',
      },
    ],
    scenario: 'slow-transactions',
  },
  {
    name: 'verdict-guessed',
    mechanism: 'an unknown outcome is not taken for a success',
    edits: [
      {
        file: 'lib/store/write.ts',
        find: "if (answer.outcome === 'committed') {",
        replace: "if (answer.outcome !== 'cancelled') {",
      },
    ],
    scenario: 'slow-transactions',
  },
  {
    name: 'read-before-allotting',
    mechanism: 'a write reads the object before it allots its resourceVersion',
    edits: [
      {
        file: 'lib/store/write.ts',
        find: 'allotMarked(options).catch(unanswered),',
        replace: 'allotted,',
      },
      {
        file: 'lib/store/write.ts',
        find: 'const { state: before, at: began } = options.known',
        replace:
          'const allotted = await allotMarked(options).catch(unanswered);\n  const { state: before, at: began } = options.known',
      },
    ],
    scenario: 'contention',
  },
  {
    name: 'deadline-below-grace',
    mechanism: "a writer's deadline is below the readers' grace: readers give up only the dead",
    edits: [
      { file: 'lib/platform/timing.ts', find: 'grace: 4_000,', replace: 'grace: 500,' },
      {
        file: 'lib/platform/timing.ts',
        find: "assertAscending('transaction', 'grace', 'request', 'gateway');",
        replace: '',
      },
    ],
    scenario: 'slow-table',
  },
  {
    name: 'holes-above-marks',
    mechanism: 'holes are put only above the settled and compacted marks',
    edits: [
      {
        file: 'lib/store/settle.ts',
        find: 'refuseBelow(options, missing(), (await readMarks(options)).compacted);',
        replace: '',
      },
      {
        file: 'lib/store/settle.ts',
        find: 'refuseBelow(options, missing(), Math.max(settled, compacted));',
        replace: 'void refuseBelow, settled, compacted;',
      },
    ],
    scenario: 'days',
  },
  {
    name: 'slot-condition',
    mechanism: 'label keys are given slots only where these are free',
    edits: [
      {
        file: 'lib/store/labels/label-slots.ts',
        find: '      condition: [{ missing: attributeOf(next) }],\n',
        replace: '',
      },
    ],
    scenario: 'new-keys',
  },
  {
    name: 'trusted-absence',
    mechanism: 'that a label key has no slot yet is asked for each list anew',
    edits: [
      {
        file: 'lib/store/labels/label-slots.ts',
        find: [
          'if (!this.#isRead) await this.#read(table);',
          '    if (this.#unplaced(keys).length > 0) {',
        ].join('\n'),
        replace: [
          'const isKnown = this.#isRead;',
          '    if (!isKnown) await this.#read(table);',
          '    if (!isKnown && this.#unplaced(keys).length > 0) {',
        ].join('\n'),
      },
    ],
    scenario: 'slots-and-days',
  },
  {
    name: 'slots-after-the-head',
    mechanism: 'that a label key has no slot is read after the head',
    edits: [
      {
        file: 'lib/store/labels/label-slots.ts',
        find: 'if (!this.#isRead) await this.#read(table);',
        replace: '',
      },
      {
        file: 'lib/store/labels/label-slots.ts',
        find: 'await head;',
        replace: 'void head;',
      },
      {
        file: 'lib/store/list/list-objects.ts',
        find: "const reading = readHead(reads.from('head'), options.collection);",
        replace: 'const reading = Promise.resolve();',
      },
      {
        file: 'lib/store/list/list-objects.ts',
        find: 'const [head, source] = await Promise.all([reading, sourceOf(sources, request, from)]);',
        replace:
          "const source = await sourceOf(sources, request, from);\n  const head = await readHead(reads.from('head'), options.collection);",
      },
      {
        file: 'lib/store/journal-tail.ts',
        find: 'const FIRST_LOOK = 8;',
        replace: 'const FIRST_LOOK = 1;',
      },
    ],
    scenario: 'late-keys',
  },
  {
    name: 'overflow-read',
    mechanism: 'label keys that came when all slots were taken are read from the overflow',
    edits: [
      {
        file: 'lib/store/list/candidates.ts',
        find: "if (place === undefined) return 'nothing';",
        replace: "if (place === undefined || place === 'overflow') return 'nothing';",
      },
    ],
    scenario: 'taken-slots',
  },
  {
    name: 'all-label-entries',
    mechanism: 'a relabelling rewrites all entries of labels without slots, as each carries all labels',
    edits: [
      {
        file: 'lib/store/write-plan.ts',
        find: 'indexed: entry.relabels && !deletes ? Object.entries(labels) : [],',
        replace:
          'indexed: entry.relabels && !deletes ? Object.entries(labels).filter(([key, value]) => before?.labels[key] !== value) : [],',
      },
    ],
    scenario: 'taken-slots',
  },
  {
    name: 'previous-state',
    mechanism: 'a journal entry knows the state before it',
    edits: [
      {
        file: 'lib/store/journal.ts',
        find: 'const previous = before === undefined ? {} : mergePatchBetween(change.body, before.body);',
        replace: 'const previous = {};\n  void mergePatchBetween;',
      },
    ],
    scenario: 'readers',
  },
  {
    name: 'page-token-version',
    mechanism: "a page token carries the first page's resourceVersion",
    edits: [
      {
        file: 'lib/store/list/list-objects.ts',
        find: 'const at = request.at ?? head;',
        replace: 'const at = request.after === undefined ? (request.at ?? head) : head;',
      },
    ],
    scenario: 'readers',
  },
  {
    name: 'tombstones',
    mechanism: "a delete's tombstone stops a create that began before",
    edits: [
      {
        file: 'lib/store/write-plan.ts',
        find: '...tombstoneItems(collection, plan, rv, ttl),',
        replace: '...(tombstoneItems(collection, plan, rv, ttl).length > 2 ? [] : []),',
      },
    ],
    scenario: 'contention',
  },
  {
    name: 'expiry-after-compaction',
    mechanism: 'journal entries vanish only after the compacted mark has passed them',
    edits: [
      { file: 'lib/platform/timing.ts', find: 'expiry: 48 * 3_600_000,', replace: 'expiry: 2 * 3_600_000,' },
      {
        file: 'lib/platform/timing.ts',
        find: "assertAscending('request', 'tombstone', 'retention', 'expiry');",
        replace: '',
      },
    ],
    scenario: 'days',
  },
];
