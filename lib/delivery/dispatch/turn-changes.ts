import type { TargetResource } from '../../kubernetes/winnow/index.ts';
import type { ChangeRange, JournalChange, Store } from '../../store/index.ts';

export interface TurnChangesOptions {
  readonly store: Store;
  readonly target: TargetResource;
  /** The collection's position. Everything up to it is decided. */
  readonly cursor: number;
  /** Where to begin: the cursor, or less for a subscription that is behind it. */
  readonly from: number;
  /** No further than here. */
  readonly upTo: number;
  /** Whether the turn has nothing to do but to send what is above the cursor. */
  readonly waits: boolean;
}

/**
 * The changes that a turn sends. What is above the cursor it takes as far as it is decided, so that a slow writer holds
 * back nothing that is below its resourceVersion; the very next one is waited for where the turn has nothing else to do.
 *
 * @throws {GoneError} they are compacted.
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
