import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../../lib/json/index.ts';
import { everyField, nothing, parseFieldSelector, parseSelector } from '../../../../lib/selectors/index.ts';
import {
  type CarriedSelector,
  LabelLimitError,
  nameKey,
  type Row,
  type Store,
  type Table,
  type TransactItem,
} from '../../../../lib/store/index.ts';
import { anchorPartition } from '../../../../lib/store/keys.ts';
import { planAnchors } from '../../../../lib/store/postings/index.ts';
import { parseAnchorRow } from '../../../../lib/store/postings/posting-row.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';
import { named, openStore, put, remove, thing } from '../../../support/store/store-fixture.ts';

const SERVICES: Collection = 'core/services';
const PODS: Collection = 'core/pods';
const START = Date.UTC(2026, 0, 1);

let now = START;
let table: Table & { requests: string[]; written: number };
let store: Store;

beforeEach(() => {
  now = START;
  table = counted(createMemoryTable());
  store = openStore(
    table,
    clockAt(() => now),
  );
});

function clockAt(time: () => number) {
  return {
    now: time,
    sleep: async () => {},
    every: () => () => {},
    deadline: () => new AbortController().signal,
  };
}

/** Counts what is asked of a table. */
function counted(inner: Table) {
  const requests: string[] = [];
  const spy = { ...inner, requests, written: 0 };
  for (const name of ['get', 'query', 'batchGet', 'update'] as const) {
    Object.assign(spy, {
      [name]: (...given: unknown[]) => {
        requests.push(name);
        return (inner[name] as (...given: unknown[]) => unknown)(...given);
      },
    });
  }
  spy.transact = (items: readonly TransactItem[], signal: AbortSignal) => {
    requests.push('transact');
    spy.written = items.length;
    return inner.transact(items, signal);
  };
  return spy;
}

/** One selector of pods; more than one of an object have other paths. */
function selecting(text: string, more: Partial<CarriedSelector> = {}): CarriedSelector {
  const selector = parseSelector(text);
  return {
    path: 'spec.selector',
    target: PODS,
    namespaces: ['default'],
    selector,
    fields: everyField,
    ...more,
  };
}

async function carry(name: string, ...selects: CarriedSelector[]): Promise<void> {
  await store.write(SERVICES, named(name), () => ({ kind: 'put', body: thing(name, {}, { now }), selects }));
}

interface Asking {
  readonly namespace?: string;
  readonly most?: number;
  readonly carriers?: ReadonlyMap<string, readonly CarriedSelector[]>;
}

async function ask(
  labels: Record<string, string>,
  { namespace = 'default', most = 100, carriers }: Asking = {},
) {
  return store.selecting(
    { target: PODS, namespace, labels },
    {
      most,
      matches: ({ selector }) => selector.matches(labels),
      readCarrier: async (_collection, name) => {
        const carried = carriers?.get(nameKey(name));
        return carried && { uid: 'read', carried };
      },
    },
  );
}

async function whoSelects(labels: Record<string, string>, asking: Asking = {}): Promise<string[]> {
  const { found } = await ask(labels, asking);
  return found.map(({ name, carried }) => `${nameKey(name)} ${carried.selector}`);
}

async function rowsAt(anchor: string, namespace = 'default'): Promise<readonly Row[]> {
  const place = { target: PODS, anchor, namespace };
  return (await table.query({ partition: anchorPartition(place), from: '!', to: '~' })).rows;
}

