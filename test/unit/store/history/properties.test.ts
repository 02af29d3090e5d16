import { describe, expect, it } from '@jest/globals';
import { TIMING } from '../../../../lib/platform/index.ts';
import {
  type ChangesBackPage,
  expiresAt,
  type HistoryPage,
  type HistoryRequest,
  type JournalChange,
} from '../../../../lib/store/index.ts';
import { type Happened, PAST, RandomPast } from '../../../support/store/random-past.ts';
import { named } from '../../../support/store/store-fixture.ts';

const SEEDS = Number(process.env.WINNOW_SEEDS ?? 10);
const seeds = Array.from({ length: SEEDS }, (_, seed) => seed);

const spelled = ({ rv, type, before, after }: Happened) => JSON.stringify([rv, type, before, after]);
const told = ({ rv, type, before, after }: JournalChange) =>
  JSON.stringify([rv, type, before?.body, after?.body]);

async function past(seed: number): Promise<RandomPast> {
  const one = new RandomPast(seed);
  await one.live(80);
  return one;
}

/** All pages of an object's history, each of a few changes. */
async function historyOf({ store }: RandomPast, name: string, all: boolean, limit: number) {
  const pages: HistoryPage[] = [];
  for (let from: HistoryRequest['from']; ; from = pages.at(-1)?.next) {
    const page = await store.historyOf(PAST, { name: named(name), all, limit, from });
    expect([page.next, page.end].filter((one) => one !== undefined)).toHaveLength(1);
    pages.push(page);
    if (page.end !== undefined) break;
  }
  return { changes: pages.flatMap(({ changes }) => changes), end: pages.at(-1)?.end, first: pages[0] };
}

/** What history shows of a change, or why it ends before. */
function stateOf({ clock, floor }: RandomPast, { rv, isLinked, time }: Happened) {
  if (rv <= floor) return 'Redefined';
  const isExpired = expiresAt(time, TIMING.expiry) * 1000 <= clock.now();
  if (isExpired) return 'Expired';
  return isLinked ? 'shown' : 'Missing';
}

/** The newest two lives of a name, newest change first, as far as history reaches; and why it ends. */
function expected(one: RandomPast, name: string) {
  const own = one.happened.filter((change) => change.name === name).reverse();
  const changes: Happened[] = [];
  let creates = own[0]?.type === 'DELETED' ? 1 : 0;
  for (const change of own) {
    // Without its tombstone, nothing says that there was a former life.
    const state = stateOf(one, change);
    const isForgotten = change.type === 'DELETED' && state !== 'Missing';
    if (state !== 'shown') return { changes, isCreated: isForgotten && changes.length > 0 };
    changes.push(change);
    if (change.type === 'ADDED') creates += 1;
    if (creates === 2) return { changes, isCreated: true };
  }
  return { changes, isCreated: changes.length > 0 };
}

describe.each(seeds)('seed %i', (seed) => {
  it("an object's whole history is each of its changes once, with both states, newest first", async () => {
    const one = await past(seed);
    for (const name of one.names) {
      const { changes, end, first } = await historyOf(one, name, true, 1 + (seed % 7));
      const { changes: own, isCreated } = expected(one, name);
      expect(changes.map(told)).toEqual(own.map(spelled));
      expect(end === 'Created').toBe(isCreated);
      expect(first?.present?.rv).toBe((await one.store.get(PAST, named(name)))?.rv);
    }
  });

  it('history leaves out exactly the changes of status and managedFields alone', async () => {
    const one = await past(seed);
    for (const name of one.names) {
      const { changes, end } = await historyOf(one, name, false, 1 + (seed % 5));
      const { changes: own, isCreated } = expected(one, name);
      expect(changes.map(told)).toEqual(own.filter(({ isMain }) => isMain).map(spelled));
      expect(end === 'Created').toBe(isCreated);
    }
  });

  it.each([
    ['with all changes', true],
    ['without those of the status', false],
  ])('each change of a history %s names the one before, or the page says why not', async (_, all) => {
    const one = await past(seed);
    for (const name of one.names) {
      const { changes } = await historyOf(one, name, all, 50);
      for (const [at, { type, previousRv, previousMain, isLinked }] of changes.entries()) {
        expect(isLinked).toBe(true);
        const next = changes[at + 1];
        if (next === undefined || type === 'ADDED' || (!all && previousMain === 0)) continue;
        expect(all ? previousRv : previousMain).toBe(next.rv);
      }
    }
  });

  it('the changes of a collection are all that the journal still shows, newest first', async () => {
    const one = await past(seed);
    const shown = one.happened
      .slice(one.happened.findLastIndex((change) => stateOf(one, change) !== 'shown') + 1)
      .reverse();
    const pages: ChangesBackPage[] = [];
    for (let upTo: number | undefined; ; upTo = pages.at(-1)?.next) {
      const request = { upTo, entries: 1 + (seed % 13), bytes: 1_000 + 500 * (seed % 5) };
      pages.push(await one.store.changesBack(PAST, request));
      if (pages.at(-1)?.end !== undefined) break;
    }
    expect(pages.flatMap(({ changes }) => changes).map(told)).toEqual(shown.map(spelled));
  });

  it('the resourceVersion of a time is that of the newest change by then', async () => {
    const one = await past(seed);
    const { compacted } = await one.store.watermarks(PAST);
    const young = one.happened.filter(({ rv }) => rv > compacted);
    for (const { rv, time } of young) {
      const found = await one.store.versionAt(PAST, time);
      const later = young.find((change) => change.time > time)?.rv ?? Number.POSITIVE_INFINITY;
      expect(found).toBeGreaterThanOrEqual(rv);
      expect(found).toBeLessThan(later);
    }
  });
});
