import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../lib/json/index.ts';
import { GoneError, type ListPage, type ObjectState } from '../../../lib/store/index.ts';
import { draftEntry, entryRow, JournalChange } from '../../../lib/store/journal.ts';
import { stateOf } from '../../../lib/store/object.ts';
import { SnapshotCache } from '../../../lib/store/snapshot-cache.ts';
import { named, thing } from '../../support/store/store-fixture.ts';

const THINGS: Collection = 'test/things';

/** One change of a journal: the object of this name, put or deleted. */
function changeOf(rv: number, name: string, { deletes = false } = {}): JournalChange {
  const before = deletes ? stateAt(rv - 1, name) : undefined;
  const entry = draftEntry(named(name), before, { body: thing(name, {}), deletes, isFamiliar: true });
  const bodies = { body: entry.body, previous: entry.previous };
  return new JournalChange(entryRow(THINGS, entry, { rv, time: 0, bodies }));
}

const stateAt = (rv: number, name: string): ObjectState => stateOf(named(name), rv, thing(name, {}));

let cache: SnapshotCache<ObjectState>;
/** What was asked of the collection. */
let asked: string[];
let pages: ListPage[];
let changes: JournalChange[];

beforeEach(() => {
  cache = new SnapshotCache({ keep: (state) => state });
  asked = [];
  pages = [];
  changes = [];
});

/** A change is answered at a time. */
const reads = {
  changes: async (after: number, upTo: number) => {
    asked.push(`changes ${after} to ${upTo}`);
    const [change] = changes.filter(({ rv }) => rv > after);
    if (change === undefined) throw new GoneError('it is compacted');
    return { upTo: change.rv, changes: [change] };
  },
  list: async function* () {
    asked.push('list');
    yield* pages;
  },
};

async function namesAt(head: number, from = reads): Promise<string[]> {
  return [...(await cache.upTo(head, from)).objects.values()].map(({ name }) => name.name);
}

describe('a cache of a whole collection', () => {
  it('reads no rows of a collection that was never written', async () => {
    expect(await namesAt(1)).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('follows every change up to the head, and reads each once', async () => {
    changes = [changeOf(2, 'a'), changeOf(3, 'b'), changeOf(4, 'a', { deletes: true })];
    expect(await namesAt(3)).toEqual(['a', 'b']);
    expect(await namesAt(4)).toEqual(['b']);
    expect(await namesAt(4)).toEqual(['b']);
    expect(asked).toEqual(['changes 1 to 3', 'changes 2 to 3', 'changes 3 to 4']);
  });

  it.each([
    ['follows', 201, 'changes 1 to 201'],
    ['lists', 202, 'list'],
  ])('%s if the head is at %d', async (_, head, first) => {
    changes = [changeOf(head, 'a')];
    pages = [{ rv: head, items: [stateAt(head, 'a')] }];
    expect(await namesAt(head)).toEqual(['a']);
    expect(asked).toEqual([first]);
  });

  it('lists again, in pages, if the changes are not available any more', async () => {
    const items = [stateAt(3, 'a'), stateAt(4, 'b')];
    pages = items.map((item) => ({ rv: 5, items: [item] }));
    expect(await namesAt(5)).toEqual(['a', 'b']);
    expect(await namesAt(5)).toEqual(['a', 'b']);
    expect(asked).toEqual(['changes 1 to 5', 'list']);
  });

  it('fails if the changes cannot be read', async () => {
    const failing = {
      ...reads,
      changes: async () => {
        throw new Error('the table is silent');
      },
    };
    await expect(namesAt(5, failing)).rejects.toThrow('the table is silent');
    expect(asked).toEqual([]);
  });

  it('lists an empty cache first if that is requested, and then follows the changes', async () => {
    cache = new SnapshotCache({ keep: (state) => state, listsFirst: true });
    pages = [{ rv: 3, items: [stateAt(3, 'a')] }];
    changes = [changeOf(4, 'b')];
    expect(await namesAt(3)).toEqual(['a']);
    expect(await namesAt(4)).toEqual(['a', 'b']);
    expect(asked).toEqual(['list', 'changes 3 to 4']);
  });

  it('keeps only what it is told to keep, and returns the same snapshot until something changes', async () => {
    const names = new SnapshotCache({ keep: ({ name }) => name.name });
    changes = [changeOf(2, 'a')];
    const first = await names.upTo(2, reads);
    expect([...first.objects.values()]).toEqual(['a']);
    expect(await names.upTo(2, reads)).toBe(first);
  });

  it('lists again if the head was set back', async () => {
    changes = [changeOf(9, 'a')];
    await namesAt(9);
    pages = [{ rv: 3, items: [stateAt(3, 'b')] }];
    expect(await namesAt(3)).toEqual(['b']);
    expect(await namesAt(3)).toEqual(['b']);
    expect(asked).toEqual(['changes 1 to 9', 'list']);
  });

  it('keeps the later of two concurrent reads', async () => {
    changes = [changeOf(2, 'a'), changeOf(3, 'b')];
    const held = Promise.withResolvers<void>();
    const slow = {
      ...reads,
      changes: async (after: number, upTo: number) => {
        await held.promise;
        return reads.changes(after, upTo);
      },
    };
    const earlier = namesAt(2, slow);
    expect(await namesAt(3)).toEqual(['a', 'b']);
    held.resolve();
    expect(await earlier).toEqual(['a']);
    asked = [];
    expect(await namesAt(3)).toEqual(['a', 'b']);
    expect(asked).toEqual([]);
  });
});
