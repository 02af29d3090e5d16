import { expect, it } from '@jest/globals';
import type { Collection } from '../../../../lib/json/index.ts';
import { type Random, silentLogger, TIMING } from '../../../../lib/platform/index.ts';
import { everything } from '../../../../lib/selectors/index.ts';
import { restoreTable } from '../../../../lib/server/restore/index.ts';
import { createStore, type Key, type ObjectState, type Store } from '../../../../lib/store/index.ts';
import { OwnedClock } from '../../../support/clocks/owned-clock.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';
import { named, put, remove } from '../../../support/store/store-fixture.ts';
import { RecordedTable, type TornCopy } from '../../../support/store/torn-copy.ts';
import { seeded } from '../../../support/watch/memory-world.ts';

const COLLECTION: Collection = 'core/configmaps';
const NAMES = ['a', 'b'];
/** The lengths of bodies: in rows, alone in a row, and in chunk rows. */
const LENGTHS = [10, 900, 3_000, 3_000, 3_000];
const SEEDS = Number(process.env.WINNOW_TORN_COPIES ?? 60);

/** Objects that are written, with the states that each had while the table was copied. */
class Life {
  readonly clock = new OwnedClock();
  readonly recorded = new RecordedTable(createMemoryTable());
  readonly store: Store;
  readonly #random: Random;
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
    this.store = this.storeOf(this.recorded.table);
  }

  storeOf(table: RecordedTable['table']): Store {
    const { clock } = this;
    return createStore({ table, clock, random: this.#random, logger: silentLogger, mostRowBytes: 1_500 });
  }

  async write(name: string): Promise<void> {
    this.#count += 1;
    if (this.#random.fraction() < 0.15 && (await this.stateOf(name)) !== undefined) {
      await remove(this.store, COLLECTION, name);
      return;
    }
    const length = LENGTHS[Math.floor(this.#random.fraction() * LENGTHS.length)] ?? 0;
    const text = Array.from({ length: length / 10 }, () => this.#random.suffix(10)).join('');
    await put(this.store, COLLECTION, name, { labels: { n: String(this.#count) }, spec: { text } });
  }

  stateOf(name: string): Promise<ObjectState | undefined> {
    return this.store.get(COLLECTION, named(name));
  }

  async restore({ table, scan }: TornCopy, id: string) {
    const { clock } = this;
    const outside = { clock, random: this.#random, logger: silentLogger };
    return clock.during(restoreTable({ ...outside, id, table, scan, say: () => {} }));
  }
}

/** A state in short: the number of the write, and the length of its text. */
const told = (state: ObjectState | undefined): string =>
  state === undefined ? 'nothing' : `${state.labels.n} with ${JSON.stringify(state.body).length}`;

/** What is wrong after a restore of a copy that was taken during some writes. */
async function wrongAfterRestore(seed: number): Promise<{ wrong: string[]; fell: number }> {
  const random = seeded(seed);
  const life = new Life(random);
  for (let step = 0; step < 4; step += 1) {
    for (const name of NAMES) await life.write(name);
    // Entries of the earliest writes are too old for a restore to look at.
    life.clock.advance(TIMING.torn / 3);
  }
  if (random.fraction() < 0.5) life.clock.advance(2 * TIMING.torn);
  const from = life.recorded.log.length;
  const states = new Map(NAMES.map((name) => [name, [] as string[]]));
  const note = async (name: string) => states.get(name)?.push(told(await life.stateOf(name)));
  for (const name of NAMES) await note(name);
  for (let step = 0; step < 3; step += 1) {
    const name = NAMES[Math.floor(random.fraction() * NAMES.length)] ?? 'a';
    await life.write(name);
    await note(name);
    life.clock.advance(200);
  }
  const upTo = life.recorded.log.length;
  const lags = ({ pk }: Key) =>
    pk.startsWith('chunk#') || (pk.startsWith('journal#') && random.fraction() < 0.5);
  const copy = await life.recorded.copy(random, from, upTo, lags);
  const { found } = await life.restore(copy, 'copy');
  const again = await life.restore(copy, 'again');
  const restored = life.storeOf(copy.table);
  const wrong: string[] = [];
  const expectIn = (what: string, is: string, were: readonly string[]) => {
    if (!were.includes(is)) wrong.push(`${what} is ${is}, and was ${were.join(', ')}`);
  };
  const { items } = await life.clock.during(restored.list(COLLECTION, { selector: everything }));
  for (const name of NAMES) {
    const is = await restored.get(COLLECTION, named(name));
    expectIn(name, told(is), states.get(name) ?? []);
    expectIn(`${name} in the list`, told(items.find((one) => one.name.name === name)), [told(is)]);
    const reading = restored.historyOf(COLLECTION, { name: named(name), all: true, limit: 100 });
    const { changes, end } = await life.clock.during(reading);
    if (end === undefined) wrong.push(`the history of ${name} has no end`);
    const [newest] = changes;
    if (is !== undefined && newest !== undefined) {
      expectIn(`the end of ${name}`, told(newest.after), [told(is)]);
    }
  }
  const request = { entries: 1_000, bytes: Number.POSITIVE_INFINITY };
  await life.clock.during(restored.changesBack(COLLECTION, request));
  if (Object.entries(again.found).some(([what, count]) => what !== 'looks owed' && count > 0)) {
    wrong.push(`the second restore repaired ${JSON.stringify(again.found)}`);
  }
  return { wrong, fell: found['fell back'] ?? 0 };
}

it('a copy that lacks chunks gives each object a state that it had while the copy was taken', async () => {
  let fell = 0;
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const outcome = await wrongAfterRestore(seed);
    expect({ seed, wrong: outcome.wrong }).toEqual({ seed, wrong: [] });
    fell += outcome.fell;
  }
  expect(fell).toBeGreaterThan(SEEDS / 10);
});
