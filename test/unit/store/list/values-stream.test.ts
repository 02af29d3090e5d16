import { beforeEach, describe, expect, it } from '@jest/globals';
import { parseSelector, type Requirement } from '../../../../lib/selectors/index.ts';
import type { QueryRequest } from '../../../../lib/store/index.ts';
import { nameAfter } from '../../../../lib/store/keys.ts';
import { LabelEntries } from '../../../../lib/store/labels/index.ts';
import type { CandidateStream } from '../../../../lib/store/list/candidate-stream.ts';
import { ValuesStream } from '../../../../lib/store/list/values-stream.ts';
import { type Labelled, labelTable } from '../../../support/store/label-table.ts';

const COLLECTION = 'test/things';
const nameOf = (index: number) =>
  `${index % 4 === 3 ? 'other' : 'default'}/n${String(index).padStart(5, '0')}`;

let asked: QueryRequest[];
beforeEach(() => {
  asked = [];
});

interface Opening {
  readonly objects: number;
  /** The value of `size` of each object. */
  readonly value: (index: number) => string;
  readonly selector?: string;
  readonly namespace?: string;
}

/** A stream over objects, and the names that it is to give. */
async function streamOf({ objects, value, selector = 'size', namespace }: Opening) {
  const all: Labelled[] = Array.from({ length: objects }, (_, index) => ({
    name: nameOf(index),
    labels: { size: value(index) },
  }));
  const { table } = await labelTable(COLLECTION, all);
  const stream = new ValuesStream({
    table: {
      ...table,
      query: (request) => {
        asked.push(request);
        return table.query(request);
      },
    },
    entries: new LabelEntries(COLLECTION, 'size', 0),
    namespace,
    pages: { first: 10, jumped: 3 },
    requirement: parseSelector(selector).requirements[0] as Requirement,
  });
  const due = all
    .filter(({ name, labels }) => name.startsWith(namespace ?? '') && parseSelector(selector).matches(labels))
    .map(({ name }) => name)
    .sort();
  return { stream, due };
}

async function namesOf(stream: CandidateStream, from = '!'): Promise<string[]> {
  const names: string[] = [];
  for (let at = from; ; at = nameAfter(names.at(-1) ?? '')) {
    const candidate = await stream.seek(at);
    if (candidate === undefined) return names;
    names.push(candidate.nameKey);
  }
}

const rowsAsked = () => asked.reduce((sum, { limit = 0 }) => sum + limit, 0);
const modulo = (by: number) => (index: number) => `v${String(index % by).padStart(5, '0')}`;

describe('the stream of a requirement on many values', () => {
  it.each<[string, Opening, unknown]>([
    ['few entries are sorted', { objects: 24, value: modulo(24) }, { how: 'sorted', count: 24 }],
    ['and few values of few entries', { objects: 24, value: modulo(3) }, { how: 'sorted', count: 24 }],
    ['few values are read side by side', { objects: 600, value: modulo(3) }, { how: 'values', count: 3 }],
    ['sixteen values as well', { objects: 600, value: modulo(16) }, { how: 'values', count: 16 }],
    ['the empty value is one', { objects: 600, value: () => '' }, { how: 'values', count: 1 }],
    [
      'many values of some entries are sorted',
      { objects: 900, value: modulo(17) },
      { how: 'sorted', count: 900 },
    ],
    [
      'of all values those that meet it',
      { objects: 400, value: (index) => String(index % 9), selector: 'size>5' },
      { how: 'values', count: 3 },
    ],
    [
      'there may be none',
      { objects: 400, value: modulo(9), selector: 'size<5' },
      { how: 'values', count: 0 },
    ],
    [
      'a namespace narrows each value',
      { objects: 400, value: modulo(5), namespace: 'other' },
      { how: 'values', count: 5 },
    ],
    [
      'and what is sorted',
      { objects: 400, value: modulo(200), namespace: 'other' },
      { how: 'sorted', count: 400 },
    ],
    [
      'and what is sorted, where another namespace follows',
      { objects: 400, value: modulo(200), namespace: 'default' },
      { how: 'sorted', count: 400 },
    ],
  ])('returns its entries in the order of names: %s', async (_, opening, read) => {
    const { stream, due } = await streamOf(opening);
    expect(stream.state).toBe('dormant');
    const { namespace } = opening;
    expect(await namesOf(stream, namespace === undefined ? '!' : `${namespace}/`)).toEqual(due);
    expect(stream.state).toBe('open');
    expect(stream.ended).toBe(true);
    expect(stream.read).toEqual(read);
  });

  it('starts at a given name', async () => {
    for (const values of [3, 300]) {
      const { stream, due } = await streamOf({ objects: 600, value: modulo(values) });
      const from = due[250] ?? '';
      expect(await namesOf(stream, from)).toEqual(due.slice(250));
    }
  });

  it('is blind if there are too many entries and values: it returns nothing, and stops reading at a bound', async () => {
    const { stream } = await streamOf({ objects: 5_001, value: modulo(17) });
    expect(await stream.seek('!')).toBeUndefined();
    expect([stream.state, stream.ended, stream.reach]).toEqual(['blind', false, '']);
    expect(stream.read).toEqual({ how: 'too-many', count: 5_000 });
    expect(rowsAsked()).toBeLessThanOrEqual(17 * 25 + 5_000);
    asked = [];
    expect(await stream.seek('!')).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('is complete up to the bound', async () => {
    const { stream, due } = await streamOf({ objects: 4_999, value: modulo(17) });
    expect(await namesOf(stream)).toEqual(due);
  });

  it('probes by skipping past each value, however many objects have it', async () => {
    const { stream } = await streamOf({ objects: 2_000, value: modulo(4) });
    await stream.look();
    expect(asked.map(({ from, limit }) => [from, limit])).toEqual([
      ['!', 25],
      ['v00000"', 25],
      ['v00001"', 25],
      ['v00002"', 25],
      ['v00003"', 25],
    ]);
    expect(stream.state).toBe('open');
  });

  it('is left for sorting after too many probes, whatever values match', async () => {
    const { stream } = await streamOf({ objects: 1_200, value: modulo(40), selector: 'size<5' });
    await stream.look();
    expect(asked).toHaveLength(17);
    expect(stream.state).toBe('dormant');
    await stream.sort('!');
    expect([stream.state, await stream.seek('!')]).toEqual(['open', undefined]);
  });

  it('is not sorted beyond a number of pages, however few entries they have', async () => {
    const { stream } = await streamOf({ objects: 300, value: modulo(100) });
    const entries = { labels: '{"size":"1"}' };
    const endless = async ({ from }: QueryRequest) => {
      asked.push({ partition: '', from, to: '' });
      return { rows: [{ pk: '', sk: '', v0: `${from}!n`, ...entries }], more: true };
    };
    const { table } = await labelTable(COLLECTION, []);
    const blind = new ValuesStream({
      table: { ...table, query: endless },
      entries: new LabelEntries(COLLECTION, 'size', 0),
      namespace: undefined,
      pages: { first: 10, jumped: 3 },
      requirement: parseSelector('size').requirements[0] as Requirement,
    });
    await blind.sort('!');
    expect(asked).toHaveLength(4);
    expect(blind.state).toBe('blind');
    expect(stream.state).toBe('dormant');
  });
});
