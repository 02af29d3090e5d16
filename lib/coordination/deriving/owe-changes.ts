import type { Collection } from '../../json/index.ts';
import type { ChangeRange } from '../../store/index.ts';
import type { ChangeMapper, DerivingStore } from './derivation.ts';
import { enqueue, type OweOptions } from './enqueue.ts';

export interface OweChangesOptions extends DerivingStore, OweOptions {
  readonly concerns: ChangeMapper;
  readonly collection: Collection;
}

/** The changes that a round read from a journal. If `changes` is absent, the changes were lost. */
export type RoundChanges = Pick<ChangeRange, 'upTo'> & Partial<ChangeRange>;

/**
 * Enqueues work items for the changes of a round. When it resolves, all rows are written, and the cursor may move. If
 * changes were lost, all objects are derived again.
 */
export async function enqueueChanges(
  options: OweChangesOptions,
  { changes, upTo }: RoundChanges,
): Promise<void> {
  const { concerns, collection } = options;
  const owed =
    changes === undefined
      ? [{ subject: concerns.everybody, collection, rv: upTo }]
      : await concerns.concerned(options, collection, changes);
  await enqueue(options, owed);
}
