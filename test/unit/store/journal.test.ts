import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../lib/json/json.ts';
import { jsonSizeOf } from '../../../lib/json/json-size.ts';
import { TIMING } from '../../../lib/platform/index.ts';
import {
  draftEntry,
  type EntryDraft,
  entryRow,
  expiresAt,
  holeRow,
  JournalChange,
  type JournalEntry,
  lifetimeOf,
  parseEntry,
  relabelRow,
} from '../../../lib/store/journal.ts';
import { touchedStates } from '../../../lib/store/list/state-at.ts';
import { type ObjectState, stateOf, toObject } from '../../../lib/store/object.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import { named, thing } from '../../support/store/store-fixture.ts';

const table = createMemoryTable();
const TIME = Date.UTC(2026, 0, 1);
const state = (rv: number, body: JsonObject, name = 'a') => stateOf(named(name), rv, body);

/** The row of a journal entry whose bodies are inline. */
const rowOf = (rv: number, entry: EntryDraft) =>
  entryRow('core/pods', entry, { rv, time: TIME, bodies: { body: entry.body, previous: entry.previous } });

/** An entry as a reader sees it: drafted, written to its row and parsed. */
function change(rv: number, before: ObjectState | undefined, body: JsonObject, deletes = false, name = 'a') {
  const entry = parseEntry(rowOf(rv, draftEntry(named(name), before, { body, deletes, isFamiliar: true })));
  if (!(entry instanceof JournalChange)) throw new Error('a hole');
  return entry;
}

describe('a journal entry', () => {
  const old = thing('a', { app: 'x' }, { size: 1, gone: true });
  const current = thing('a', { app: 'y' }, { size: 2 });

  it('of a create holds the state after it, and no state before it', () => {
    const entry = change(7, undefined, current);
    expect(entry).toMatchObject({
      kind: 'change',
      rv: 7,
      type: 'ADDED',
      nameKey: 'default/a',
      relabels: true,
      time: TIME,
    });
    expect(entry.before).toBeUndefined();
    expect(entry.after).toEqual(state(7, current));
  });

  it('of an update holds the states before and after it', () => {
    const entry = change(7, state(3, old), current);
    expect(entry).toMatchObject({ type: 'MODIFIED', labels: { app: 'y' } });
    expect(entry.before).toEqual(state(3, old));
    expect(entry.after).toEqual(state(7, current));
  });

  it('of a delete holds the last state, under its own resourceVersion', () => {
    const entry = change(7, state(3, old), { ...old, status: { phase: 'Gone' } }, true);
    expect(entry).toMatchObject({ type: 'DELETED', relabels: true });
    expect(entry.before).toEqual(state(3, old));
    expect(entry.after).toBeUndefined();
    expect(entry.state).toEqual(state(7, { ...old, status: { phase: 'Gone' } }));
  });

  it.each([
    ['the same labels in another order', { b: '1', a: '2' }, { a: '2', b: '1' }, false],
    ['no labels at all', {}, {}, false],
    ['another value', { a: '1' }, { a: '2' }, true],
    ['another key', { a: '1' }, { b: '1' }, true],
    ['one more', { a: '1' }, { a: '1', b: '1' }, true],
    ['one fewer', { a: '1', b: '1' }, { a: '1' }, true],
    ['numbers as keys', { 10: 'x', 9: 'y' }, { 9: 'y', 10: 'x' }, false],
  ])('reports whether labels changed: %s', (_, before, after, expected) => {
    expect(change(7, state(3, thing('a', before)), thing('a', after)).relabels).toBe(expected);
  });

  it('compresses bodies above the size limit for plain text', () => {
    const large = thing('a', {}, { text: 'ü'.repeat(10_000) });
    const row = rowOf(
      7,
      draftEntry(named('a'), state(3, large), { body: large, deletes: false, isFamiliar: true }),
    );
    expect((row.body as Uint8Array).byteLength).toBeLessThan(500);
    expect(change(7, state(3, large), thing('a', {})).before).toEqual(state(3, large));
    expect(change(7, undefined, large).bytes).toBeLessThan(1_200);
  });

  it('expires long after it is compacted', () => {
    const ttl = expiresAt(TIME, lifetimeOf('core/pods'));
    expect(ttl * 1_000).toBeGreaterThanOrEqual(TIME + TIMING.retention + 3_600_000);
    expect(Number(holeRow('core/pods', 7, TIME).ttl)).toBeGreaterThanOrEqual(ttl);
  });

  it('decodes each state once, as long as a caller references it', () => {
    const entry = change(7, state(3, old), current);
    const [after, before] = [entry.state, entry.before];
    expect(entry.state).toBe(after);
    expect(entry.before).toBe(before);
  });

  it('takes next to nothing for a small change of a long list, and holds both states', () => {
    const list = Array.from({ length: 200 }, (_, index) => ({ [`f:field-${index * 7919}`]: {} }));
    const before = { ...old, list: [...list, 'old'] };
    const after = { ...current, list: [...list, 'new'] };
    const draft = draftEntry(named('a'), state(3, before), { body: after, deletes: false, isFamiliar: true });
    expect(draft.previous.length).toBeLessThan(200);
    const entry = parseEntry(rowOf(7, draft)) as JournalChange;
    expect([entry.state.body, entry.before?.body]).toEqual([after, before]);
  });

  it('holds the heap size of its states, as measured at the write', () => {
    const draft = draftEntry(named('a'), state(3, old), { body: current, deletes: false, isFamiliar: true });
    const row = rowOf(7, draft);
    expect(parseEntry({ ...row, heap: 12 })).toMatchObject({ heap: 12 });
    expect(parseEntry({ ...row, heap: undefined })).toMatchObject({
      heap: jsonSizeOf(current).heap + jsonSizeOf(old).heap,
    });
    expect(
      draftEntry(named('a'), undefined, { body: current, deletes: false, isFamiliar: true }).previousRv,
    ).toBe(0);
  });

  it('stores labels in the order of their keys', () => {
    const labels = { b: '1', c: '2', a: '3', 10: 'x', 9: 'y' };
    const draft = draftEntry(named('a'), undefined, {
      body: thing('a', labels),
      deletes: false,
      isFamiliar: true,
    });
    expect(draft.labels).toBe('{"9":"y","10":"x","a":"3","b":"1","c":"2"}');
  });

  it('is a hole if the writer was given up', () => {
    expect(parseEntry(holeRow('core/pods', 7, TIME))).toEqual({ kind: 'hole', rv: 7, time: TIME });
  });
});

