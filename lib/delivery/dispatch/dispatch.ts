import {
  type Cursor,
  type DispatchShard,
  findDeclared,
  type Hint,
  hasNewMembers,
  parseCursor,
  ReconcileRequests,
  readProgress,
  releaseLease,
  shardName,
  waitForLease,
  withDeadline,
} from '../../coordination/index.ts';
import { MEMORY, type Random, TIMING } from '../../platform/index.ts';
import { cursorKey } from '../../store/index.ts';
import { KnownStates } from './known-states.ts';
import type { Load, TurnOptions } from './round-options.ts';
import { runRound } from './run-round.ts';
import { SendGate } from './send-gate.ts';
import { MemberIndexes } from './subscription-indexes.ts';

export interface DispatchOptions extends TurnOptions {
  readonly reconcileQueueUrl: string;
  readonly random: Random;
  /** Subscriptions of one group at most, before it is split: 2,000, where nothing else is said. */
  readonly groupSize?: number | undefined;
  /** Subscriptions that one turn admits at most: 25, where nothing else is said. */
  readonly admissions?: number | undefined;
}

export interface Dispatcher {
  /**
   * Takes the turns it needs until the group's cursor has reached the hint; where it has, one if there is more
   * and none was taken just before.
   * `signal` is the end of the invocation's time.
   *
   * @throws {LeaseHeldError} another dispatcher holds the group; the hint comes again.
   */
  dispatch(hint: Hint, signal?: AbortSignal): Promise<void>;
}

/**
 * A hint that an earlier turn covered takes another where there is more, but not sooner in ms after it: what was
 * written since need not wait for each of the hints that lie in the queue before its own.
 */
const NEXT_TURN = 100;
const GROUP_SIZE = 2_000;
const ADMISSIONS = 25;

/** What a process remembers of a group between its turns. */
interface Remembered {
  /** When the last turns began here, in ms since the epoch. */
  began: number;
  readonly load: Load;
}

/** Keep one a process: it remembers what the subscriptions select. */
export function createDispatcher(given: DispatchOptions): Dispatcher {
  const indexes = new MemberIndexes();
  const known = new KnownStates();
  const gate = new SendGate();
  const groups = new Map<string, Remembered>();
  const remembered = (group: DispatchShard): Remembered => {
    const one = {
      began: 0,
      load: { most: given.groupSize ?? GROUP_SIZE, heap: MEMORY.shard, isLong: false },
    };
    const found = groups.get(shardName(group)) ?? one;
    groups.set(shardName(group), found);
    return found;
  };
  return {
    async dispatch(hint, signal) {
      const options = withDeadline(given, signal);
      const { table, clock, random } = options;
      const hops = (hint.hops ?? 0) + 1;
      const target = options.resources.of(hint.collection) ?? (await findDeclared(table, hint.collection));
      if (target === undefined) return;
      const before = await readProgress(table, hint);
      // There is no such group.
      if (before.cursor === undefined) return;
      const memory = remembered(hint);
      const isWaitedFor = before.head > before.cursor.position && clock.now() - memory.began >= NEXT_TURN;
      if (!isBehind(before.cursor, hint) && !isWaitedFor) return;
      memory.began = clock.now();

      const deadline = clock.deadline(TIMING.dispatchSends);
      const lastTurn = clock.deadline(TIMING.dispatchLastTurn);
      const { collection, group = 0 } = hint;
      const key = cursorKey(collection, group);
      const lease = {
        table,
        clock,
        key,
        holder: random.uuid(),
        lifetime: TIMING.dispatchLease,
        // Without a row there is no position to go on from.
        condition: group === 0 ? [] : [{ attribute: 'sk', is: '=', value: key.sk } as const],
      };
      const { load } = memory;
      const { holder } = lease;
      const { admissions = ADMISSIONS } = options;
      const kept = { indexes, known, load, gate, admissions };
      const turn = { ...options, ...kept, target, group, hint, hops, holder, deadline };
      let cursor = { ...parseCursor(await waitForLease(lease, lastTurn)), isReleased: false };
      let head: number | undefined = before.head;
      let again: string | undefined;
      try {
        do {
          const notices = new ReconcileRequests(options, hops);
          try {
            cursor = await runRound({ ...turn, cursor, notices, head });
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
