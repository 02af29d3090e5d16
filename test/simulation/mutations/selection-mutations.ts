import type { Mutation } from './mutation.ts';

const ANCHORING = 'lib/store/postings/anchoring-of.ts';
const FINDING = 'lib/store/postings/find-carriers.ts';
const PLANNING = 'lib/store/postings/plan-postings.ts';
const PLAN = 'lib/store/write-plan.ts';
const WRITE = 'lib/store/write.ts';
const SWEEPING = 'lib/controllers/backfills/backfill-postings.ts';

/** Mechanisms of who selects whom. */
export const SELECTION_MUTATIONS: readonly Mutation[] = [
  {
    name: 'moved-leaves-a-mark',
    mechanism: 'a selector that is found elsewhere leaves a mark where it was',
    edits: [{ file: ANCHORING, find: 'targets.has(parts.target)', replace: 'false' }],
    scenario: 'selections-far-apart',
  },
  {
    name: 'mark-is-read',
    mechanism: 'whoever meets a mark reads the carrier',
    edits: [{ file: FINDING, find: 'row.time > now - MARK_LIFE', replace: 'false' }],
    scenario: 'selections-far-apart',
  },
  {
    name: 'mark-of-any-path',
    mechanism: 'a mark stays where any selector of the carrier goes on, at whatever path',
    edits: [
      {
        file: ANCHORING,
        find: 'targets.has(parts.target)',
        replace: '[...kept, ...chosen].some(({ path }) => path === parts.path)',
      },
    ],
    scenario: 'selections-far-apart',
  },
  {
    name: 'long-is-read',
    mechanism: 'where a selector is too long for its row the carrier is read',
    edits: [{ file: FINDING, find: "row.kind === 'see' || ", replace: '' }],
    scenario: 'selections',
  },
  {
    name: 'former-rows-go',
    mechanism: 'rows of what a carrier does not select by any more go with the write',
    edits: [
      {
        file: ANCHORING,
        find: '...left.map((parts) =>',
        replace: '...left.slice(left.length).map((parts) =>',
      },
    ],
    scenario: 'selections',
  },
  {
    name: 'row-says-where-it-is-found',
    mechanism: 'a carrier’s row lists the rows it is found by, so every deletion takes them along',
    edits: [{ file: PLAN, find: '...(anchored.length > 0 &&', replace: '...(anchored.length > 96 &&' }],
    scenario: 'selections',
  },
  {
    name: 'found-by-who-says-nothing',
    mechanism: 'a write that says nothing of what its object selects leaves it that',
    edits: [{ file: PLAN, find: 'kept: before?.anchored ?? []', replace: 'kept: []' }],
    scenario: 'selections',
  },
  {
    name: 'deletion-takes-rows',
    mechanism: 'a deletion takes the rows of its object’s selectors along',
    edits: [{ file: WRITE, find: 'before?.anchored && []', replace: 'undefined' }],
    scenario: 'selections',
  },
  {
    name: 'said-anew-where-changed',
    mechanism: 'rows are put anew where a selector says something else',
    edits: [
      {
        file: PLANNING,
        find: 'one.path === other.path && one.digest === other.digest',
        replace: 'one.path === other.path',
      },
    ],
    scenario: 'selections',
  },
  {
    name: 'gone-over-then-said',
    mechanism: 'objects that were there before are written anew before it is stored that they are done',
    edits: [{ file: SWEEPING, find: 'await mapBounded(items', replace: 'void mapBounded(items' }],
    scenario: 'selections-known-later',
  },
  {
    name: 'gone-over-after-a-wait',
    mechanism: 'objects are gone over when nobody writes any more who did not know what they select',
    edits: [{ file: SWEEPING, find: 'clock.now() - known.since >= kind.wait', replace: 'true' }],
    scenario: 'selections-known-later',
  },
];