describe('the carriers that select an object', () => {
  it('are found by any kind of selector', async () => {
    const texts = ['app=web', 'app in (db,web)', 'app', 'app,!canary', 'tier!=db', 'app=db', 'zone', ''];
    for (const [index, text] of texts.entries()) await carry(`s${index}`, selecting(text));
    expect(await whoSelects({ app: 'web' })).toEqual([
      'default/s0 app=web',
      'default/s1 app in (db,web)',
      'default/s2 app',
      'default/s3 app,!canary',
      'default/s4 tier!=db',
      'default/s7 ',
    ]);
    expect(await whoSelects({})).toEqual(['default/s4 tier!=db', 'default/s7 ']);
  });

  it('are searched in the object’s namespace and among those for all namespaces', async () => {
    const { namespaces: _, ...everywhere } = selecting('app');
    await carry('own', selecting('app'));
    await carry('other', selecting('app', { namespaces: ['other'] }));
    await carry('all', everywhere);
    await carry('both', selecting('app', { namespaces: ['default', 'other', 'default'] }));
    expect(await whoSelects({ app: 'web' })).toEqual([
      'default/all app',
      'default/both app',
      'default/own app',
    ]);
    expect(await whoSelects({ app: 'web' }, { namespace: 'other' })).toEqual([
      'default/all app',
      'default/both app',
      'default/other app',
    ]);
    expect(await whoSelects({ app: 'web' }, { namespace: '' })).toEqual(['default/all app']);
  });

  it('are returned with everything that their postings hold', async () => {
    const fields = parseFieldSelector('status.phase=Running');
    const namespaceSelector = parseSelector('env=prod');
    await carry('s', {
      path: 'p',
      target: PODS,
      selector: parseSelector('app=web'),
      fields,
      namespaceSelector,
    });
    const { found } = await ask({ app: 'web' });
    expect(found.map(({ carried, ...one }) => ({ ...one, fields: `${carried.fields}` }))).toEqual([
      { collection: SERVICES, name: named('s'), uid: 'uid-s', fields: 'status.phase=Running' },
    ]);
    expect(`${found[0]?.carried.namespaceSelector}`).toBe('env=prod');
    expect(found[0]?.carried.namespaces).toBeUndefined();
  });

  it('cost 4 × labels + 2 queries, or 2 × labels + 1 for an object without a namespace', async () => {
    const { tally } = await ask({ a: '', b: '', c: '' });
    expect(tally).toEqual({ queries: 14, rows: 0, carriers: 0 });
    expect((await ask({ a: '', b: '', c: '' }, { namespace: '' })).tally.queries).toBe(7);
  });

  it('are refused if there are too many', async () => {
    await carry('a', selecting('app'));
    await carry('b', selecting('app'));
    await expect(ask({ app: '' }, { most: 2 })).resolves.toBeDefined();
    await expect(ask({ app: '' }, { most: 1 })).rejects.toThrow('2 selectors');
  });
});

describe('the postings of a selector', () => {
  it('are under the index term with the fewest other postings', async () => {
    for (const name of ['a', 'b', 'c']) await carry(name, selecting('app=web'));
    await carry('d', selecting('app=web,id=1'));
    expect(await rowsAt('app=web')).toHaveLength(3);
    expect(await rowsAt('id=1')).toHaveLength(1);
  });

  it('are deleted with their carrier, by every deletion', async () => {
    await carry('a', selecting('app in (x,y)'));
    await remove(store, SERVICES, 'a');
    expect([await rowsAt('app=x'), await rowsAt('app=y')]).toEqual([[], []]);
  });

  it('are deleted with the last selector, which leaves no trace in the carrier’s row', async () => {
    await carry('a', selecting('app=x'));
    await carry('a');
    expect(await rowsAt('app=x')).toEqual([]);
    const row = await table.get({ pk: `object#${SERVICES}`, sk: 'default/a' });
    expect(Object.keys(row ?? {})).not.toContain('anchors');
  });

  it('hold the namespace of their carrier', async () => {
    await carry('a', selecting('app=x'));
    const [row] = await rowsAt('app=x');
    const parsed = row && parseAnchorRow(row);
    expect(parsed).toMatchObject({ namespace: 'default', carried: { namespaces: ['default'] } });
  });

  it('do not exist for a selector that selects nothing', () => {
    const { added, rows } = planAnchors(
      [],
      [selecting('', { selector: nothing }), selecting('app=x', { path: 'other' })],
    );
    expect(added.map(({ path }) => path)).toEqual(['other']);
    expect(rows).toBe(1);
  });

  it('count as their longest possible form against the limit', () => {
    const long = `l${'o'.repeat(50)}ng`;
    const bytes = (text: string) => planAnchors([], [selecting(text)]).bytes;
    expect(bytes(`a=b,${long}=x`)).toBe(bytes(`${long}=x`));
    expect(bytes(`${long}=x,z=b`)).toBe(bytes(`${long}=x`));
  });

  it('differ for different namespace selectors', () => {
    const digest = (namespaceSelector: string) =>
      planAnchors([], [selecting('app', { namespaceSelector: parseSelector(namespaceSelector) })]).added[0]
        ?.digest;
    expect(digest('team=a')).not.toBe(digest('team=b'));
    expect(digest('')).not.toBe(planAnchors([], [selecting('app')]).added[0]?.digest);
  });

  it('stay unchanged at no cost if a write does not mention them', async () => {
    await carry('a', selecting('app=x,id=1'));
    table.requests.length = 0;
    await put(store, SERVICES, 'a', { spec: { other: true } });
    expect(table.requests).toEqual(['get', 'update', 'transact']);
    expect(table.written).toBe(2);
    expect(await whoSelects({ app: 'x', id: '1' })).toEqual(['default/a app=x,id=1']);
  });

  it('stay unchanged if a write repeats them', async () => {
    await carry('a', selecting('app=x,id=1'));
    table.requests.length = 0;
    now += 1;
    await carry('a', selecting('app=x,id=1'));
    expect(table.requests).toEqual(['get', 'update', 'transact']);
    expect(table.written).toBe(2);
  });

  it('are replaced if their content changes', async () => {
    await carry('a', selecting('app=x'));
    await carry('a', selecting('app=x,!canary'));
    expect(await rowsAt('app=x')).toHaveLength(1);
    expect(await whoSelects({ app: 'x' })).toEqual(['default/a app=x,!canary']);
    expect(await whoSelects({ app: 'x', canary: '' })).toEqual([]);
  });

  it('are at most one for an object that carries no selectors', async () => {
    await put(store, SERVICES, 'a');
    const plain = table.written;
    await carry('b', selecting('app=x'));
    expect(table.written).toBe(plain + 1);
    await carry('c');
    expect(table.written).toBe(plain);
  });
});

