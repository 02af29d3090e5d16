import type { ChangeRange, ListPage } from './contract.ts';
import { GoneError } from './errors.ts';
import { FIRST_VERSION } from './head.ts';
import { nameKey } from './keys.ts';
import type { ObjectState } from './object.ts';

/** The maximum number of changes to apply one by one. Beyond it, the objects are listed again. */
const MOST_CHANGES = 200;

/** The reads by which a cache updates its collection. */
export interface SnapshotReads {
  /**
   * Returns changes above `after`, covering at least one resourceVersion.
   *
   * @throws {GoneError}
   */
  changes(after: number, upTo: number): Promise<ChangeRange>;
  list(): AsyncIterable<ListPage>;
}

/** The objects at one resourceVersion, by their names' keys. */
interface Snapshot {
  readonly rv: number;
  readonly objects: ReadonlyMap<string, ObjectState>;
}

/**
 * All objects of one small collection, cached between requests at one resourceVersion. Each caller reads the head and
 * passes it in, and the cache then reads the missing changes. So a cache that is behind never gives a stale answer.
 */
export class SnapshotCache {
  #last: Snapshot = { rv: FIRST_VERSION, objects: new Map() };

  /** The objects at `head`, or at a later resourceVersion. */
  async upTo(head: number, reads: SnapshotReads): Promise<readonly ObjectState[]> {
    const last = this.#last;
    const behind = head - last.rv;
    if (behind !== 0) {
      const isNear = behind > 0 && behind <= MOST_CHANGES;
      const next = (isNear ? await followed(last, head, reads) : undefined) ?? (await listed(reads));
      // Another request may have updated the cache meanwhile.
      if (next.rv > this.#last.rv || behind < 0) this.#last = next;
      return [...next.objects.values()];
    }
    return [...last.objects.values()];
  }
}

/** Applies the changes up to `head`. Undefined if the changes are compacted. */
async function followed(last: Snapshot, head: number, reads: SnapshotReads): Promise<Snapshot | undefined> {
  const objects = new Map(last.objects);
  try {
    for (let rv = last.rv; ; ) {
      if (rv >= head) return { rv, objects };
      const { upTo, changes } = await reads.changes(rv, head);
      for (const { nameKey: key, after } of changes) {
        if (after === undefined) {
          objects.delete(key);
        } else {
          objects.set(key, after);
        }
      }
      rv = upTo;
    }
  } catch (error) {
    if (error instanceof GoneError) return undefined;
    throw error;
  }
}

async function listed(reads: SnapshotReads): Promise<Snapshot> {
  const objects = new Map<string, ObjectState>();
  let rv = FIRST_VERSION;
  for await (const page of reads.list()) {
    rv = page.rv;
    for (const object of page.items) objects.set(nameKey(object.name), object);
  }
  return { rv, objects };
}
