import type { Clock, Random } from '../../platform/index.ts';
import { restoreKey } from '../keys.ts';
import type { Attribute, Clause, Condition, Row, Table, Update } from '../table.ts';
import { progressIn, type RestoreProgress } from './restore-progress.ts';

/** The interval of a restore's heartbeats, and the silence after which the restore counts as dead, in ms. */
const BEAT = 5_000;
const SILENCE = 15_000;
/** The pause between two reads of a run that may be silent, in ms. */
const LOOK = 1_000;

/** Another process restores the table. */
export class RestoreUnderwayError extends Error {
  override name = 'RestoreUnderwayError';
}

export interface RestoreLockOptions {
  /** The unique id of the copy. */
  readonly id: string;
  readonly table: Table;
  readonly clock: Clock;
  readonly random: Random;
  /** Called with a message about what the process waits for. */
  say(text: string): void;
}

/**
 * A lock, so that one process restores a table at a time. The restore's row names the run and counts its heartbeats.
 * A process that finds another run watches its heartbeats by its own clock. Only a silent run is dead. A run that was
 * frozen writes a heartbeat before it writes anything else. No process compares its clock with another's.
 */
export class RestoreLock {
  /** The progress of the restore of this copy; undefined if it has not begun. */
  readonly progress: RestoreProgress | undefined;
  readonly #options: RestoreLockOptions;
  readonly #run: string;
  readonly #stop: () => void;
  /** When the lock was last confirmed, in ms by this process's clock. */
  #certain: number;

  private constructor(options: RestoreLockOptions, run: string, progress: RestoreProgress | undefined) {
    this.#options = options;
    this.#run = run;
    this.progress = progress;
    this.#certain = options.clock.now();
    this.#stop = options.clock.every(BEAT, () => void this.#beat().catch(() => undefined));
  }

  /** @throws {RestoreUnderwayError} another process holds the lock and is alive. */
  static async take(options: RestoreLockOptions): Promise<RestoreLock> {
    const { id, table, random } = options;
    const found = await table.get(restoreKey);
    const isOurs = found?.of === id || progressIn(found)?.id === id;
    const last = isOurs && found?.run !== undefined ? await lastOf(options, found) : found;
    const run = random.uuid();
    const { outcome } = await table.update(restoreKey, {
      set: { of: id, run, beats: 0 },
      ...(isOurs ? {} : { remove: ['progress'] }),
      condition: [is('run', last?.run), is('beats', last?.beats)],
    });
    if (outcome !== 'done') throw underway();
    return new RestoreLock(options, run, isOurs ? progressIn(last) : undefined);
  }

  /** @throws {RestoreUnderwayError} another process has taken the lock over, because it saw no heartbeat. */
  async store(progress: RestoreProgress): Promise<void> {
    const set = { progress: JSON.stringify(progress) };
    await this.#update({ set });
  }

  /**
   * The same table for this run; its writes require the lock.
   *
   * @throws {RestoreUnderwayError} from each write, once the run has lost the lock.
   */
  guarded(table: Table): Table {
    const held =
      <Parameters extends unknown[], Answer>(write: (...given: Parameters) => Promise<Answer>) =>
      async (...given: Parameters) => {
        if (this.#options.clock.now() - this.#certain >= SILENCE - BEAT) await this.#beat();
        return write(...given);
      };
    return {
      ...table,
      put: held(table.put),
      update: held(table.update),
      delete: held(table.delete),
      transact: held(table.transact),
    };
  }

  /**
   * Releases the lock, so that the next run can begin at once. If that fails, the next run first watches for
   * heartbeats, and sees none.
   */
  async end(): Promise<void> {
    this.#stop();
    const over = { remove: ['run', 'beats'], condition: this.#isMine };
    await this.#options.table.update(restoreKey, over).catch(() => undefined);
  }

  get #isMine(): Condition {
    return [{ attribute: 'run', is: '=', value: this.#run }];
  }

  #beat(): Promise<void> {
    return this.#update({ add: { beats: 1 } });
  }

  /** @throws {RestoreUnderwayError} another process has taken the lock over, because it saw no heartbeat. */
  async #update(change: Update): Promise<void> {
    const { clock, table } = this.#options;
    const asked = clock.now();
    const { outcome } = await table.update(restoreKey, { ...change, condition: this.#isMine });
    if (outcome !== 'done') throw new RestoreUnderwayError('another restore has taken over: this one stops');
    this.#certain = asked;
  }
}

/**
 * Returns the row as the last run left it, once that run has ended or is silent.
 *
 * @throws {RestoreUnderwayError} the run still writes heartbeats.
 */
async function lastOf({ table, clock, say }: RestoreLockOptions, found: Row): Promise<Row | undefined> {
  say(
    `An earlier run began this restore. Waiting ${SILENCE / 1_000} s to see whether that run is still alive.`,
  );
  for (const until = clock.now() + SILENCE; clock.now() < until; ) {
    await clock.sleep(LOOK);
    const row = await table.get(restoreKey);
    if (row?.run === undefined) return row;
    if (row.run !== found.run || row.beats !== found.beats) throw underway();
  }
  return found;
}

const is = (attribute: string, value: Attribute | undefined): Clause =>
  value === undefined ? { missing: attribute } : { attribute, is: '=', value };

const underway = () => new RestoreUnderwayError('another restore of this table is under way');