describe('a selector that moved', () => {
  const moved = selecting('app=y');

  beforeEach(async () => {
    await carry('a', selecting('app=x'));
    await carry('a', moved);
  });

  it('leaves a mark, and look-ups that find it read the carrier', async () => {
    const both = { app: 'x' };
    const carriers = new Map([['default/a', [selecting('app')]]]);
    expect((await rowsAt('app=x')).map((row) => row.moved)).toEqual([START]);
    expect(await whoSelects(both, { carriers })).toEqual(['default/a app']);
    expect(await whoSelects(both, { carriers: new Map([['default/a', [moved]]]) })).toEqual([]);
    expect(await whoSelects(both)).toEqual([]);
  });

  it('is found by its mark for one minute', async () => {
    now = START + 59_999;
    expect((await ask({ app: 'x' })).tally.carriers).toBe(1);
    now = START + 60_000;
    expect((await ask({ app: 'x' })).tally.carriers).toBe(0);
  });

  it('removes its mark when it comes back', async () => {
    await carry('a', selecting('app=x'));
    expect((await rowsAt('app=x')).map((row) => row.moved)).toEqual([undefined]);
    expect((await rowsAt('app=y')).map((row) => row.moved)).toEqual([START]);
    expect(await whoSelects({ app: 'x' })).toEqual(['default/a app=x']);
  });

  it('leaves a mark also if another path of its carrier selects', async () => {
    await carry('b', selecting('app=x', { path: 'one' }));
    await carry('b', selecting('app=y', { path: 'two' }));
    expect((await rowsAt('app=x')).map((row) => row.moved)).toEqual([START, START]);
    await carry('c', selecting('app=x'));
    await carry('c', selecting('app=y', { target: 'core/nodes' }));
    expect(await rowsAt('app=x')).toHaveLength(2);
  });
});

describe('a posting that would be too large', () => {
  it('of a long selector tells the reader to read the carrier', async () => {
    const long = selecting(`app notin (${Array.from({ length: 200 }, (_, at) => `value-${at}`)}),app`);
    await carry('a', long);
    const carriers = new Map([['default/a', [long]]]);
    expect(await whoSelects({ app: 'x' }, { carriers })).toEqual([`default/a ${long.selector}`]);
    expect(await whoSelects({ app: 'value-7' }, { carriers })).toEqual([]);
    expect((await ask({ app: 'x' }, { carriers })).tally.carriers).toBe(1);
  });

  it('of many namespaces is one row for all namespaces that tells the reader to read the carrier', async () => {
    const many = Array.from({ length: 17 }, (_, at) => `n${at}`);
    await carry('a', selecting('app', { namespaces: many }));
    expect(await rowsAt('app', 'n0')).toEqual([]);
    const place = { target: PODS, anchor: 'app' };
    const { rows } = await table.query({ partition: anchorPartition(place), from: '!', to: '~' });
    expect(rows.map(({ selector }) => selector)).toEqual([undefined]);
    await carry('b', selecting('app', { namespaces: many.slice(1) }));
    expect(await rowsAt('app', 'n1')).toHaveLength(1);
  });

  it('of many selectors is one row for each target that tells the reader to read the carrier', async () => {
    const many = Array.from({ length: 25 }, (_, at) => selecting(`app=v${at}`, { path: `p${at}` }));
    await carry('a', ...many.slice(0, 24));
    expect(await rowsAt('app=v0')).toHaveLength(1);
    await carry('a', ...many);
    const carriers = new Map([['default/a', [...many, selecting('', { target: 'core/nodes' })]]]);
    expect(await whoSelects({ app: 'v24' }, { carriers })).toEqual(['default/a app=v24']);
    await carry('a', ...many.slice(0, 2));
    expect(await whoSelects({ app: 'v1' })).toEqual(['default/a app=v1']);
  });

  it('counts towards the limit of what one write can index', async () => {
    const labels = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, '']));
    const write = (name: string, count: number) =>
      store.write(SERVICES, named(name), () => ({
        kind: 'put',
        body: thing(name, labels(count)),
        selects: [selecting('app in (x,y)')],
      }));
    await expect(write('fits', 94)).resolves.toBeDefined();
    await remove(store, SERVICES, 'fits');
    await expect(write('full', 95)).rejects.toThrow(LabelLimitError);
  });
});
