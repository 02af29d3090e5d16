import type { Collection } from '../../json/index.ts';
import type { ChangeRange } from '../../store/index.ts';
import type { ChangeMapper, DerivingStore } from './derivation.ts';
import { enqueue, type OweOptions } from './enqueue.ts';

export interface OweChangesOptions extends DerivingStore, OweOptions {
  readonly concerns: ChangeMapper;
  readonly collection: Collection;
}

/** What a turn read of a journal: without changes they were lost. */
export type RoundChanges = Pick<ChangeRange, 'upTo'> & Partial<ChangeRange>;

/**
 * Makes due whatever a turn's changes concern. Resolved, all rows are there: the cursor may move. Where changes were
 * lost, everybody is to be looked at.
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
