import { nameKey } from '../../store/index.ts';
import { NOTHING_COUNTED, printCounts } from '../counting/index.ts';
import { bumpSubscriptions } from '../shards/index.ts';
import { firstRow, updateState } from '../subscription/index.ts';
import { type Counting, generationOf, type TallyOptions } from './count-anew.ts';

/**
 * Stops the count of a Tally, because `spec.suspend` is true, or because it breaks an enforced rule. Its row stays as
 * `catching-up`, with the values for its status. Returns whether the row was changed. If another process has changed
 * the row since, that change stays, and the schedule asks again.
 */
export async function stopTally(options: TallyOptions, counting: Counting): Promise<boolean> {
  const { table, store } = options;
  const { object, spec, selected, authored, violation, state } = counting;
  const { name, uid } = object;
  const generation = generationOf(object);
  const { author, standing, scope } = authored;
  const { collection } = spec.selecting.target;
  const said = { generation, suspended: generation, author, standing, scope, violation } as const;
  if (state === undefined) {
    const head = await store.head(collection);
    const { namespaces } = selected;
    const row = firstRow({ name, uid, spec: spec.selecting, queueName: '', head, namespaces, ...said });
    const uncounted = { groupBy: JSON.stringify(spec.groupBy), counts: printCounts(NOTHING_COUNTED) };
    const stopped = { ...row, ...said, ...uncounted, subscription: nameKey(name), step: 'journal' };
    return (await table.put(stopped, [{ missing: 'pk' }])).outcome === 'done';
  }
  const isCounted = state.membership !== 'catching-up';
  const isSaid = Object.entries(said).every(
    ([attribute, value]) => state[attribute as keyof typeof said] === value,
  );
  if (isSaid && !isCounted) return false;
  const { edit, attempt } = state;
  const change = { ...said, membership: 'catching-up', edit: edit + 1, attempt: attempt + 1 } as const;
  const isStored = await updateState(table, state, change, [{ attribute: 'edit', is: '=', value: edit }]);
  // Dispatch stops counting with its cached state: a round in progress finds another edit.
  if (isStored && isCounted) await bumpSubscriptions(options, { collection, uid });
  return isStored;
}
