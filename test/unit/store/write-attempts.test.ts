import { describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../lib/json/index.ts';
import { TIMING } from '../../../lib/platform/index.ts';
import { ContentionError, type Mutation, type Table } from '../../../lib/store/index.ts';
import { Gauge } from '../../support/gauge.ts';
import { createMemoryStore } from '../../support/store/memory-store.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import { named, thing } from '../../support/store/store-fixture.ts';

const COLLECTION: Collection = 'test/things';
const NAME = named('a');

/** A store of one object that tells what its table was asked, and how many requests were under way at once. */
async function createAsked() {
  const table = createMemoryTable();
  const asked: string[] = [];
  const gauge = new Gauge();
  const slowly = <Answer>(what: string, answer: () => Promise<Answer>): Promise<Answer> => {
    asked.push(what);
    return gauge.slowly(1, answer);
  };
  const counting: Table = {
    ...table,
    query: (request) => slowly(`looks at ${request.partition}`, () => table.query(request)),
    update: (...request) => slowly('allots', () => table.update(...request)),
    transact: (...request) => slowly('writes', () => table.transact(...request)),
  };
  const memory = createMemoryStore(counting);
  await memory.store.write(COLLECTION, NAME, () => put());
  gauge.most = 0;
  return {
    ...memory,
    gauge,
    /** What a write asks, each attempt of which is changed as `change` says. */
    async write(change: (attempt: number) => Mutation): Promise<string[]> {
      asked.length = 0;
      let attempt = 0;
      await memory.clock.during(
        memory.store.write(COLLECTION, NAME, () => {
          attempt += 1;
          return change(attempt);
        }),
      );
      return [...asked];
    },
  };
}

const put = (more: { readonly after?: number } = {}): Mutation => ({
  kind: 'put',
  body: thing('a', {}),
  ...more,
});

describe('a write', () => {
  it('checks for dependents only if it deletes, while its resourceVersion is being allotted', async () => {
    const { gauge, write } = await createAsked();
    expect(await write(() => put())).toEqual(['allots', 'writes']);
    expect(gauge.most).toBe(1);
    const body = thing('a', {});
    expect(await write(() => ({ kind: 'delete', body }))).toEqual([
      ...['allots', 'looks at owner#uid-a', 'writes'],
    ]);
    expect(gauge.most).toBe(2);
  });

  it('gives up its resourceVersion if the decision took too long, and decides again', async () => {
    const { clock, write } = await createAsked();
    const late = TIMING.grace - TIMING.transaction + 1;
    const change = (attempt: number) => {
      if (attempt === 1) clock.advance(late);
      return put();
    };
    expect(await write(change)).toEqual(['allots', 'allots', 'writes']);
  });

  it('with `after` is the very next change, or is decided again', async () => {
    const { store, write } = await createAsked();
    expect(await write(() => put({ after: 2 }))).toEqual(['allots', 'writes']);
    const attempts = await write((attempt) => put({ after: attempt === 1 ? 1 : 4 }));
    expect(attempts).toEqual(['allots', 'allots', 'writes']);
    expect(await store.head(COLLECTION)).toBe(5);
    await expect(write(() => put({ after: 1 }))).rejects.toThrow(ContentionError);
  });

  it('deletes an object with many labels and no dependents', async () => {
    const { store, write } = await createAsked();
    const labels = Object.fromEntries(Array.from({ length: 96 }, (_, at) => [`l${at}`, 'x']));
    const body = thing('a', labels);
    await write(() => ({ kind: 'put', body }));
    await write(() => ({ kind: 'delete', body }));
    expect(await store.get(COLLECTION, NAME)).toBeUndefined();
  });
});
