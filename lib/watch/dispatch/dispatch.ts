import { type Random, TIMING } from '../../platform/index.ts';
import { type Collection, cursorKey, type Row } from '../../store/index.ts';
import { type Cursor, hasNewMembers, parseCursor, readProgress } from '../cursor.ts';
import type { Hints } from '../hints.ts';
import type { Hint } from '../internal-messages.ts';
import { findDeclared } from '../known-resources.ts';
import { acquireLease, LeaseHeldError, type LeaseOptions, releaseLease } from '../lease.ts';
import { Notices } from '../notices.ts';
import { within } from '../within.ts';
import { KnownStates } from './known-states.ts';
import { MemberIndexes } from './member-indexes.ts';
import { type TurnOptions, takeTurn } from './take-turn.ts';

export interface DispatchOptions extends TurnOptions {
  readonly hints: Hints;
  readonly reconcileQueueUrl: string;
  readonly random: Random;
}

export interface Dispatcher {
  /**
   * Takes the turns it needs until the collection's cursor has reached the hint; where it has, one if there is more
   * and none was taken just before.
   * `signal` is the end of the invocation's time.
   *
   * @throws {LeaseHeldError} another dispatcher holds the collection; the hint comes again.
   */
  dispatch(hint: Hint, signal?: AbortSignal): Promise<void>;
}

const LEASE_PAUSE = 250;
/**
 * A hint that an earlier turn covered takes another where there is more, but not sooner in ms after it: what was
 * written since need not wait for each of the hints that lie in the queue before its own.
 */
const NEXT_TURN = 100;
/** Keep one a process: it remembers what the subscriptions select. */
export function createDispatcher(given: DispatchOptions): Dispatcher {
  const indexes = new MemberIndexes();
  const known = new KnownStates();
  /** When this process began its last turns, in ms since the epoch. */
  const turns = new Map<Collection, number>();
  return {
    async dispatch(hint, signal) {
      const options = within(given, signal);
      const { table, clock, random } = options;
      const hops = (hint.hops ?? 0) + 1;
      const target = options.resources.of(hint.collection) ?? (await findDeclared(table, hint.collection));
      if (target === undefined) return;
      const before = await readProgress(table, hint.collection);
      const isWaitedFor =
        before.head > before.cursor.position && clock.now() - (turns.get(hint.collection) ?? 0) >= NEXT_TURN;
      if (!isBehind(before.cursor, hint) && !isWaitedFor) return;
      turns.set(hint.collection, clock.now());

      const deadline = clock.deadline(TIMING.dispatchSends);
      const lastTurn = clock.deadline(TIMING.dispatchLastTurn);
      const key = cursorKey(hint.collection);
      const lease = { table, clock, key, holder: random.uuid(), lifetime: TIMING.dispatchLease };
      const turn = { ...options, indexes, known, target, hint, holder: lease.holder, deadline };
      let cursor = { ...parseCursor(await waitForLease(lease, lastTurn)), isReleased: false };
      let head: number | undefined = before.head;
      let again: string | undefined;
      try {
        do {
          const notices = new Notices(options, hops);
          try {
            cursor = await takeTurn({ ...turn, cursor, notices, head });
          } finally {
            await notices.send();
          }
          head = undefined;
        } while (isBehind(cursor, hint) && !lastTurn.aborted);
        if (isBehind(cursor, hint)) again = `continue/${cursor.position}/${cursor.seen}`;
      } finally {
        if (!cursor.isReleased) await releaseLease(lease);
      }
      // A long backlog is another invocation's.
      if (again !== undefined) await options.hints.offer({ ...hint, hops }, again);
    },
  };
}

function isBehind(cursor: Cursor, { rv }: Hint): boolean {
  return cursor.position < rv || hasNewMembers(cursor);
}

/** Answers the row that carries the lease. */
async function waitForLease(lease: LeaseOptions, deadline: AbortSignal): Promise<Row> {
  for (;;) {
    const row = await acquireLease(lease);
    if (row !== undefined) return row;
    if (deadline.aborted) throw new LeaseHeldError(`${lease.key.pk} is leased`);
    await lease.clock.sleep(LEASE_PAUSE, deadline);
  }
}
