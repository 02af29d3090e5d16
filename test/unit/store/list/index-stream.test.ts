import { beforeEach, describe, expect, it } from '@jest/globals';
import type { QueryRequest, Row, Table } from '../../../../lib/store/index.ts';
import { nameAfter, objectKey, valueKey } from '../../../../lib/store/keys.ts';
import { LabelEntries } from '../../../../lib/store/labels/index.ts';
import { IndexStream } from '../../../../lib/store/list/index-stream.ts';
import { UnionStream } from '../../../../lib/store/list/union-stream.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';

const nameOf = (index: number) => `default/n${String(index).padStart(4, '0')}`;
const COLLECTION = 'test/things';
const entry = (index: number, value: string): Row => ({
  ...objectKey(COLLECTION, nameOf(index)),
  labels: JSON.stringify({ app: value }),
  v3: valueKey(value, nameOf(index)),
});

let table: Table;
let asked: QueryRequest[];

beforeEach(() => {
  const inner = createMemoryTable();
  asked = [];
  table = {
    ...inner,
    query: (request) => {
      asked.push(request);
      return inner.query(request);
    },
  };
});

const entries = new LabelEntries(COLLECTION, 'app', 3);
const streamOf = (value: string, namespace?: string) =>
  new IndexStream({ table, entries, value, namespace, pages: { first: 10, jumped: 3 } });

async function fill(value: string, from: number, to: number, step = 1): Promise<void> {
  for (let index = from; index < to; index += step) await table.put(entry(index, value));
}

const limits = () => asked.map(({ limit }) => limit);

describe('the index stream of one value', () => {
  it('is read in pages that double in size up to a bound', async () => {
    await fill('x', 0, 1_500);
    const stream = streamOf('x');
    const names: string[] = [];
    for (let at = '!'; ; at = nameAfter(names.at(-1) ?? '')) {
      const candidate = await stream.seek(at);
      if (candidate === undefined) break;
      names.push(candidate.nameKey);
    }
    expect(names).toEqual(Array.from({ length: 1_500 }, (_, index) => nameOf(index)));
    expect(limits()).toEqual([10, 20, 40, 80, 160, 320, 400, 400, 400]);
  });

  it('is read in small pages after a jump, which grow again', async () => {
    await fill('x', 0, 100);
    const stream = streamOf('x');
    await stream.seek('!');
    expect((await stream.seek(nameOf(50)))?.nameKey).toBe(nameOf(50));
    await stream.seek(nameOf(53));
    expect(limits()).toEqual([10, 3, 3]);
    await stream.seek(nameAfter(nameOf(55)));
    expect(limits()).toEqual([10, 3, 3, 6]);
  });

  it('reports how far it has read, and how many read entries are ahead', async () => {
    await fill('x', 0, 15);
    const stream = streamOf('x');
    expect([stream.reach, stream.ended]).toEqual(['', false]);
    await stream.seek(nameOf(2));
    expect([stream.reach, stream.ended]).toEqual([nameOf(11), false]);
    expect(stream.waiting(nameOf(1))).toBe(0);
    expect(stream.waiting(nameOf(4))).toBe(3);
    expect(stream.waiting(nameOf(9_999))).toBe(10);
    expect(await stream.seek(nameOf(15))).toBeUndefined();
    expect(stream.ended).toBe(true);
  });

  it('ends at an empty page, even if the table reports more', async () => {
    const query = async () => ({ rows: [], more: true });
    table = { ...table, query };
    const stream = streamOf('x');
    expect(await stream.seek('!')).toBeUndefined();
    expect(stream.ended).toBe(true);
  });

  it('is read within one namespace only', async () => {
    await streamOf('x', 'default').seek('default/');
    expect(asked).toMatchObject([{ index: 'slot-3', from: 'x!default/', to: 'x!default0' }]);
  });
});

describe('the union stream of several values', () => {
  it('returns its candidates in the order of their names', async () => {
    await fill('x', 0, 40, 2);
    await fill('y', 1, 40, 2);
    const stream = new UnionStream([streamOf('x'), streamOf('y')]);
    for (const index of [0, 1, 2, 7, 8, 33, 39]) {
      expect((await stream.seek(nameOf(index)))?.nameKey).toBe(nameOf(index));
    }
    expect(await stream.seek(nameOf(40))).toBeUndefined();
  });

  it('has read as far as its first open stream, or completely if all have ended', async () => {
    // No object has two values of one label.
    await fill('x', 0, 5);
    await fill('y', 5, 105, 4);
    await fill('z', 6, 106, 4);
    const stream = new UnionStream([streamOf('x'), streamOf('y'), streamOf('z')]);
    expect([stream.reach, stream.ended]).toEqual(['', false]);
    await stream.seek('!');
    expect([stream.reach, stream.ended]).toEqual([nameOf(41), false]);
    expect(stream.waiting(nameOf(9))).toBe(5 + 2 + 1);
    await stream.seek(nameOf(96));
    await stream.seek('~');
    expect([stream.reach, stream.ended]).toEqual([nameOf(102), true]);
  });

  it('reads its streams concurrently', async () => {
    let underway = 0;
    let most = 0;
    const inner = table;
    table = {
      ...inner,
      query: async (request) => {
        underway += 1;
        most = Math.max(most, underway);
        await new Promise(setImmediate);
        underway -= 1;
        return inner.query(request);
      },
    };
    await new UnionStream([streamOf('x'), streamOf('y')]).seek('!');
    expect(most).toBe(2);
  });
});
