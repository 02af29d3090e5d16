import {
  acquireLease,
  LeaseHeldError,
  type LeaseOptions,
  releaseLease,
  waitForLease,
} from '../../coordination/index.ts';
import { PLACEMENT_COLLECTIONS } from '../../kubernetes/lifecycle/index.ts';
import { type Clock, TIMING } from '../../platform/index.ts';
import { type CachedWorld, WorldCache } from '../../server/index.ts';
import { FIRST_VERSION, placerKey, type Row } from '../../store/index.ts';
import { readWorld, WorldSnapshots } from '../world-snapshots/index.ts';
import { bindRound } from './bind-round.ts';
import type { BinderOptions, BindRequest } from './binder-options.ts';
import { chosenOf } from './chosen.ts';
import { PODS } from './pods.ts';
import { BesideWorld } from './world-listener.ts';

/** After so long in ms, what others wrote is read again. */
const ROUND = 1_000;
/** Longer in ms than the lease of a binder that died lasts. */
const PATIENCE = TIMING.placementLease + ROUND;

/** What one invocation may do. */
export interface Run extends Pick<BindRequest, 'waits'> {
  /** When the last round may begin, in ms since the epoch. */
  readonly lastRound: number;
}

/** Places pods from a world that it keeps, one invocation after the other. */
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
    // Before anybody is kept waiting: the first time it may take long.
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

/** The lease with a higher epoch; undefined where somebody else has it and is not waited for. */
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
 * One round after the other, each with the current world. All bindings of earlier holders of the lease are read
 * before the first; the fence keeps out those still under way.
 */
async function rounds(options: Leased): Promise<Stand> {
  const { kept, store, clock, epoch, hints, lastRound } = options;
  const fence = { key: placerKey, epoch };
  const announce = (rv: number) => hints.announce(PODS, rv);
  const hold = async () => {
    const condition = [{ attribute: 'epoch', is: '=', value: epoch } as const];
    if (await acquireLease({ ...options.lease, condition })) return;
    throw new LeaseHeldError('somebody else binds pods by now');
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
    // What was written is read once more, so that nobody is woken by it.
    const isIdle = !hasWritten && next === undefined;
    if (isIdle || clock.now() >= lastRound) return standOf(await keptIfDue(options, told), options);
    if (!hasWritten) await clock.sleep(pauseUntil(Math.min(Number(next), lastRound), clock));
    await hold();
  }
}

/** The same; kept for processes that start, if it is time to. */
async function keptIfDue(
  { keeper, ...options }: Leased,
  told: CachedWorld<BesideWorld>,
): Promise<CachedWorld<BesideWorld>> {
  const { records } = told.beside;
  if (records !== undefined) await keeper?.keepWhenDue(options, { upTo: told.upTo, records });
  return told;
}

/** Not longer than a round: others write meanwhile. */
function pauseUntil(time: number, clock: Clock): number {
  return Math.min(ROUND, Math.max(0, time - clock.now()));
}

/**
 * How far a binder was, as its row says: up to which resourceVersions, when pods are to be tried again anyway, and what
 * was chosen for it.
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
