import type { Collection, JsonObject } from '../../../lib/json/index.ts';
import { type Random, silentLogger, TIMING } from '../../../lib/platform/index.ts';
import { allotVersion } from '../../../lib/store/head.ts';
import {
  createStore,
  type Mutation,
  type ObjectState,
  type Store,
  type Table,
} from '../../../lib/store/index.ts';
import { holeRow } from '../../../lib/store/journal.ts';
import { journalKey, nameKey } from '../../../lib/store/keys.ts';
import { createVirtualClock } from '../clocks/virtual-clock.ts';
import { seeded } from '../watch/memory-world.ts';
import { createMemoryTable } from './memory-table.ts';
import { named } from './store-fixture.ts';

const HOUR = 3_600_000;

/** A change as its writer knows it. */
export interface Happened {
  readonly rv: number;
  readonly name: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
  /** Whether more than `status` and `metadata.managedFields` differ. */
  readonly isMain: boolean;
  /** Whether the rows have the schema version of history. */
  readonly isLinked: boolean;
  readonly time: number;
}

export const PAST: Collection = 'test/pasts';
const NAMES = ['a', 'b', 'c'];

/** Random changes of a few objects, over days, with everything that can befall their journal. */
export class RandomPast {
  readonly clock = createVirtualClock();
  readonly table: Table;
  readonly store: Store;
  readonly random: Random;
  readonly happened: Happened[] = [];
  /** The newest change of a removed definition. */
  floor = 0;
  #schema: number;

  constructor(seed: number, { historyDays = 1 }: { historyDays?: number } = {}) {
    this.random = seeded(seed);
    this.#schema = this.#chance(0.6) ? 3 : 4;
    this.table = { ...createMemoryTable(), rowSchema: () => this.#schema };
    const { table, clock, random } = this;
    this.store = createStore({ table, clock, random, logger: silentLogger, historyDays });
  }

  get names(): readonly string[] {
    return NAMES;
  }

  async live(steps: number): Promise<void> {
    for (let step = 0; step < steps; step += 1) await this.#act();
  }

  /** Rows past their time go, in any order, once the watermark is above them. */
  async expire(): Promise<void> {
    const old = this.happened.filter(({ time }) => time < this.clock.now() - TIMING.retention).at(-1);
    if (old === undefined) return;
    await this.store.raise(PAST, 'compacted', old.rv);
    const gone = this.happened.filter(({ time }) => time + TIMING.expiry <= this.clock.now());
    for (const { rv } of gone) if (this.#chance(0.5)) await this.table.delete(journalKey(PAST, rv));
  }

  async #act(): Promise<void> {
    if (this.#chance(0.1)) this.clock.advance(this.random.fraction() * 20 * HOUR);
    this.clock.advance(1_000);
    if (this.#schema === 3 && this.#chance(0.03)) this.#schema = 4;
    if (this.#chance(0.05)) return this.#die();
    if (this.#chance(0.03)) return this.#redefine();
    if (this.#chance(0.05)) return this.expire();
    await this.#write(this.#pick(NAMES));
  }

  /** A writer allots a resourceVersion and dies. */
  async #die(): Promise<void> {
    const { rv } = await allotVersion(this.table, PAST);
    await this.table.put(holeRow(PAST, rv, this.clock.now() + this.random.fraction() * HOUR));
  }

  /** The definition of the kind goes, with all objects, and is created again. */
  async #redefine(): Promise<void> {
    for (const name of NAMES) await this.#write(name, true);
    this.floor = await this.store.head(PAST);
    await this.store.raise(PAST, 'floor', this.floor);
  }

  async #write(name: string, isDelete = this.#chance(0.15)): Promise<void> {
    let known: ObjectState | undefined;
    const { kind, after } = await this.store.write(PAST, named(name), (current) => {
      known = current;
      return this.#changeOf(name, current, isDelete);
    });
    if (kind === 'none' || after === undefined) return;
    const [was, is] = [known?.body, kind === 'delete' ? undefined : after.body];
    this.happened.push({
      rv: after.rv,
      name,
      type: was === undefined ? 'ADDED' : is === undefined ? 'DELETED' : 'MODIFIED',
      before: was,
      after: is,
      isMain: JSON.stringify(main(was)) !== JSON.stringify(main(is)),
      isLinked: this.#schema >= 4,
      time: this.clock.now(),
    });
  }

  #changeOf(name: string, current: ObjectState | undefined, isDelete: boolean): Mutation {
    if (isDelete) return current === undefined ? { kind: 'none' } : { kind: 'delete', body: current.body };
    const body = current?.body ?? born(name, this.happened.length);
    const number = this.happened.length;
    const status = { ...body, status: { number } };
    const metadata = body.metadata as JsonObject;
    const changes: readonly JsonObject[] = [
      { ...body, spec: { number } },
      { ...body, metadata: { ...metadata, labels: { app: `x${number}` } } },
      { ...status, spec: { number } },
      status,
      status,
      { ...status, metadata: { ...metadata, managedFields: [{ manager: `m${number}` }] } },
      body,
    ];
    return { kind: 'put', body: current === undefined ? body : this.#pick(changes) };
  }

  #chance(of: number): boolean {
    return this.random.fraction() < of;
  }

  #pick<One>(among: readonly One[]): One {
    return among[Math.floor(this.random.fraction() * among.length)] as One;
  }
}

function born(name: string, number: number): JsonObject {
  return { kind: 'Past', metadata: { ...named(name), uid: `${name}-${number}` }, spec: { number } };
}

/** All but the status and the managed fields. */
function main(body: JsonObject | undefined): JsonObject | undefined {
  if (body === undefined) return undefined;
  const { status: _, metadata, ...rest } = body;
  const { managedFields: __, ...others } = metadata as JsonObject;
  return { ...rest, metadata: others };
}

export const keyOf = (name: string) => nameKey(named(name));
