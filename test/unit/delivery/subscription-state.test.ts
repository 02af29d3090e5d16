import { beforeEach, describe, expect, it } from '@jest/globals';
import { printScope } from '../../../lib/delivery/index.ts';
import { chosen, filterOf, interestOf, selectorOf } from '../../../lib/delivery/subscription/index.ts';
import { readStates } from '../../../lib/delivery/subscription/read-states.ts';
import {
  backoff,
  beforeEdit,
  firstRow,
  parseState,
  restarted,
  updateState,
} from '../../../lib/delivery/subscription/subscription-state.ts';
import { EMPTY_DIGEST } from '../../../lib/delivery/tallies/index.ts';
import { type Collection, objectAt } from '../../../lib/json/index.ts';
import { targetResources } from '../../../lib/kubernetes/resource-types/index.ts';
import { readSubscription } from '../../../lib/kubernetes/winnow/subscription.ts';
import { nothing, parseSelector } from '../../../lib/selectors/index.ts';
import { type Row, subscriptionKey, type Table } from '../../../lib/store/index.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';

const PODS: Collection = 'core/pods';
const name = { namespace: 'default', name: 'sub' };
let table: Table;

beforeEach(() => {
  table = createMemoryTable();
});

function specOf(spec: Record<string, string> = {}) {
  return readSubscription({ spec: { resource: { group: '', resource: 'pods' }, ...spec } }, targetResources);
}

const rowOf = (spec: Record<string, string> = {}, uid = 'u') =>
  firstRow({ name, uid, spec: specOf(spec), generation: 1, queueName: 'q', head: 9 });
const stateOf = (row: Row) => parseState(row, specOf().target);

describe('the state of a new subscription', () => {
  it('a new subscription starts at the head, or with a snapshot of it', () => {
    expect(rowOf()).toMatchObject({ step: 'journal', position: 9, edit: 1 });
    expect(rowOf({ start: 'snapshot' })).toMatchObject({
      step: 'difference',
      position: 9,
      from: '',
      boundary: '',
    });
  });

  it('a new subscription starts at its named resourceVersion, but not after the head', () => {
    expect(rowOf({ start: '4' })).toMatchObject({ step: 'journal', position: 4 });
    expect(rowOf({ start: '10' })).toMatchObject({ step: 'journal', position: 9 });
  });

  it('a subscription selects in its own namespace or in all', () => {
    expect(interestOf(stateOf(rowOf()))).toMatchObject({ namespaces: ['default'] });
    expect(interestOf(stateOf(rowOf({ namespaces: 'All' })))).not.toHaveProperty('namespaces');
  });

  it('a subscription filters by fields only if it has a field selector', () => {
    const { target } = specOf();
    expect(filterOf(stateOf(rowOf()), target).matches).toBeUndefined();
    const { matches } = filterOf(stateOf(rowOf({ fieldSelector: 'status.phase=Running' })), target);
    const pod = (phase: string) => ({ name, rv: 1, uid: '', labels: {}, body: { status: { phase } } });
    expect([matches?.(pod('Running')), matches?.(pod('Pending'))]).toEqual([true, false]);
  });
});

