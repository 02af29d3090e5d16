import type { TargetResource } from '../../kubernetes/winnow/index.ts';
import { MEMORY } from '../../platform/index.ts';
import type { ChangeRange, JournalChange, Store } from '../../store/index.ts';

export interface TurnChangesOptions {
  readonly store: Store;
  readonly target: TargetResource;
  /** The shard's position. Everything up to it is settled. */
  readonly cursor: number;
  /** The resourceVersion after which to begin: the cursor, or less for a subscription that is behind it. */
  readonly from: number;
  /** The last resourceVersion to read. */
  readonly upTo: number;
  /** Whether the round's only work is to send the changes above the cursor. */
  readonly waits: boolean;
}

/**
 * Returns the changes that a round sends. Above the cursor, it takes them as far as they are settled. So a slow writer
 * delays no change below its own resourceVersion. It ends where the changes fill the memory of a round. If the round has no other work, it waits for the very next change.
 *
 * @throws {GoneError} the changes are compacted.
 */
export async function turnChanges(options: TurnChangesOptions): Promise<ChangeRange> {
  const { store, target, cursor, from, upTo, waits } = options;
  const changes: JournalChange[] = [];
  let at = from;
  let heap = 0;
  while (at < upTo && heap < MEMORY.turn) {
    const isWaitedFor = at < cursor || (at === cursor && waits);
    const read = isWaitedFor ? store.nextChanges : store.decidedChanges;
    const next = await read(target.collection, at, upTo);
    if (next.upTo === at) break;
    changes.push(...next.changes);
    heap += next.changes.reduce((sum, change) => sum + change.heap, 0);
    at = next.upTo;
  }
  return { changes, upTo: at };
}
