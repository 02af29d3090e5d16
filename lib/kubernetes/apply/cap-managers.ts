import { compareText } from './go-format.ts';
import { type ManagerIdentity, type Managers, managerId } from './managers.ts';

/** The maximum number of separate update entries. Apply entries are not limited. */
const MOST_UPDATES = 10;
const ANCIENT = 'ancient-changes';

/** Merges the oldest update entries until at most ten are left. Entries of the same version become one entry. */
export function capManagers({ owned, times }: Managers): Managers {
  const updates = [...owned.keys()]
    .filter((id) => owned.get(id)?.applied === false)
    .sort((a, b) => compareText(times.get(a) ?? '', times.get(b) ?? '') || compareText(a, b));
  const capped: Managers = { owned: new Map(owned), times: new Map(times) };
  const firsts = new Map<string, string>();
  let count = updates.length;
  for (const id of updates) {
    if (count <= MOST_UPDATES) break;
    const apiVersion = owned.get(id)?.apiVersion ?? '';
    const first = firsts.get(apiVersion);
    if (first === undefined) {
      firsts.set(apiVersion, id);
      continue;
    }
    join(capped, { id, first, bucket: bucketOf(apiVersion) });
    count -= 1;
  }
  return capped;
}

function bucketOf(apiVersion: string): string {
  const identity: ManagerIdentity = { manager: ANCIENT, operation: 'Update', apiVersion, subresource: '' };
  return managerId(identity);
}

/**
 * Merges the fields of `id` into the bucket. An empty bucket first gets the fields of `first`. The bucket takes the time
 * of `id`, which is later.
 */
function join({ owned, times }: Managers, { id, first, bucket }: Joining): void {
  const older = owned.get(bucket) ?? owned.get(first);
  const newer = owned.get(id);
  if (older === undefined || newer === undefined) return;
  if (!owned.has(bucket)) owned.delete(first);
  owned.delete(id);
  owned.set(bucket, { ...newer, fields: newer.fields.union(older.fields) });
  const time = times.get(id);
  if (time === undefined) {
    times.delete(bucket);
  } else {
    times.set(bucket, time);
  }
}

interface Joining {
  readonly id: string;
  readonly first: string;
  readonly bucket: string;
}
