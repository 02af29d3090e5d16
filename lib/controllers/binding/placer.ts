import {
  acquireLease,
  LeaseHeldError,
  type LeaseOptions,
  releaseLease,
  waitForLease,
} from '../../coordination/index.ts';
import { PLACEMENT_COLLECTIONS } from '../../kubernetes/lifecycle/index.ts';
import { type Clock, TIMING } from '../../platform/index.ts';
import { type CachedWorld, WorldCache, type WorldChange, type WorldListener } from '../../server/index.ts';
import { FIRST_VERSION, placerKey, type Row } from '../../store/index.ts';
import { readWorld, WorldRecords, WorldSnapshots } from '../world-snapshots/index.ts';
import { bindRound } from './bind-round.ts';
import type { BinderOptions, BindRequest } from './binder-options.ts';
import { chosenOf } from './chosen.ts';
import { PODS } from './pods.ts';
import { WaitingPods } from './waiting-pods.ts';

/** The length of a round, in ms. After it, the journals are read again. */
const ROUND = 1_000;
/** In ms: longer than the lease of a binder that crashed. */
const PATIENCE = TIMING.placementLease + ROUND;

/** The limits of one invocation. */
export interface Run extends Pick<BindRequest, 'waits'> {
  /** When the last round may begin, in ms since the epoch. */
  readonly lastRound: number;
}

/** The state that the binder keeps in addition to the world. */
class BesideWorld implements WorldListener {
  readonly waiting: WaitingPods;
  /** The records from which new processes load the world; undefined where no snapshots are stored. */
  readonly records: WorldRecords | undefined;

  constructor(options: Pick<BinderOptions, 'clock' | 'schedulerName' | 'snapshots'>) {
    this.waiting = new WaitingPods(options);
    this.records = options.snapshots && new WorldRecords();
  }

  tell(change: WorldChange): void {
    this.waiting.tell(change);
    this.records?.tell(change);
  }
}

/** Places pods by a world that it caches across invocations. */
export class Placer {
  readonly #kept: WorldCache<BesideWorld>;
  readonly #snapshots: WorldSnapshots | undefined;

  constructor(options: Pick<BinderOptions, 'logger' | 'clock' | 'schedulerName' | 'profile' | 'snapshots'>) {
    this.#kept = new WorldCache({ ...options, makeBeside: () => new BesideWorld(options) });
    this.#snapshots = options.snapshots && new WorldSnapshots(options.snapshots);
  }

  /**
   * Binds as {@link Binder.bind} says.
   * @throws {LeaseHeldError}
   */
  async run(options: BinderOptions, { waits, lastRound }: Run): Promise<boolean> {
    const { table, clock, random, store } = options;
    // Load the world before taking the lease: the first load may take long, and other processes may wait for the lease.
    const source = this.#snapshots && { read: () => readWorld(table) };
    await this.#kept.current(store, source);
    const patience = Math.min(PATIENCE, lastRound - clock.now());
    if (patience <= 0) return false;
    const lifetime = TIMING.placementLease;
    const lease = { table, clock, key: placerKey, holder: random.uuid(), lifetime };
    const row = await take(lease, waits ? patience : 0);
    if (row === undefined) return true;
    const kept = { kept: this.#kept, keeper: this.#snapshots };
    return underLease({ ...options, ...kept, lease, epoch: Number(row.epoch), lastRound });
  }
}

/**
 * The row of the lease, with a higher epoch. Undefined where another process holds the lease and the wait, if any, is
 * over.
 */
function take(lease: LeaseOptions, patience: number): Promise<Row | undefined> {
  const asked = { ...lease, raisesEpoch: true };
  return patience > 0 ? waitForLease(asked, lease.clock.deadline(patience)) : acquireLease(asked);
}

interface Leased extends BinderOptions {
  readonly kept: WorldCache<BesideWorld>;
  readonly keeper: WorldSnapshots | undefined;
  readonly lease: LeaseOptions;
  readonly epoch: number;
  readonly lastRound: number;
}

async function underLease(options: Leased): Promise<boolean> {
  let stand: Stand | undefined;
  try {
    stand = await rounds(options);
  } finally {
    await releaseLease(options.lease, stand);
  }
  return stand.due > options.clock.now();
}

/**
 * Runs rounds, each with the current world. All bindings of earlier holders of the lease are read before the first
 * round. The fence rejects bindings of theirs that are still under way.
 */
async function rounds(options: Leased): Promise<Stand> {
  const { kept, store, clock, epoch, hints, lastRound } = options;
  const fence = { key: placerKey, epoch };
  const announce = (rv: number) => hints.announce(PODS, rv);
  const hold = async () => {
    const condition = [{ attribute: 'epoch', is: '=', value: epoch } as const];
    if (await acquireLease({ ...options.lease, condition })) return;
    throw new LeaseHeldError('another binder has the lease');
  };
  for (;;) {
    const told = await kept.current(store);
    const until = clock.now() + ROUND;
    const { world } = told;
    const { waiting } = told.beside;
    const hasWritten = await bindRound(
      { ...options, fence, hold, announce, until },
      { world, beside: waiting },
    );
    const next = waiting.nextTry();
    // A last read of what this binder wrote, so that its own writes wake no later invocation.
    const isIdle = !hasWritten && next === undefined;
    if (isIdle || clock.now() >= lastRound) return standOf(await keptIfDue(options, told), options);
    if (!hasWritten) await clock.sleep(pauseUntil(Math.min(Number(next), lastRound), clock));
    await hold();
  }
}

/** Stores the world for processes that start, if it is due. Returns its argument. */
async function keptIfDue(
  { keeper, ...options }: Leased,
  told: CachedWorld<BesideWorld>,
): Promise<CachedWorld<BesideWorld>> {
  const { records } = told.beside;
  if (records !== undefined) await keeper?.keepWhenDue(options, { upTo: told.upTo, records });
  return told;
}

/** The pause is at most one round long, because other processes write meanwhile. */
function pauseUntil(time: number, clock: Clock): number {
  return Math.min(ROUND, Math.max(0, time - clock.now()));
}

/**
 * The progress of a binder, as stored in its row: the resourceVersions that it read, the time when pods are due, and
 * its settings.
 */
interface Stand extends Readonly<Record<string, string | number>> {
  readonly read: string;
  readonly due: number;
  readonly chosen: string;
}

function standOf({ upTo, beside }: CachedWorld<BesideWorld>, options: Leased): Stand {
  const read = PLACEMENT_COLLECTIONS.map((collection) => [collection, upTo.get(collection) ?? FIRST_VERSION]);
  const never = Number.MAX_SAFE_INTEGER;
  const due = Math.min(beside.waiting.nextDue() ?? never, options.keeper?.due ?? never);
  return { read: JSON.stringify(Object.fromEntries(read)), due, chosen: chosenOf(options) };
}