describe('the states of a collection', () => {
  it('readStates reads all pages', async () => {
    for (const uid of ['a', 'b', 'c', 'd', 'e']) await table.put(rowOf({}, uid));
    const asked: string[] = [];
    const query: Table['query'] = (request) => {
      asked.push(request.from);
      return table.query({ ...request, limit: 2 });
    };
    const states = await readStates({ ...table, query }, specOf().target);
    expect(states.map(({ uid }) => uid)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(asked).toEqual(['!', 'b!', 'd!']);
  });

  it('readStates returns nothing for an empty page that promises more', async () => {
    const query: Table['query'] = async () => ({ rows: [], more: true });
    expect(await readStates({ ...table, query }, specOf().target)).toEqual([]);
  });
});

describe('the update of a state', () => {
  const state = { collection: PODS, uid: 'u' };
  const row = () => table.get(subscriptionKey(PODS, 'u'));

  it('an update sets the given attributes, and removes undefined ones', async () => {
    await table.put(rowOf());
    expect(await updateState(table, state, { position: 12, recall: undefined })).toBe(true);
    expect(await row()).toMatchObject({ position: 12, start: 1 });
    expect((await row())?.recall).toBeUndefined();
  });

  it('an update without undefined values removes nothing', async () => {
    await table.put(rowOf());
    const changes: unknown[] = [];
    const update: Table['update'] = (key, change) => {
      changes.push(change);
      return table.update(key, change);
    };
    await updateState({ ...table, update }, state, { position: 12 });
    expect(changes).toEqual([expect.not.objectContaining({ remove: expect.anything() })]);
  });

  it('an update fails if the row is gone or its condition does not hold', async () => {
    expect(await updateState(table, state, { position: 12 })).toBe(false);
    expect(await row()).toBeUndefined();
    await table.put(rowOf());
    const held = [{ attribute: 'position', is: '=', value: 3 } as const];
    expect(await updateState(table, state, { position: 12 }, held)).toBe(false);
    expect(await row()).toMatchObject({ position: 9 });
  });

  it('a restart raises the counters of starts and edits', () => {
    expect(restarted(stateOf(rowOf()), 'gone')).toMatchObject({
      step: 'gone',
      position: 0,
      start: 2,
      attempt: 0,
      edit: 2,
      tally: '',
    });
    expect(restarted({ ...stateOf(rowOf()), tally: '7/1/aa' }, 'gone')).toMatchObject({
      tally: EMPTY_DIGEST,
    });
  });

  it('the delay after failures doubles up to 15 minutes', () => {
    expect([0, 1, 2, 9, 10, 30].map(backoff)).toEqual([1_000, 2_000, 4_000, 512_000, 900_000, 900_000]);
  });
});

it('parseState keeps the attributes of the row', () => {
  expect(objectAt(JSON.parse(JSON.stringify(stateOf(rowOf()))))).toMatchObject({
    uid: 'u',
    collection: PODS,
    membership: 'catching-up',
  });
});

it('beforeEdit returns the selection and the number of the edit before', () => {
  const from = chosen(stateOf(rowOf({ labelSelector: 'app=x' })));
  const state = { ...stateOf(rowOf({ labelSelector: 'app=y' })), from, edit: 7 };
  expect(beforeEdit(state)).toMatchObject({ selector: 'app=x', edit: 6 });
  expect(beforeEdit({ ...state, from: '' })).toBeUndefined();
});

it('beforeEdit returns the earlier scope, and an empty scope for an old row without one', () => {
  const scope = printScope([parseSelector('team=a')]);
  const state = stateOf({ ...rowOf(), scope });
  expect(beforeEdit({ ...state, from: chosen({ ...state, scope: '["team=b"]' }) })?.scope).toBe('["team=b"]');
  const { scope: _, ...old } = JSON.parse(chosen(state));
  expect(beforeEdit({ ...state, from: JSON.stringify(old) })?.scope).toBe('');
});

describe('the selection of a subscription with a scope', () => {
  const target = specOf().target;
  const scoped = (labelSelector: string, ...scope: readonly string[]) => ({
    ...stateOf(rowOf({ labelSelector })),
    scope: printScope(scope.map((text) => parseSelector(text))),
  });

  it('different scopes give different delivery specs', () => {
    const choices = [stateOf(rowOf()), scoped(''), scoped('', 'team=a'), scoped('', 'team=a', 'team=b')];
    expect(new Set(choices.map(chosen)).size).toBe(4);
  });

  it('a scope of one selector is joined with the label selector, also in an index', () => {
    const state = scoped('app=x', 'team=a');
    expect(`${selectorOf(state)}`).toBe('app=x,team=a');
    expect(`${interestOf(state).selector}`).toBe('app=x,team=a');
    expect(`${interestOf(scoped('', 'team=a')).selector}`).toBe('team=a');
  });

  it("a scope of several selectors is not in the index's interest, but in the filter", () => {
    const state = scoped('app=x', 'team=a', 'env=dev');
    expect(`${interestOf(state).selector}`).toBe('app=x');
    const { selector } = filterOf(state, target);
    expect(selector.matches({ app: 'x', team: 'a' })).toBe(true);
    expect(selector.matches({ app: 'x', env: 'dev' })).toBe(true);
    expect(selector.matches({ app: 'x' })).toBe(false);
    expect(selector.matches({ team: 'a' })).toBe(false);
  });

  it('a scope without selectors, or with an empty one, selects nothing', () => {
    expect(selectorOf(scoped('app=x'))).toBe(nothing);
    expect(selectorOf(scoped('app=x', ''))).toBe(nothing);
    expect(interestOf(scoped('')).selector).toBe(nothing);
  });
});

it('an old row gets default values for attributes that it does not have', () => {
  const none = {
    suspended: 0,
    access: '',
    accessFailure: '',
    namespaces: '',
    namespacesFailure: '',
    scope: '',
    tally: '',
    byObject: false,
    queueArn: '',
    token: '',
    tokenSent: 0,
    stored: 0,
  };
  const row = rowOf();
  const old = Object.fromEntries(Object.entries(row).filter(([attribute]) => !(attribute in none)));
  expect(stateOf(old as Row)).toMatchObject(none);
});

describe('a row that is older than the counting of edits', () => {
  const { edit: _edit, from: _from, boundary: _boundary, recall: _recall, ...old } = rowOf();
  const read = (more: Partial<Row>) => stateOf({ ...old, ...more } as Row);

  it('an old row continues its snapshot at its place, or begins it at its position', () => {
    const under = read({ step: 'snapshot', start: 3, snapshot: 7, snapshotAfter: 'default/a', position: 0 });
    expect(under).toMatchObject({
      step: 'difference',
      position: 7,
      boundary: 'default/a',
      edit: 3,
      from: '',
    });
    const before = read({ step: 'snapshot', snapshot: 0, snapshotAfter: '', position: 5 });
    expect(before).toMatchObject({ step: 'difference', position: 5, boundary: '' });
  });

  it('an old row continues with the journal', () => {
    const state = read({ step: 'journal', start: 2, snapshot: 7, snapshotAfter: 'default/a', position: 5 });
    expect(state).toMatchObject({ step: 'journal', position: 5, boundary: '', edit: 2, recall: '' });
  });
});