describe('a relabel entry', () => {
  it('carries the labels, or none for a delete', () => {
    const draft = (deletes: boolean) =>
      draftEntry(named('a'), undefined, { body: thing('a', { app: 'x' }), deletes, isFamiliar: true });
    const put = relabelRow('core/pods', 7, { ...draft(false) }, TIME);
    expect(put).toMatchObject({ name: 'default/a', labels: '{"app":"x"}', time: TIME });
    expect(relabelRow('core/pods', 7, draft(true), TIME).labels).toBeUndefined();
  });
});

describe('the states that a range of the journal touches', () => {
  const v = (version: number) => thing('a', {}, { version });
  const other = thing('b', {});
  const entries: JournalEntry[] = [
    change(2, undefined, v(2)),
    change(3, undefined, other, false, 'b'),
    change(4, state(2, v(2)), v(4)),
    { kind: 'hole', rv: 5, time: TIME },
    change(6, state(4, v(4)), v(4), true),
    change(7, undefined, v(7)),
  ];
  const view = { after: 1, upTo: 7, entries };

  it.each([
    [1, undefined],
    [2, 2],
    [3, 2],
    [4, 4],
    [5, 4],
    [6, undefined],
    [7, 7],
  ])('at %i are the states of that time', (at, version) => {
    const states = touchedStates(view, at);
    expect([...states.keys()].sort()).toEqual(['default/a', 'default/b']);
    expect(states.get('default/a')?.state(table)).toEqual(version && state(version, v(version)));
    expect(states.get('default/b')?.state(table)).toEqual(at >= 3 ? state(3, other, 'b') : undefined);
  });

  it('before the range come from its first change', () => {
    const states = touchedStates({ after: 3, upTo: 7, entries: entries.slice(2) }, 3);
    expect(states.get('default/a')?.state(table)).toEqual(state(2, v(2)));
    expect(states.has('default/b')).toBe(false);
  });
});

describe('an object', () => {
  it('shows its resourceVersion to clients, or none if it has none yet', () => {
    const body = thing('a', { app: 'x' });
    expect(toObject(state(7, body))).toEqual({
      ...body,
      metadata: { ...(body.metadata as JsonObject), resourceVersion: '7' },
    });
    expect(toObject(state(0, body))).toEqual(body);
    expect(toObject(stateOf(named('a'), 7, {}))).toEqual({ metadata: { resourceVersion: '7' } });
  });

  it('has no labels and no uid if it has no metadata', () => {
    expect(stateOf(named('a'), 1, { metadata: { labels: [] } })).toMatchObject({ labels: {}, uid: '' });
  });
});
