import {
  type Cursor,
  type DispatchShard,
  findDeclared,
  type Hint,
  hasNewMembers,
  isFollowedByMark,
  parseCursor,
  ReconcileRequests,
  readProgress,
  releaseLease,
  shardName,
  waitForLease,
  withDeadline,
} from '../../coordination/index.ts';
import { MEMORY, type Random, TIMING } from '../../platform/index.ts';
import { cursorKey, markFollowed } from '../../store/index.ts';
import { KnownStates } from './known-states.ts';
import type { DispatchContext, Load } from './round-options.ts';
import { runRound } from './run-round.ts';
import { SendGate } from './send-gate.ts';
import { MemberIndexes } from './subscription-indexes.ts';

export interface DispatchOptions extends DispatchContext {
  readonly reconcileQueueUrl: string;
  readonly random: Random;
  /** The most subscriptions of one shard before it is split; default: 2,000. */
  readonly groupSize?: number | undefined;
  /** The most subscriptions that one round activates; default: 25. */
  readonly admissions?: number | undefined;
}

export interface Dispatcher {
  /**
   * Runs rounds until the shard's cursor has reached the hint. If the cursor has already reached it, this runs one
   * round, provided that the journal has later changes and no round began just before. `signal` is aborted when the
   * invocation's time ends.
   *
   * @throws {LeaseHeldError} another dispatcher holds the shard's lease; SQS delivers the hint again.
   */
  dispatch(hint: Hint, signal?: AbortSignal): Promise<void>;
}

/**
 * If an earlier round has already covered a hint, the hint starts no round within this time after that round's start,
 * in ms. After this time, it starts a round for later changes. So the later changes need not wait until their own hint
 * reaches the front of the queue.
 */
const NEXT_TURN = 100;
const GROUP_SIZE = 2_000;
const ADMISSIONS = 25;

/** The data about a shard that a process keeps between rounds. */
interface Remembered {
  /** When this process last began rounds, in ms since the epoch. */
  began: number;
  readonly load: Load;
}

/** Creates a dispatcher. Use one per process, because it caches what the subscriptions select. */
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
    async dispatch(asked, signal) {
      const options = withDeadline(given, signal);
      const { table, clock, random } = options;
      const hops = (asked.hops ?? 0) + 1;
      const target = options.resources.of(asked.collection) ?? (await findDeclared(table, asked.collection));
      if (target === undefined) return;
      const before = await readProgress(table, asked);
      // The shard does not exist.
      if (before.cursor === undefined) return;
      const isUnmarked = !before.isMarked && isFollowedByMark(asked.collection, before.cursor, given);
      // Writes after the mark have hints. This invocation sends all changes before it.
      const hint = isUnmarked ? upTo(asked, await markFollowed(table, asked.collection)) : asked;
      const memory = remembered(hint);
      const isWaitedFor = before.head > before.cursor.position && clock.now() - memory.began >= NEXT_TURN;
      if (!isBehind(before.cursor, hint) && !isWaitedFor) return;
      memory.began = clock.now();

      const deadline = clock.deadline(TIMING.dispatchSends);
      const lastTurn = clock.deadline(TIMING.dispatchLastTurn);
      const { collection, group = 0 } = hint;
      let head = isUnmarked ? undefined : before.head;
      const key = cursorKey(collection, group);
      const lease = {
        table,
        clock,
        key,
        holder: random.uuid(),
        lifetime: TIMING.dispatchLease,
        // Without a row there is no position to continue from.
        condition: group === 0 ? [] : [{ attribute: 'sk', is: '=', value: key.sk } as const],
      };
      const { load } = memory;
      const { holder } = lease;
      const { admissions = ADMISSIONS } = options;
      const kept = { indexes, known, load, gate, admissions };
      const turn = { ...options, ...kept, target, group, hint, hops, holder, deadline };
      let cursor = { ...parseCursor(await waitForLease(lease, lastTurn)), isReleased: false };
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
      // Another invocation processes the rest of a long backlog.
      if (again !== undefined) await options.hints.offer({ ...hint, hops }, again);
    },
  };
}

const upTo = (hint: Hint, rv: number): Hint => ({ ...hint, rv: Math.max(hint.rv, rv) });

function isBehind(cursor: Cursor, { rv }: Hint): boolean {
  return cursor.position < rv || hasNewMembers(cursor);
}
