import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Labels, parseSelector } from '../../../../lib/selectors/index.ts';
import { measuredTable, noReadCost } from '../../../../lib/store/index.ts';
import { nameAfter } from '../../../../lib/store/keys.ts';
import { planCandidates } from '../../../../lib/store/list/candidates.ts';
import { uncounted } from '../../../../lib/store/list-reads.ts';
import { type Labelled, type LabelTable, labelTable } from '../../../support/store/label-table.ts';

const COLLECTION = 'test/things';
const SELECTORS = [
  ...['app=x', 'app', 'app in (x,y,z)', 'app=x,tier=y', 'app in (x,z),tier=y', 'app,tier', 'app=x,app=y'],
  ...['app=x,tier=y,zone', 'app,tier=y,zone in (a,b),size', 'app=x,!tier', 'size>3,tier', 'none', 'app,none'],
];

/** Labels in runs, as objects of one deployment or one team have them, so that there is something to skip. */
const labels: fc.Arbitrary<Labels> = fc.record(
  {
    app: fc.constantFrom('x', 'y', 'z'),
    tier: fc.constantFrom('x', 'y'),
    zone: fc.constantFrom('a', 'b', 'c'),
    size: fc.constantFrom('1', '5', '9'),
  },
  { requiredKeys: [] },
);
const run = fc.record({
  labels,
  length: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 30, max: 150 })),
});

const nameOf = (index: number) => `default/n${String(index).padStart(6, '0')}`;

async function namesFound(
  { table, locate }: LabelTable,
  selector: string,
  from: string,
): Promise<string[] | undefined> {
  const plan = await planCandidates({
    reads: uncounted(table),
    collection: COLLECTION,
    locate,
    namespace: undefined,
    selector: parseSelector(selector),
    from,
  });
  if (plan === 'nothing') return [];
  if (plan?.stream === undefined) return undefined;
  const names: string[] = [];
  for (let position = from; ; ) {
    const candidate = await plan.stream.seek(position);
    if (candidate === undefined) return names;
    names.push(candidate.nameKey);
    position = nameAfter(candidate.nameKey);
  }
}

