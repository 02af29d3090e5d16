import type { Collection, JsonObject } from '../../../lib/json/index.ts';
import { type Random, silentLogger } from '../../../lib/platform/index.ts';
import { everything, parseSelector } from '../../../lib/selectors/index.ts';
import { restoreTable } from '../../../lib/server/restore/index.ts';
import {
  createStore,
  dependentsOf,
  eachPage,
  type JournalChange,
  nameKey,
  type ObjectState,
  ownerReferencesOf,
  parseJournalKey,
  readRestoreProgress,
  type Store,
} from '../../../lib/store/index.ts';
import { parseEntry } from '../../../lib/store/journal.ts';
import { journalKey } from '../../../lib/store/keys.ts';
import { OwnedClock } from '../clocks/owned-clock.ts';
import { Consumer } from '../service/consumer.ts';
import { KilledError, RecordedTable, type TornCopy } from '../store/torn-copy.ts';
import { createMemoryQueues } from './memory-queues.ts';
import { seeded } from './memory-world.ts';
import { IN, KEYS, NAMES, SUBSCRIBED, TornLoad } from './torn-load.ts';
import { PODS, WatchWorld } from './watch-world.ts';

const SERVICES: Collection = 'core/services';
const SETS: Collection = 'apps/replicasets';
const FLEETS: Collection = 'example.com/fleets';
const LOOKED_AT = [PODS, SERVICES, SETS, FLEETS];
/** A service that is copied while it is written to, lost, and restored from the copy. */
export class TornLife {
  readonly random: Random;
  readonly #clock = new OwnedClock();
  readonly #queues = createMemoryQueues();
  readonly #recorded = new RecordedTable();
  /** By the URL of the queue. */
  readonly #consumers = new Map<string, Consumer>();
  readonly #load: TornLoad;
  /** So small that most bodies are in chunk rows, some are in rows, and some are alone in theirs. */
  readonly #mostRowBytes: number;
  #world: WatchWorld | undefined;

  constructor(seed: number) {
    this.random = seeded(seed);
    this.#mostRowBytes = seed % 2 === 0 ? 390_000 : 100 + Math.floor(this.random.fraction() * 800);
    this.#load = new TornLoad({ clock: this.#clock, random: this.random, world: () => this.#present() });
  }

