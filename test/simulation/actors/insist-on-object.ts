import { type Collection, metadataOf, type ObjectName } from '../../../lib/json/index.ts';
import { TIMING } from '../../../lib/platform/index.ts';
import type { Mutation, ObjectState } from '../../../lib/store/index.ts';
import type { Cluster } from './cluster.ts';

/** Ms to wait after a request that failed. */
const RETRY = 1_000;

/** Changes an object, and retries until it is answered. A repeated change has to change nothing. */
export async function insistOnObject(
  { write, world }: Cluster,
  { collection, name }: { readonly collection: Collection; readonly name: ObjectName },
  change: (current: ObjectState | undefined) => Mutation,
): Promise<void> {
  for (;;) {
    const ended = await write.invoke(TIMING.gateway, async ({ store, hints, clock }) => {
      const within = store.within(clock.deadline(TIMING.request));
      const outcome = await within.write(collection, name, change);
      if (outcome.kind !== 'none') await hints.announce(collection, outcome.after?.rv ?? 0);
    });
    if (ended.how === 'done') return;
    await world.scheduler.sleep(RETRY);
  }
}

/** Marks an object as deleted, as the API does while a finalizer keeps it. */
export function markDeleted(current: ObjectState | undefined, now: number): Mutation {
  const metadata = metadataOf(current?.body ?? {});
  if (current === undefined || metadata.deletionTimestamp !== undefined) return { kind: 'none' };
  const deletionTimestamp = new Date(now).toISOString();
  return { kind: 'put', body: { ...current.body, metadata: { ...metadata, deletionTimestamp } } };
}
