import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../../../lib/json/index.ts';
import { systemRandom as random, silentLogger, TIMING } from '../../../../../lib/platform/index.ts';
import {
  answerWatchRequest,
  createWatchCap,
  type Table,
  UnavailableError,
} from '../../../../../lib/store/index.ts';
import { createVirtualClock, type VirtualClock } from '../../../../support/clocks/virtual-clock.ts';
import { createMemoryTable } from '../../../../support/store/memory-table.ts';

const MOST = 3;
/** How long a place is kept behind the end of a watch whose function died, in ms. */
const MARGIN = 10_000;
const signal = new AbortController().signal;
let clock: VirtualClock;
let table: Table;
let puts: number;

beforeEach(() => {
  clock = createVirtualClock();
  table = slow(createMemoryTable());
  puts = 0;
});

/** A write is done some turns of the event loop after it was asked for, a read the next turn: who does not wait is late. */
function slow(given: Table): Table {
  return {
    ...given,
    query: async (...asked) => setImmediate().then(() => given.query(...asked)),
    put: async (...asked) => {
      puts += 1;
      for (let turn = 0; turn < 5; turn += 1) await setImmediate();
      return given.put(...asked);
    },
    delete: async (...asked) => {
      for (let turn = 0; turn < 5; turn += 1) await setImmediate();
      return given.delete(...asked);
    },
  };
}

const answer = (asked: JsonValue) => answerWatchRequest({ table, clock, random, most: MOST }, asked);
const take = (user: string, id: string, lasts = 60_000) => answer({ watch: { user, id, lasts } });
const cap = (ask: (asked: JsonObject) => Promise<JsonValue> = answer) =>
  createWatchCap({ most: MOST, random, logger: silentLogger, ask });