  /** Lives for some steps, is copied within the last of them, and lives on until it is lost. Answers what is wrong. */
  async run(steps: number): Promise<readonly string[]> {
    const world = await this.#newWorld(this.#recorded.table);
    this.#world = world;
    await this.#load.begin();
    for (let step = 0; step < steps; step += 1) await this.#load.act();
    const from = this.#recorded.log.length;
    for (let step = 0; step < 6; step += 1) await this.#load.act();
    const upTo = this.#recorded.log.length;
    const copy = await this.#recorded.copy(this.random, from, upTo);
    for (let step = 0; step < 6; step += 1) await this.#load.act();
    const heads = await this.#heads(world.store);
    for (const name of SUBSCRIBED) {
      // A queue of another URL has another consumer.
      this.#consumers.set(await world.queueOf(name), await world.consume(name));
    }
    this.#clock.advance(90_000);
    await this.#restore(copy);
    const restored = await this.#newWorld(copy.table);
    this.#world = restored;
    return [
      ...(await this.#wrongObjects(copy, from, upTo)),
      ...(await this.#wrongIndexes(copy)),
      ...(await this.#wrongHistories(copy)),
      ...(await this.#wrongLater(restored, heads)),
    ];
  }

  /** As often as it is killed, it is started again. */
  async #restore(copy: TornCopy): Promise<void> {
    for (let isDone = false; !isDone; ) {
      copy.left = 20 + Math.floor(this.random.fraction() * 1_500);
      try {
        await this.#restoreOnce(copy, 'copy');
        isDone = true;
      } catch (error) {
        if (!(error instanceof KilledError)) throw error;
      }
      copy.left = Number.POSITIVE_INFINITY;
    }
  }

  #restoreOnce({ table, scan }: TornCopy, id: string) {
    const outside = { clock: this.#clock, random: this.random, logger: silentLogger };
    return this.#clock.during(restoreTable({ ...outside, id, table, scan, say: () => {} }));
  }

  /** Objects that are what they never were, while it was copied. */
  async #wrongObjects({ table }: TornCopy, from: number, upTo: number): Promise<string[]> {
    const store = this.#newStore(table);
    const wrong: string[] = [];
    for (const collection of LOOKED_AT) {
      const is = new Map((await this.#list(store, collection)).map((state) => [nameKey(state.name), state]));
      for (const name of new Set([...NAMES.map((one) => `default/${one}`), ...is.keys()])) {
        const key = { pk: `object#${collection}`, sk: name };
        const was = this.#recorded.during(key, from, upTo);
        const state = is.get(name);
        const uids = was.map((row) => `${row?.uid} ${row?.labels}`);
        const now = state === undefined ? 'undefined undefined' : `${state.uid} ${sorted(state.labels)}`;
        if (!uids.includes(now)) wrong.push(`${collection} ${name} is ${now}, and was ${uids.join(', ')}`);
      }
    }
    return wrong;
  }

  /** What is found by indexes, beside what there is. */
  async #wrongIndexes(copy: TornCopy): Promise<string[]> {
    const store = this.#newStore(copy.table);
    const wrong: string[] = [];
    const expect = (what: string, found: unknown, expected: unknown) => {
      const [is, was] = [JSON.stringify(found), JSON.stringify(expected)];
      if (is !== was) wrong.push(`${what}: ${is}, and not ${was}`);
    };
    for (const collection of LOOKED_AT) {
      const all = await this.#list(store, collection);
      for (const key of [...KEYS, 'app']) {
        for (const text of [key, `${key}=x`, `${key}!=x`]) {
          const selector = parseSelector(text);
          const found = (await this.#list(store, collection, text)).map(spelled);
          expect(
            `${collection} ${text}`,
            found,
            all.filter(({ labels }) => selector.matches(labels)).map(spelled),
          );
        }
      }
    }
    const pods = await this.#list(store, PODS);
    const sets = await this.#list(store, SETS);
    const services = await this.#list(store, SERVICES);
    for (const { uid } of sets) {
      const found: string[] = [];
      for await (const page of dependentsOf(copy.table, uid)) {
        found.push(...page.map(({ name }) => nameKey(name)));
      }
      const named = pods.filter(({ body }) => ownerReferencesOf(body).some((one) => one.uid === uid));
      expect(
        `dependents of ${uid}`,
        found.sort(),
        named.map(({ name }) => nameKey(name)),
      );
    }
    const held = services.map(({ body, uid }) => [`service-ip#${(body.spec as JsonObject).clusterIP}`, uid]);
    const holders = await store.reservationHolders(held.map(([name = '']) => name));
    expect(
      'reservations',
      held.map(([name = '']) => holders.get(name)),
      held.map(([, uid]) => uid),
    );
    const rows = await copy.rows();
    const reserved = rows.filter(({ pk, uid }) => pk.startsWith('reservation#') && uid !== undefined);
    expect('holders', reserved.length, held.length);
    for (const pod of pods) {
      const { items = [] } = await this.#load.ask('GET', `${IN}/pods/${pod.name.name}/selectedby`);
      const found = (items as JsonObject[]).filter(
        ({ carrier }) => (carrier as JsonObject).kind === 'Service',
      );
      const selecting = services.filter(({ body }) => {
        const selector = (body.spec as JsonObject).selector as Record<string, string>;
        return Object.entries(selector).every(([key, value]) => pod.labels[key] === value);
      });
      const names = found.map(({ metadata }) => String((metadata as JsonObject).name)).sort();
      expect(`who selects ${pod.name.name}`, names, selecting.map(({ name }) => name.name).sort());
    }
    // Another restore finds nothing to mend.
    const before = await readRestoreProgress(copy.table);
    const again = await this.#restoreOnce(copy, 'again');
    expect('mended again', { ...again.found, 'looks owed': 0 }, { 'looks owed': 0 });
    expect('it was done', before?.step, 'done');
    return wrong;
  }

  /** Changes in the history that were none, changes that it skips, and a newest one that is not the present state. */
  async #wrongHistories({ table }: TornCopy): Promise<string[]> {
    const store = this.#newStore(table);
    const wrong: string[] = [];
    for (const collection of LOOKED_AT) {
      const truth = await this.#journalOf(collection);
      for (const name of NAMES.map((one) => ({ namespace: 'default', name: one }))) {
        const own = truth.filter((change) => change.nameKey === nameKey(name));
        const what = `the history of ${collection} ${name.name}`;
        for (const all of [true, false]) {
          const page = await this.#clock.during(store.historyOf(collection, { name, all, limit: 200 }));
          const wanted = own.filter((change) => all || change.changesMain);
          const newest = wanted.findLastIndex(({ rv }) => rv === page.changes[0]?.rv) + 1;
          const past = wanted.slice(newest - page.changes.length, newest).reverse();
          if (JSON.stringify(page.changes.map(toldChange)) !== JSON.stringify(past.map(toldChange))) {
            wrong.push(`${what} is ${page.changes.map(({ rv }) => rv)}, and was ${past.map(({ rv }) => rv)}`);
          }
          const before = wanted[newest - page.changes.length - 1];
          if (all && before !== undefined && page.end !== 'Created' && page.changes.length > 0) {
            const row = await table.get(journalKey(collection, before.rv));
            const isThere = row !== undefined && row.hole !== true;
            if (isThere) wrong.push(`${what} ends as ${page.end}, but ${before.rv} is there`);
          }
          if (page.end === undefined) wrong.push(`${what} has no end`);
          const [is, last] = [page.present?.body, page.changes[0]?.after?.body];
          if (all && last !== undefined && JSON.stringify(is) !== JSON.stringify(last)) {
            wrong.push(`${what} ends in another state than there is`);
          }
        }
      }
      const request = { entries: 10_000, bytes: Number.POSITIVE_INFINITY };
      const { changes } = await this.#clock.during(store.changesBack(collection, request));
      const lost = changes.filter(({ rv }) => !truth.some((change) => change.rv === rv));
      const versions = lost.map(({ rv }) => rv);
      if (lost.length > 0) wrong.push(`${collection} has changes by the restore: ${versions}`);
    }
    return wrong;
  }

  /** The changes of a collection that were written before it was lost. */
  async #journalOf(collection: Collection): Promise<readonly JournalChange[]> {
    const rows = this.#recorded.log.flatMap(({ row }) => row ?? []);
    const own = rows.filter((row) => parseJournalKey(row)?.collection === collection);
    const entries = new Map(own.map((row) => [row.sk, parseEntry(row)]));
    const changes = [...entries.values()].filter((entry) => entry.kind === 'change');
    const whole = await Promise.all(changes.map((change) => change.whole(this.#recorded.table)));
    return whole.sort((a, b) => a.rv - b.rv);
  }

  /** resourceVersions that go back, and subscribers that know something else than there is. */
  async #wrongLater(world: WatchWorld, heads: ReadonlyMap<Collection, number>): Promise<string[]> {
    const wrong: string[] = [];
    for (const [collection, head] of await this.#heads(world.store)) {
      const lost = heads.get(collection) ?? 0;
      if (head <= lost) wrong.push(`${collection} goes on at ${head}, and was at ${lost}`);
    }
    for (let step = 0; step < 4; step += 1) await this.#load.act();
    for (let minute = 0; minute < 16; minute += 1) {
      this.#clock.advance(60_000);
      await this.#clock.during(world.handle(() => world.reconciler.tick({ all: minute % 5 === 0 })));
      await this.#clock.during(world.pump());
    }
    for (const name of SUBSCRIBED) {
      const queue = await world.queueOf(name);
      const consumer = this.#consumers.get(queue) ?? new Consumer();
      if ((await world.subscription(name)) === undefined) continue;
      consumer.read(await this.#queues.drain(queue));
      const pods = (await this.#list(world.store, PODS)).filter(
        ({ labels }) => labels.app === (name === 'north' ? 'x' : 'y'),
      );
      const expected = pods.map(({ name: pod, rv }) => `${nameKey(pod)}@${rv}`).sort();
      if (JSON.stringify(consumer.known) !== JSON.stringify(expected)) {
        wrong.push(`${name} knows ${consumer.known}, and there is ${expected}`);
      }
    }
    return [...wrong, ...world.errors.map(String)];
  }

  async #heads(store: Store): Promise<ReadonlyMap<Collection, number>> {
    const heads = new Map<Collection, number>();
    for (const collection of LOOKED_AT) {
      heads.set(collection, await this.#clock.during(store.head(collection)));
    }
    return heads;
  }

  /** Who lists may have to wait for what is under way. */
  #list(store: Store, collection: Collection, text = ''): Promise<readonly ObjectState[]> {
    return this.#clock.during(listAll(store, collection, text));
  }

  #present(): WatchWorld {
    if (this.#world === undefined) throw new Error('there is no world yet');
    return this.#world;
  }

  #newWorld(table: WatchWorld['table']): Promise<WatchWorld> {
    return WatchWorld.create({
      table,
      queues: this.#queues,
      clock: this.#clock,
      random: this.random,
      mostRowBytes: this.#mostRowBytes,
    });
  }

  #newStore(table: WatchWorld['table']): Store {
    return createStore({ table, clock: this.#clock, random: this.random, logger: silentLogger });
  }
}

async function listAll(store: Store, collection: Collection, text: string): Promise<readonly ObjectState[]> {
  const selector = text === '' ? everything : parseSelector(text);
  const found: ObjectState[] = [];
  for await (const { items } of eachPage(store, collection, { selector })) found.push(...items);
  return found;
}

const toldChange = ({ rv, type, before, after }: JournalChange) => [rv, type, before?.body, after?.body];

const spelled = ({ name, rv }: ObjectState) => `${nameKey(name)}@${rv}`;

function sorted(labels: Readonly<Record<string, string>>): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(labels).sort(([left], [right]) => (left < right ? -1 : 1))),
  );
}
