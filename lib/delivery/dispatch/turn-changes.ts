import type { TargetResource } from '../../kubernetes/winnow/index.ts';
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
 * delays no change below its own resourceVersion. If the round has no other work, it waits for the very next change.
 *
 * @throws {GoneError} the changes are compacted.
 */
export async function turnChanges(options: TurnChangesOptions): Promise<ChangeRange> {
  const { store, target, cursor, from, upTo, waits } = options;
  const changes: JournalChange[] = [];
  let at = from;
  while (at < upTo) {
    const isWaitedFor = at < cursor || (at === cursor && waits);
    const read = isWaitedFor ? store.nextChanges : store.decidedChanges;
    const next = await read(target.collection, at, upTo);
    if (next.upTo === at) break;
    changes.push(...next.changes);
    at = next.upTo;
  }
  return { changes, upTo: at };
}