describe('the open watches of a user', () => {
  it('are limited, and each has its own permit, also if they start together', async () => {
    const answers = await Promise.all(Array.from({ length: 9 }, (_, at) => take('alice', `w${at}`)));
    const places = answers.flatMap(({ place }) => (place === undefined ? [] : [Number(place)]));
    expect(places.sort()).toEqual([0, 1, 2]);
  });

  it('are separate for each user, for every name', async () => {
    const names = ['alice', 'alice#', 'a'.repeat(5_000), '', 'é\n'];
    for (const name of names) {
      const answers = await Promise.all(['1', '2', '3', '4'].map((id) => take(name, id)));
      expect(answers.filter(({ place }) => place !== undefined)).toHaveLength(MOST);
    }
  });

  it('release their permit when they end, and only once', async () => {
    const held = await Promise.all(['1', '2', '3'].map((id) => take('alice', id)));
    const place = held[1]?.place as number;
    await answer({ watch: { user: 'alice', id: '2', place } });
    expect(await take('alice', '4')).toEqual({ place });
    await answer({ watch: { user: 'alice', id: '2', place } });
    expect(await take('alice', '5')).toEqual({});
  });

  it('release their permit after their time, even if their process died', async () => {
    for (const id of ['1', '2', '3']) await take('alice', id, 60_000);
    clock.advance(60_000 + MARGIN);
    expect([await take('alice', '4'), puts]).toEqual([{}, 3]);
    clock.advance(1);
    expect(await take('alice', '4')).not.toEqual({});
    expect(puts).toBe(4);
  });

  it('last no longer than a watch may', async () => {
    for (const id of ['1', '2', '3']) await take('alice', id, 1e12);
    clock.advance(TIMING.watch + MARGIN + 1);
    expect(await take('alice', '4')).not.toEqual({});
  });

  it('have one permit for a repeated request', async () => {
    const first = await take('alice', '1');
    expect(await take('alice', '1')).toEqual(first);
    expect(await take('alice', '2')).not.toEqual({});
    expect(await take('alice', '3')).not.toEqual({});
    expect(await take('alice', '4')).toEqual({});
  });

  it('follow a lowered limit', async () => {
    const ask = (most: number, watch: JsonObject) =>
      answerWatchRequest({ table, clock, random, most }, { watch: { user: 'alice', ...watch } });
    const held = await Promise.all(['1', '2', '3', '4', '5'].map((id) => ask(9, { id, lasts: 60_000 })));
    const open = held.map(({ place }, at) => ({ id: String(at + 1), place: Number(place) }));
    const [lowest, next, third, ...highest] = open.sort((one, other) => one.place - other.place);
    for (const gone of [lowest, next]) await ask(9, { ...gone });
    expect(await ask(2, { id: '6', lasts: 1 })).toEqual({});
    await ask(9, { ...third });
    expect(highest).toHaveLength(2);
    expect(await ask(2, { id: '6', lasts: 1 })).toEqual({});
    await ask(9, { ...highest[0] });
    expect(await ask(2, { id: '6', lasts: 1 })).not.toEqual({});
  });

  it('never exceed the limit, in any order of starts, ends and deaths', async () => {
    const step = fc.record({
      what: fc.constantFrom('come', 'go', 'die', 'wait'),
      which: fc.nat(20),
      lasts: fc.integer({ min: 0, max: 100_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 12 }), async (rounds) => {
        [clock, table] = [createVirtualClock(), slow(createMemoryTable())];
        const open = new Map<string, { place: number; until: number; lives: boolean }>();
        let count = 0;
        for (const round of rounds) {
          await Promise.all(
            round.map(async ({ what, which, lasts }) => {
              const [id, held] = [...open][which % Math.max(1, open.size)] ?? [];
              if (what === 'wait') clock.advance(lasts);
              if (what === 'come') {
                const name = `w${count++}`;
                const until = clock.now() + lasts;
                const { place } = await take('alice', name, lasts);
                if (typeof place === 'number') open.set(name, { place, until, lives: true });
              }
              if (id === undefined || held === undefined) return;
              if (what === 'die') held.lives = false;
              if (what === 'go' && held.lives) {
                open.delete(id);
                await answer({ watch: { user: 'alice', id, place: held.place } });
              }
            }),
          );
          for (const [id, { until }] of open) if (until <= clock.now()) open.delete(id);
          expect(open.size).toBeLessThanOrEqual(MOST);
          expect(new Set([...open.values()].map(({ place }) => place)).size).toBe(open.size);
        }
      }),
    );
  });

  it('are read five times if others keep taking the free permit', async () => {
    const taken: Table = {
      ...table,
      put: async () => {
        puts += 1;
        return { outcome: 'failed' };
      },
    };
    const asked = { watch: { user: 'alice', id: '1', lasts: 1 } };
    expect(await answerWatchRequest({ table: taken, clock, random, most: MOST }, asked)).toEqual({});
    expect(puts).toBe(5);
  });

  it.each<readonly [string, JsonValue]>([
    ['nothing', null],
    ['no user', { watch: { id: '1', lasts: 1 } }],
    ['no id', { watch: { user: 'alice', lasts: 1 } }],
    ['neither a place nor a time', { watch: { user: 'alice', id: '1' } }],
    ['a time that is none', { watch: { user: 'alice', id: '1', lasts: '1' } }],
    ['a time that is not whole', { watch: { user: 'alice', id: '1', lasts: 0.5 } }],
    ['a time before now', { watch: { user: 'alice', id: '1', lasts: -1 } }],
  ])('are refused for a request of %s', async (_, asked) => {
    await expect(answer(asked)).rejects.toThrow(/^no watch: /);
  });
});

describe('the watch cap of a read-only process', () => {
  it('admits as many watches as the limit, and another one for each that ends', async () => {
    const { enter, most } = cap();
    expect(most).toBe(MOST);
    const held = await Promise.all([1, 2, 3].map(() => enter('alice', 60_000, signal)));
    expect(await enter('alice', 60_000, signal)).toBeUndefined();
    await held[0]?.leave();
    expect(await enter('alice', 60_000, signal)).toBeDefined();
  });

  it('admits no watch that is not counted', async () => {
    const { enter } = cap(() => Promise.reject(new Error('fill crashed')));
    await expect(enter('alice', 60_000, signal)).rejects.toThrow(UnavailableError);
  });

  it('ends a watch even if the counter does not answer', async () => {
    let fails = false;
    const { enter } = cap((asked) => (fails ? Promise.reject(new Error('no answer')) : answer(asked)));
    const held = await enter('alice', 60_000, signal);
    fails = true;
    await expect(held?.leave()).resolves.toBeUndefined();
  });
});