describe('the candidates of a selector', () => {
  it('are those that a check of every object finds, from any name on', async () => {
    const selectors = fc.constantFrom(...SELECTORS);
    const property = fc.asyncProperty(
      fc.array(run, { minLength: 1, maxLength: 14 }),
      selectors,
      fc.integer({ min: 0, max: 16 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (runs, selector, taken, part) => {
        const all = runs.flatMap(({ labels, length }) => Array.from({ length }, () => labels));
        const entries = all.map((labels, index) => ({ name: nameOf(index), labels }));
        const from = nameOf(Math.floor(part * part * entries.length));
        const expected = entries
          .filter(({ name, labels }) => name >= from && parseSelector(selector).matches(labels))
          .map(({ name }) => name);
        const others = Array.from({ length: taken }, (_, slot) => `taken-${slot}`);
        const table = await labelTable(COLLECTION, entries, others);
        expect(await namesFound(table, selector, from)).toEqual(expected);
      },
    );
    await fc.assert(property, { numRuns: 150 });
  });

  it('are unknown if the selector has only negative requirements', async () => {
    expect(await namesFound(await labelTable(COLLECTION, []), '!app,tier!=x', '!')).toBeUndefined();
  });
});

describe('the number of index rows that a search reads', () => {
  const entriesOf = (count: number, labelsOf: (index: number) => Labels) =>
    Array.from({ length: count }, (_, index) => ({ name: nameOf(index), labels: labelsOf(index) }));

  async function rowsRead(entries: readonly Labelled[], selector: string) {
    const tally = noReadCost();
    const { table, locate } = await labelTable(COLLECTION, entries);
    const found = await namesFound({ table: measuredTable(table, tally), locate }, selector, '!');
    const matching = entries.filter(({ labels }) => parseSelector(selector).matches(labels));
    expect(found).toEqual(matching.map(({ name }) => name));
    return tally.rows;
  }

  /** Each carries the labels of all of its kinds; the kind that is rarest bounds what is read. */
  const spread: Record<string, { selector: string; sparsest: number; labels: (index: number) => Labels }> = {
    'a dense and a sparse requirement': {
      selector: 'app=x,rare=',
      sparsest: 80,
      labels: (index) => ({ app: 'x', ...(index % 50 === 3 && { rare: '' }) }),
    },
    'a dense and a sparse requirement that never meet': {
      selector: 'app=x,rare=',
      sparsest: 400,
      labels: (index): Labels => (index % 10 === 3 ? { rare: '' } : { app: 'x' }),
    },
    'one that is sparse at first, beside one that is sparse from then on': {
      selector: 'app=x,rare=',
      sparsest: 485,
      labels: (index): Labels =>
        (index % (index < 300 ? 10 : 20) === 7) === index < 300 ? { app: 'x' } : { rare: '' },
    },
    'four requirements': {
      selector: 'a=1,b=1,c=1,d=1',
      sparsest: 200,
      labels: (index) => ({
        ...(index % 2 > 0 && { a: '1' }),
        ...(index % 3 > 0 && { b: '1' }),
        ...(index % 4 > 0 && { c: '1' }),
        ...(index % 20 === 4 && { d: '1' }),
      }),
    },
    'a list of sixteen values beside a sparse requirement': {
      selector: `app in (${Array.from({ length: 16 }, (_, value) => `v${value}`).join()}),rare=`,
      sparsest: 40,
      labels: (index) => ({ app: `v${index % 16}`, ...(index % 100 === 7 && { rare: '' }) }),
    },
  };

  it.each(Object.entries(spread))(
    'for "%s" stays near the sparsest requirement',
    async (_, { selector, sparsest, labels }) => {
      const entries = entriesOf(4_000, labels);
      expect(await rowsRead(entries, selector)).toBeLessThanOrEqual(1.2 * sparsest + 100);
    },
  );

  describe('for a requirement on many values and one on a single value', () => {
    const objects = (every: number, value: (index: number) => string) =>
      entriesOf(4_000, (index) => ({ app: 'x', ...(index % every === 3 && { rare: value(index) }) }));

    it('stays near the sparser one if it has few values', async () => {
      const entries = objects(50, (index) => `v${index % 3}`);
      expect(await rowsRead(entries, 'app=x,rare')).toBeLessThanOrEqual(1.2 * 80 + 200);
    });

    it('is small if the single value is on few objects', async () => {
      const entries = objects(400, (index) => `v${index}`);
      expect(await rowsRead(entries, 'rare=v3,app')).toBe(1);
    });

    it('is all of the sparser one if it has many values, after a thousand objects of the other did not match', async () => {
      const entries = objects(50, (index) => `v${index}`);
      // Four looks, what the first one read until then in pages of twice the size, seventeen looks, and all entries.
      const looks = 4 * 25;
      const pages = 25 + 50 + 100 + 200 + 400 + 400;
      const read = await rowsRead(entries, 'app=x,rare');
      expect(read).toBeGreaterThan(1_000);
      expect(read).toBeLessThanOrEqual(looks + pages + 17 * 25 + 80);
    });

    it('is bounded if both requirements have too many entries', async () => {
      const entries = entriesOf(8_000, (index) => ({ app: index < 7_990 ? 'x' : 'y', id: `i${index}` }));
      const read = await rowsRead(entries, 'app=x,id,!none');
      expect(read).toBeLessThanOrEqual(4 * 25 + 7_990);
      const none = await rowsRead(entries, 'app=x,id>5');
      expect(none).toBeLessThanOrEqual(4 * 25 + 7_990 + 17 * 25 + 5_000);
    });
  });

  it('for two requirements in long runs is a fraction of either', async () => {
    const entries = entriesOf(
      4_000,
      (index): Labels => (Math.floor(index / 500) % 2 ? { app: 'x' } : { tier: 'y' }),
    );
    expect(await rowsRead(entries, 'app=x,tier=y')).toBeLessThan(600);
  });
});
